package import ObjectModel

/// Models as the files to be written for them.
///
/// Existing files stay unchanged; only missing ones are written.
public struct ModelExport: Hashable, Sendable {
  /// A version that is to be in a file.
  package struct Version: Hashable, Sendable {
    /// The name.
    package let name: String
    /// The model.
    package let model: ManagedObjectModel

    /// Creates a version.
    package init(name: String, model: ManagedObjectModel) {
      self.name = name
      self.model = model
    }
  }

  /// The form of the files.
  public let form: ModelForm
  /// The path of the bundle, or of the only version.
  public let path: String
  /// The names of the versions that are to be written, the oldest first.
  public let written: [String]
  /// The names of the versions whose files exist.
  public let unchanged: [String]
  /// The files, those of the versions first.
  public let files: [ModelConversion.File]

  /// Determines the files to write.
  ///
  /// - Parameters:
  ///   - versions: The versions, the oldest first.
  ///   - current: The current version, unless existing files say otherwise.
  ///   - path: A bundle, a model file for a single version, or a folder for a bundle.
  ///   - asked: The requested form; by default that of the path's extension, or YAML.
  ///   - modelName: The name of a new bundle in a folder.
  ///   - isSame: Returns whether an existing file contains the model of a version.
  /// - Throws: ``ModelConversionError`` if the files cannot be written, or ``ModelLoadingError``.
  package init(
    of versions: [Version],
    current: String,
    to path: String,
    form asked: ModelForm?,
    modelName: String,
    isSame: (_ file: ModelVersion, _ version: Version) -> Bool
  ) throws {
    let (path, kind) = try Self.target(path, asked, modelName)
    guard kind.isBundle || versions.count <= 1 else {
      throw ModelConversionError(.severalVersions(path: path, count: versions.count))
    }
    self.path = path
    form = kind.form
    let present = ModelFile.kind(of: path) == nil ? nil : try? ModelBundle(at: path)
    var written: [String] = []
    var unchanged: [String] = []
    var files: [ModelConversion.File] = []
    var differing: [String] = []
    for version in versions {
      guard !version.name.isEmpty, !version.name.utf8.contains(UInt8(ascii: "/")),
        version.name.utf8.first != UInt8(ascii: ".")
      else {
        throw ModelConversionError(.unusableName(version: version.name))
      }
      let file = kind.path(of: version.name, in: path)
      let existing = kind.isBundle ? present?.version(named: version.name) : present?.versions.first
      if let existing, isSame(existing, version) {
        unchanged.append(version.name)
      } else if existing != nil || ModelFile.kind(of: file) != nil {
        differing.append(existing?.path ?? file)
      } else {
        written.append(version.name)
        let text = try kind.form.text(of: version.model, named: version.name)
        files.append(ModelConversion.File(path: file, text: text))
      }
    }
    guard differing.isEmpty else { throw ModelConversionError(.differ(paths: differing)) }
    if kind.isBundle, !written.isEmpty {
      files += try kind.form.order(
        of: Self.merged(versions.map(\.name), into: present?.versions.map(\.name) ?? []),
        current: present?.currentVersion.name ?? current,
        in: path
      )
    }
    self.written = written
    self.unchanged = unchanged
    self.files = files
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

  private static func target(
    _ path: String,
    _ form: ModelForm?,
    _ modelName: String
  ) throws(ModelConversionError) -> (String, BundleKind) {
    let path = FilePath.withoutTrailingSlashes(path)
    guard let kind = BundleKind(path: path) else {
      let kind = BundleKind(bundleIn: form ?? .yaml)
      return (FilePath.join(path, "\(modelName).\(kind.rawValue)"), kind)
    }
    if let form, kind.form != form { throw ModelConversionError(.otherForm(path: path, form)) }
    return (path, kind)
  }

  /// Merges names into an existing order, each new one before its successor.
  private static func merged(_ names: [String], into present: [String]) -> [String] {
    var merged = present
    for (index, name) in names.enumerated() where !merged.contains(name) {
      let successor = names[(index + 1)...].first { merged.contains($0) }
      let position = successor.flatMap { merged.firstIndex(of: $0) }
      merged.insert(name, at: position ?? merged.endIndex)
    }
    return merged
  }
}
