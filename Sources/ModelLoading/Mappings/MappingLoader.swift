import Diagnostics

/// Loads mapping model files.
public enum MappingLoader {
  /// Loads a mapping model.
  ///
  /// - Throws: Every complaint about the file.
  public static func load(_ file: MappingFile) throws(MappingLoadingError) -> LoadedMapping {
    switch file.form {
    case .yaml:
      return try load(yaml: bytes(of: file.path), name: file.name, path: file.path)
    case .xcode:
      let contents = contents(of: file)
      let draft = try load(xml: bytes(of: contents), name: file.name, path: contents)
      return LoadedMapping(draft, path: file.path)
    }
  }

  /// Loads a mapping model from our YAML.
  ///
  /// - Parameters:
  ///   - yaml: The bytes of the file.
  ///   - name: The name of the mapping model.
  ///   - path: The path that locations show.
  /// - Returns: The mapping model with the places of its parts.
  /// - Throws: Every complaint about the file.
  public static func load(
    yaml: [UInt8],
    name: String,
    path: String
  ) throws(MappingLoadingError) -> LoadedMapping {
    let source: SourceText
    let root: YAMLNode
    do {
      source = try SourceText(path: path, validating: yaml)
      root = try YAMLTree.parse(source)
    } catch {
      throw MappingLoadingError(error.diagnostics)
    }
    return try YAMLMappingReader.read(root, of: source).loaded(named: name, path: path, in: source)
  }

  /// Loads a mapping model from Xcode's XML.
  ///
  /// - Parameters:
  ///   - xml: The bytes of the file.
  ///   - name: The name of the mapping model.
  ///   - path: The path that the mapping model shows.
  /// - Returns: The mapping model with the places of its parts.
  /// - Throws: Every complaint about the file.
  public static func load(
    xml: [UInt8],
    name: String,
    path: String
  ) throws(MappingLoadingError) -> LoadedMapping {
    let source: SourceText
    let root: XMLElement
    do {
      source = try SourceText(path: path, validating: xml)
      root = try XMLTree.parse(source, allowsDocumentType: true)
    } catch {
      throw MappingLoadingError(error.diagnostics)
    }
    return try XcodeMappingReader.read(root, of: source).loaded(named: name, path: path, in: source)
  }

  /// Returns the XML of a mapping model of Xcode's, which is a folder.
  private static func contents(of file: MappingFile) -> String {
    guard ModelFile.kind(of: file.path) == .directory else { return file.path }
    return FilePath.join(file.path, "xcmapping.xml")
  }

  private static func bytes(of path: String) throws(MappingLoadingError) -> [UInt8] {
    do {
      return try ModelFile.read(path)
    } catch {
      throw MappingLoadingError(error.diagnostic)
    }
  }
}
