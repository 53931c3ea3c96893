package import ObjectModel

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
  ///   - version: The version, if not all of them.
  ///   - path: The path of the result, whose extension selects the form: `.xcdatamodeld` or
  ///     `.remodel`, for a single version also `.xcdatamodel` or `.yaml`.
  /// - Throws: ``ModelLoadingError`` for faults of the files, or ``ModelConversionError``.
  package init(
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
      let loaded = try bundle.load(version)
      let text = try form.text(of: loaded.model, named: version.name, madeFrom: loaded.bases)
      files.append(File(path: kind.path(of: version.name, in: path), text: text))
    }
    if kind.isBundle {
      files += try kind.form.order(of: chosen.map(\.name), current: current.name, in: path)
    }
    self.files = files
  }

  /// Writes the files.
  ///
  /// - Parameter replacesFiles: Whether to overwrite existing files.
  /// - Throws: An error with the existing files, or that of the file system.
  public func write(replacing replacesFiles: Bool) throws {
    if let file = files.first(where: { ModelFile.kind(of: $0.path) != nil }), !replacesFiles {
      throw ModelConversionError(.exists(path: file.path))
    }
    try refuseOtherVersions()
    try Self.write(files)
  }

  /// Writes files.
  ///
  /// - Parameter files: The files.
  /// - Throws: The error of the file system.
  package static func write(_ files: [File]) throws(ModelConversionError) {
    for file in files {
      do {
        try ModelFile.write(Array(file.text.utf8), to: file.path)
      } catch {
        throw ModelConversionError(error.conversionFact)
      }
    }
  }

  /// Remaining files of another model would be taken for versions of this one.
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

extension ModelConversion {
  /// Creates the files of a new model, as the only version of a bundle.
  ///
  /// - Parameters:
  ///   - model: A model without errors.
  ///   - version: The name of the version.
  ///   - path: The path of the bundle, which ends in `.remodel`.
  /// - Throws: ``ModelConversionError`` if the form cannot express a part of the model.
  package init(
    of model: ManagedObjectModel,
    named version: String,
    to path: String
  ) throws(ModelConversionError) {
    let text = try ModelForm.yaml.text(of: model, named: version)
    form = .yaml
    self.path = path
    versions = [version]
    currentVersion = version
    files = [File(path: FilePath.join(path, "\(version).yaml"), text: text)]
  }

  /// A Boolean value that indicates whether the files exist with the same text, and no other
  /// version.
  package var isWritten: Bool {
    guard let present = try? ModelBundle(at: path), present.versions.map(\.name) == versions else {
      return false
    }
    return files.allSatisfy { file in
      (try? ModelFile.read(file.path)) == Array(file.text.utf8)
    }
  }
}

/// The place for a model derived from a database.
package struct ModelPlace: Hashable, Sendable {
  /// The path of the bundle.
  package let path: String
  /// The name of the model.
  package let modelName: String

  /// Finds the place.
  ///
  /// - Parameters:
  ///   - path: The bundle, or its folder.
  ///   - databaseName: The name of a new model in a folder.
  package init?(at path: String, databaseName: String) {
    let path = FilePath.withoutTrailingSlashes(path)
    let (stem, suffix) = FilePath.split(FilePath.name(of: path))
    if suffix == "remodel" {
      self.path = path
      modelName = stem
      return
    }
    guard !["xcdatamodeld", "xcdatamodel", "yaml", "yml"].contains(suffix),
      ModelFile.kind(of: path) ?? .directory == .directory
    else { return nil }
    if let present = try? ModelBundle(at: path) {
      self.path = present.path
      modelName = present.name
      return
    }
    let scalars = databaseName.unicodeScalars.map { $0 == "/" ? "_" : $0 }
    modelName = String(String.UnicodeScalarView(scalars))
    self.path = FilePath.join(path, "\(modelName).remodel")
  }

  /// A Boolean value that indicates whether a file or folder exists there.
  package var isTaken: Bool { ModelFile.kind(of: path) != nil }
}
