/// A model in another form, as the files that it will be: nothing is written yet.
///
/// ```swift
/// let conversion = try ModelConversion(of: ModelBundle(at: "Shop.xcdatamodeld"), to: "Shop.remodel")
/// try conversion.write(replacing: false)
/// ```
public struct ModelConversion: Hashable, Sendable {
  /// The form of the files.
  public let form: ModelForm
  /// The path of the bundle, or of the only version.
  public let path: String
  /// The names of the versions, the oldest first.
  public let versions: [String]
  /// The current version's name.
  public let currentVersion: String
  /// The files, those of the versions first.
  public let files: [File]

  /// A file with its text.
  public struct File: Hashable, Sendable {
    /// The path.
    public let path: String
    /// The text.
    public let text: String
  }

  /// Converts all versions of a model, or one of them.
  ///
  /// - Parameters:
  ///   - bundle: The model.
  ///   - version: The version that is meant, where not all are.
  ///   - path: Where the model is to be; its extension says in what form: `.xcdatamodeld` or
  ///     `.remodel`, for a single version also `.xcdatamodel` or `.yaml`.
  /// - Throws: What is wrong with the files, ``ModelLoadingError``, or what stands in the way of the
  ///   conversion, ``ModelConversionError``.
  public init(
    of bundle: ModelBundle,
    version: ModelVersion? = nil,
    to path: String
  ) throws {
    let path = FilePath.withoutTrailingSlashes(path)
    let chosen = version.map { [$0] } ?? bundle.versions
    let current = version ?? bundle.currentVersion
    guard path != bundle.path, !chosen.contains(where: { $0.path == path }) else {
      throw ModelConversionError(.sameModel(path: path))
    }
    guard let kind = BundleKind(path: path) else {
      throw ModelConversionError(.unrecognizedForm(path: path))
    }
    self.path = path
    form = kind.form
    versions = chosen.map(\.name)
    currentVersion = current.name
    guard kind.isBundle || chosen.count == 1 else {
      throw ModelConversionError(.severalVersions(path: path, count: chosen.count))
    }
    var files: [File] = []
    for version in chosen {
      let model = try bundle.load(version).model
      let text = try form.text(of: model, named: version.name)
      files.append(File(path: kind.path(of: version.name, in: path), text: text))
    }
    if kind.isBundle {
      files += try kind.form.order(of: chosen.map(\.name), current: current.name, in: path)
    }
    self.files = files
  }

  /// Writes the files.
  ///
  /// - Parameter replacesFiles: Whether files that are there already are written over.
  /// - Throws: What is there already, or what the file system says.
  public func write(replacing replacesFiles: Bool) throws {
    if let file = files.first(where: { ModelFile.kind(of: $0.path) != nil }), !replacesFiles {
      throw ModelConversionError(.exists(path: file.path))
    }
    try refuseOtherVersions()
    for file in files {
      do {
        try ModelFile.write(Array(file.text.utf8), to: file.path)
      } catch {
        throw ModelConversionError(error.conversionFact)
      }
    }
  }

  /// What is left of another model would be taken for versions of this one.
  private func refuseOtherVersions() throws {
    guard BundleKind(path: path)?.isBundle == true, ModelFile.kind(of: path) != nil,
      let present = try? ModelBundle(at: path)
    else { return }
    let others = present.versions.map(\.name).filter { !versions.contains($0) }
    guard others.isEmpty else {
      throw ModelConversionError(.otherVersions(path: path, names: others))
    }
  }
}

extension ModelFileError {
  var conversionFact: ModelConversionError.Fact {
    switch self {
    case .couldNotOpen(let path, let reason), .couldNotRead(let path, let reason),
      .couldNotWrite(let path, let reason):
      .couldNotWrite(path: path, reason: reason)
    case .notAFile(let path): .couldNotWrite(path: path, reason: "it is not a regular file")
    case .tooLarge(let path, _): .couldNotWrite(path: path, reason: "it is too large")
    }
  }
}
