import Diagnostics
internal import ObjectModel

/// Loads single model files.
public enum ModelLoader {
  /// Loads the model in a file: `contents` of an `.xcdatamodel`, that folder itself, or our YAML.
  ///
  /// - Throws: Every complaint about the file.
  public static func load(_ path: String) throws(ModelLoadingError) -> LoadedModel {
    let file = try file(of: path)
    let bytes = try bytes(of: file)
    let isYAML = ["yaml", "yml"].contains(FilePath.split(FilePath.name(of: file)).suffix)
    var loaded = try isYAML ? load(yaml: bytes, path: file) : load(xml: bytes, path: file)
    loaded.fileDigest = hexadecimalSHA256(of: bytes)
    return loaded
  }

  /// Returns a digest of the bytes of a model's file, which it does not parse.
  package static func fileDigest(_ path: String) throws(ModelLoadingError) -> String {
    hexadecimalSHA256(of: try bytes(of: file(of: path)))
  }

  /// Returns the file that holds a model: the model itself, or a file in its folder.
  private static func file(of path: String) throws(ModelLoadingError) -> String {
    let path = FilePath.withoutTrailingSlashes(path)
    guard FilePath.split(FilePath.name(of: path)).suffix == "xcdatamodel" else { return path }
    let contents = FilePath.join(path, "contents")
    if ModelFile.kind(of: contents) == nil { try refuseBinary(path) }
    return contents
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
