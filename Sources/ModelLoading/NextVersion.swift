public import ObjectModel

/// A new version of a bundle, which begins as a copy of the current one: nothing is written yet.
public struct NextVersion: Hashable, Sendable {
  /// The form of the files.
  public let form: ModelForm
  /// The path of the bundle.
  public let path: String
  /// The name of the new version.
  public let name: String
  /// The name of the version that it is a copy of.
  public let source: String
  /// The version hash of that version.
  public let sourceChecksum: VersionHash
  /// The files, that of the version first.
  public let files: [ModelConversion.File]

  /// Copies the current version of a bundle.
  ///
  /// - Parameters:
  ///   - bundle: The bundle.
  ///   - name: The name of the new version; by default the next number.
  /// - Throws: ``ModelLoadingError`` for faults of the current version, or ``ModelConversionError``.
  package init(of bundle: ModelBundle, named name: String? = nil) throws {
    guard let kind = BundleKind(path: bundle.path), kind.isBundle, bundle.isOfFiles else {
      throw ModelConversionError(.notExtensible(path: bundle.path))
    }
    let current = bundle.currentVersion
    guard let last = bundle.versions.last, last == current else {
      throw ModelConversionError(
        .laterVersion(current: current.name, last: bundle.versions.last?.name ?? "")
      )
    }
    let model = try bundle.load(current).model
    let hashes = model.versionHashes()
    let name = name ?? Self.name(after: current.name, in: kind.form)
    let file = try bundle.path(ofNewVersion: name, kind)
    form = kind.form
    path = bundle.path
    self.name = name
    source = current.name
    sourceChecksum = hashes.checksum
    let text = try Self.text(of: current, model, kind.form, [VersionBase(hashes)])
    files =
      [ModelConversion.File(path: file, text: text)]
      + (try kind.form.order(of: bundle.versions.map(\.name), adding: name, in: bundle.path))
  }

  /// Writes the files.
  ///
  /// - Throws: The error of the file system.
  public func write() throws(ModelConversionError) {
    for file in files {
      do {
        try ModelFile.write(Array(file.text.utf8), to: file.path)
      } catch {
        throw ModelConversionError(error.conversionFact)
      }
    }
  }

  /// Returns the text of the new version: that of its source, with comments and layout, and with the
  /// base where the form has a place for it.
  private static func text(
    of source: ModelVersion,
    _ model: ManagedObjectModel,
    _ form: ModelForm,
    _ bases: [VersionBase]
  ) throws -> String {
    switch form {
    case .xcode:
      let path = FilePath.join(source.path, "contents")
      return String(decoding: try ModelLoader.bytes(of: path), as: UTF8.self)
    case .yaml:
      let text = String(decoding: try ModelLoader.bytes(of: source.path), as: UTF8.self)
      // Braces around all keys leave no line for another one.
      return try YAMLBases.text(text, madeFrom: bases)
        ?? form.text(of: model, named: source.name, madeFrom: bases)
    }
  }

  /// Returns the name after another one: with the next number at its end.
  static func name(after name: String, in form: ModelForm) -> String {
    var digits = Array(
      name.utf8.reversed().prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    )
    guard !digits.isEmpty else {
      switch form {
      case .xcode: return "\(name) 2"
      case .yaml: return "\(name)-2"
      }
    }
    let stem = String(decoding: name.utf8.dropLast(digits.count), as: UTF8.self)
    for index in digits.indices {
      guard digits[index] == UInt8(ascii: "9") else {
        digits[index] += 1
        return stem + String(decoding: digits.reversed(), as: UTF8.self)
      }
      digits[index] = UInt8(ascii: "0")
    }
    return stem + "1" + String(decoding: digits, as: UTF8.self)
  }
}
