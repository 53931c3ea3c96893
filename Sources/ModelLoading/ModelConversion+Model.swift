public import ObjectModel

extension ModelConversion {
  /// Makes the files of a model that none holds yet, as the only version of a bundle.
  ///
  /// - Parameters:
  ///   - model: A model without errors.
  ///   - version: The name of the version.
  ///   - path: Where the bundle is to be; it ends in `.remodel`.
  /// - Throws: ``ModelConversionError`` if the form has no place for something in the model.
  public init(
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

  /// A Boolean value that indicates whether the files are there with the same text, and no other version.
  public var isWritten: Bool {
    guard let present = try? ModelBundle(at: path), present.versions.map(\.name) == versions else {
      return false
    }
    return files.allSatisfy { file in
      (try? ModelFile.read(file.path)) == Array(file.text.utf8)
    }
  }
}

/// Where a model is written that is made of a database.
public struct ModelPlace: Hashable, Sendable {
  /// The path of the bundle.
  public let path: String
  /// The name of the model.
  public let modelName: String

  /// Finds the place.
  ///
  /// - Parameters:
  ///   - path: The bundle, or the folder that it is to be in.
  ///   - databaseName: What the model is called in a folder that has none.
  public init?(at path: String, databaseName: String) {
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
    modelName = databaseName.replacing("/", with: "_")
    self.path = FilePath.join(path, "\(modelName).remodel")
  }

  /// A Boolean value that indicates whether something is there already.
  public var isTaken: Bool { ModelFile.kind(of: path) != nil }
}
