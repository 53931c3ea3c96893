import Diagnostics

/// Loads single model files.
public enum ModelLoader {
  /// Loads the model in a file: `contents` of an `.xcdatamodel`, that folder itself, or our YAML.
  ///
  /// - Throws: Every complaint about the file.
  public static func load(_ path: String) throws(ModelLoadingError) -> LoadedModel {
    let path = FilePath.withoutTrailingSlashes(path)
    switch FilePath.split(FilePath.name(of: path)).suffix {
    case "yaml", "yml":
      return try load(yaml: bytes(of: path), path: path)
    case "xcdatamodel":
      let contents = FilePath.join(path, "contents")
      if ModelFile.kind(of: contents) == nil {
        try refuseBinary(path)
      }
      return try load(xml: bytes(of: contents), path: contents)
    default:
      return try load(xml: bytes(of: path), path: path)
    }
  }

  /// Loads a model from Xcode's XML.
  ///
  /// - Parameters:
  ///   - xml: The bytes of the file.
  ///   - path: The path that locations show.
  /// - Returns: The model with the places of its parts.
  /// - Throws: Every complaint about the file.
  public static func load(
    xml: [UInt8],
    path: String
  ) throws(ModelLoadingError) -> LoadedModel {
    let source = try SourceText(path: path, validating: xml)
    let root = try XMLTree.parse(source, allowsDocumentType: false)
    return try XcodeModelReader.read(root, of: source).interpreted(in: source)
  }

  /// Loads a model from our YAML.
  ///
  /// - Parameters:
  ///   - yaml: The bytes of the file.
  ///   - path: The path that locations show.
  /// - Returns: The model with the places of its parts.
  /// - Throws: Every complaint about the file.
  public static func load(
    yaml: [UInt8],
    path: String
  ) throws(ModelLoadingError) -> LoadedModel {
    let source = try SourceText(path: path, validating: yaml)
    let root = try YAMLTree.parse(source)
    return try YAMLModelReader.read(root, of: source).validated(in: source)
  }

  static func bytes(of path: String) throws(ModelLoadingError) -> [UInt8] {
    do {
      return try ModelFile.read(path)
    } catch {
      throw ModelLoadingError(error.diagnostic)
    }
  }

  private static func refuseBinary(_ path: String) throws(ModelLoadingError) {
    guard ModelFile.kind(of: FilePath.join(path, "elements")) != nil else { return }
    throw ModelLoadingError(
      Diagnostic(
        "model \"\(path)\" is in the binary format of Xcode 3",
        detail: "It has a file \"elements\" but no file \"contents\".",
        hint: "Open the model in Xcode 4 or later and save it."
      )
    )
  }
}
