internal import Diagnostics

/// A mapping model by its file, not read yet: our `NAME.mapping.yaml` or Xcode's `.xcmappingmodel`.
public struct MappingFile: Hashable, Sendable {
  /// The form of a file.
  public enum Form: Hashable, Sendable {
    case yaml
    case xcode
  }

  /// The name: that of the file, without its extensions.
  public let name: String
  /// The file, or the folder of Xcode's.
  public let path: String
  /// The form.
  public let form: Form

  /// Creates a file if its path ends as that of a mapping model does.
  public init?(path: String) {
    let path = FilePath.withoutTrailingSlashes(path)
    let fileName = FilePath.name(of: path)
    let (stem, suffix) = FilePath.split(fileName)
    switch suffix {
    case "yaml", "yml":
      let (name, kind) = FilePath.split(stem)
      guard kind == "mapping" else { return nil }
      self.name = name
      form = .yaml
    case "xcmappingmodel":
      name = stem
      form = .xcode
    default: return nil  // Extensions are no closed set.
    }
    self.path = path
  }

  /// Finds the mapping models of a bundle: in it and beside it, or at another path and below.
  ///
  /// - Parameters:
  ///   - bundle: The bundle.
  ///   - path: A mapping model, or a folder in place of the bundle's.
  /// - Returns: The files in the natural order of their names, in which several between the same
  ///   versions run.
  /// - Throws: The fault of the path.
  public static func files(
    of bundle: ModelBundle,
    at path: String? = nil
  ) throws(ModelLoadingError) -> [MappingFile] {
    let files: [MappingFile]
    if path == nil, !bundle.isOfFiles { return [] }
    if let path {
      let path = FilePath.withoutTrailingSlashes(path)
      guard let kind = ModelFile.kind(of: path) else {
        throw ModelLoadingError(.noBundle, [Diagnostic("there is no mapping model at \"\(path)\"")])
      }
      if let file = MappingFile(path: path) { return [file] }
      guard kind == .directory else {
        throw ModelLoadingError(
          .noBundle,
          [
            Diagnostic(
              "\"\(path)\" is not a mapping model",
              hint: "Name a folder, a file NAME.mapping.yaml or an .xcmappingmodel."
            )
          ]
        )
      }
      files = try below(path, depth: 0)
    } else {
      let isFolder = ModelFile.kind(of: bundle.path) == .directory
      files =
        try (isFolder ? inside(bundle.path) : []) + inside(FilePath.folder(of: bundle.path))
    }
    return files.sorted { first, second in
      first.name == second.name
        ? first.path < second.path : naturallyPrecedes(first.name, second.name)
    }
  }

  private static let depthLimit = 16

  private static func inside(_ folder: String) throws(ModelLoadingError) -> [MappingFile] {
    try names(in: folder).compactMap { MappingFile(path: FilePath.join(folder, $0)) }
  }

  private static func below(
    _ folder: String,
    depth: Int
  ) throws(ModelLoadingError) -> [MappingFile] {
    var files: [MappingFile] = []
    for name in try names(in: folder) {
      let path = FilePath.join(folder, name)
      if let file = MappingFile(path: path) {
        files.append(file)
      } else if depth < depthLimit, ModelFile.kind(of: path) == .directory {
        files += try below(path, depth: depth + 1)
      }
    }
    return files
  }

  private static func names(in folder: String) throws(ModelLoadingError) -> [String] {
    do {
      return try ModelFile.entries(of: folder).filter { !$0.hasPrefix(".") }.sorted()
    } catch {
      throw ModelLoadingError(error.diagnostic)
    }
  }
}
