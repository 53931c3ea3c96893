public import Diagnostics
public import ObjectModel

/// The versions of a model: Xcode's `.xcdatamodeld`, our `.remodel`, or a single file.
///
/// ```swift
/// let bundle = try ModelBundle(at: "Shop.remodel")
/// let loaded = try bundle.load(bundle.currentVersion)
/// ```
///
/// Finding the versions does not read them.
public struct ModelBundle: Sendable {
  /// The name of the model: that of the bundle, without its extension.
  public let name: String
  /// The path of the bundle.
  public let path: String
  /// The versions, oldest first.
  public let versions: [ModelVersion]
  /// The version that applications work with now.
  public let currentVersion: ModelVersion
  /// The warnings about the bundle.
  public let warnings: [Diagnostic]

  /// The models.
  let content: Content

  enum Content: Sendable {
    case files
    /// Nowhere: they are here, by the paths of their versions, with their mapping models.
    case models([String: ManagedObjectModel], [LoadedMapping])
    /// In other bundles, each with a part of the whole.
    case parts([ModelBundle])
    /// In other bundles, each at a version of its own.
    case combination([ModelBundle])
  }

  /// A Boolean value that indicates whether the bundle is in the file system as a whole.
  package var isOfFiles: Bool {
    switch content {
    case .files: true
    case .models, .parts, .combination: false
    }
  }

  init(
    name: String,
    path: String,
    versions: [ModelVersion],
    currentVersion: ModelVersion,
    warnings: [Diagnostic],
    content: Content
  ) {
    self.name = name
    self.path = path
    self.versions = versions
    self.currentVersion = currentVersion
    self.warnings = warnings
    self.content = content
  }

  /// Finds the bundle at a path.
  ///
  /// - Parameter path: A bundle, a single model file, or a folder that holds exactly one bundle.
  /// - Throws: ``ModelLoadingError`` of the kind `noBundle` if there is none or more than one.
  public init(at path: String) throws(ModelLoadingError) {
    let path = try Self.bundlePath(FilePath.withoutTrailingSlashes(path))
    let name = FilePath.name(of: path)
    let (stem, suffix) = FilePath.split(name)
    let listing: BundleListing
    switch suffix {
    case "xcdatamodeld": listing = try XcodeBundle.list(path)
    case "remodel": listing = try YAMLBundle.list(path)
    default: listing = BundleListing(single: ModelVersion(name: stem, path: path))
    }
    self.init(
      name: stem,
      path: path,
      versions: listing.versions,
      currentVersion: listing.currentVersion,
      warnings: listing.warnings,
      content: .files
    )
  }

  /// Returns the version of a name.
  public func version(named name: String) -> ModelVersion? {
    versions.first { $0.name == name } ?? (isCombination ? combination(named: name) : nil)
  }

  /// Loads a version.
  ///
  /// - Throws: Every complaint about its file.
  public func load(_ version: ModelVersion) throws(ModelLoadingError) -> LoadedModel {
    switch content {
    case .files: break
    case .models(let models, _):
      guard let model = models[version.path] else { break }
      return LoadedModel(
        model: model,
        bases: [],
        locations: ModelLocations(at: version.path),
        warnings: []
      )
    case .parts(let parts):
      if versions.contains(version) {
        let present = parts.compactMap { part in
          self.version(of: part, in: version.name).map { (part, $0) }
        }
        return try Self.merged(present, as: version)
      }
      if let part = parts.first(where: { $0.versions.contains(version) }) {
        return try part.load(version)
      }
    case .combination(let parts):
      if let components = components(of: version.name), combination(named: version.name) == version
      {
        return try Self.merged(Array(zip(parts, components)), as: version)
      }
      if let part = parts.first(where: { $0.versions.contains(version) }) {
        return try part.load(version)
      }
    }
    return try ModelLoader.load(version.path)
  }

  // MARK: - Finding the bundle

  private static let folderSuffixes: Set = ["xcdatamodeld", "remodel", "xcdatamodel"]

  /// Returns the path if it is a bundle's, else the path of the one bundle in it.
  private static func bundlePath(_ path: String) throws(ModelLoadingError) -> String {
    guard let kind = ModelFile.kind(of: path) else {
      throw noBundle("there is no model at \"\(path)\"", advice: waysToModel)
    }
    let suffix = FilePath.split(FilePath.name(of: path)).suffix
    if compiledSuffixes.contains(suffix) { throw compiled("\"\(path)\" is a compiled model") }
    if suffix == "xcmappingmodel" {
      throw noBundle(
        "\"\(path)\" is a mapping model, not a model",
        advice: "Name the .xcdatamodeld folder whose versions it maps."
      )
    }
    guard kind == .directory else {
      let folder = FilePath.folder(of: path)
      if kind == .file, FilePath.name(of: path) == "contents",
        FilePath.split(FilePath.name(of: folder)).suffix == "xcdatamodel"
      {
        return folder
      }
      if kind == .file, suffix == "yaml" || suffix == "yml" { return path }
      throw noBundle(
        "\"\(path)\" is not a model",
        advice: "Name an .xcdatamodeld or .remodel folder, an .xcdatamodel folder or a .yaml file."
      )
    }
    if folderSuffixes.contains(suffix) { return path }
    let names = try entries(of: path)
    let candidates =
      names.filter { folderSuffixes.contains(FilePath.split($0).suffix) }
      .map { FilePath.join(path, $0) }
      .filter { ModelFile.kind(of: $0) == .directory }
      .sorted(by: naturallyPrecedes)
    if candidates.count == 1 { return candidates[0] }
    guard !candidates.isEmpty else {
      if names.contains(where: { compiledSuffixes.contains(FilePath.split($0).suffix) }) {
        throw compiled("folder \"\(path)\" holds only compiled models")
      }
      throw noBundle(
        "folder \"\(path)\" holds no model",
        detail: "Models are folders whose names end in .xcdatamodeld, .remodel or .xcdatamodel.",
        advice: waysToModel
      )
    }
    let list = candidates.map { "\"\($0)\"" }.joined(separator: ", ")
    throw noBundle(
      "folder \"\(path)\" holds \(candidates.count) models",
      detail: "They are \(list).",
      advice: "Name one of them, or several if they are to be merged."
    )
  }

  private static let compiledSuffixes: Set = ["mom", "momd", "omo"]

  private static func compiled(_ message: String) -> ModelLoadingError {
    noBundle(
      message,
      advice: "Name the .xcdatamodeld or .xcdatamodel folder that it was compiled from."
    )
  }

  private static let waysToModel: Sentences = """
    Write a first model with \(CommandCall("init")). Derive one from the tables of a database with \
    \(CommandCall("adopt", options: ["--write"])). Or name the path of yours with --models.
    """

  private static func noBundle(
    _ message: String,
    detail: String? = nil,
    advice: Sentences
  ) -> ModelLoadingError {
    ModelLoadingError(.noBundle, [Diagnostic(message, detail: detail, advice: advice)])
  }

  private static func entries(of path: String) throws(ModelLoadingError) -> [String] {
    do {
      return try ModelFile.entries(of: path)
    } catch {
      throw ModelLoadingError(.noBundle, [error.diagnostic])
    }
  }
}

extension ModelBundle {
  /// Returns the bundle under another name, by which databases record it.
  package func named(_ name: String) -> ModelBundle {
    ModelBundle(
      name: name,
      path: path,
      versions: versions,
      currentVersion: currentVersion,
      warnings: warnings,
      content: content
    )
  }

  /// Creates a bundle of models in memory, like the source and destination models of a migration
  /// manager.
  ///
  /// ```swift
  /// let bundle = try ModelBundle(
  ///   name: "Shop",
  ///   versions: ["1": source, "2": destination],
  ///   mappings: [VersionMapping(from: "1", to: "2", mapping)]
  /// )
  /// ```
  ///
  /// - Parameters:
  ///   - name: The name of the model, by which databases record it.
  ///   - versions: The versions by the names that databases record, the oldest first; the last one
  ///     is current.
  ///   - mappings: The mapping models.
  /// - Throws: All faults of the models, and of empty or duplicate names of versions.
  public init(
    name: String,
    versions: KeyValuePairs<String, ManagedObjectModel>,
    mappings: [VersionMapping] = []
  ) throws(ModelLoadingError) {
    var complaints: [Diagnostic] = []
    var listed: [ModelVersion] = []
    var models: [String: ManagedObjectModel] = [:]
    for (versionName, model) in versions {
      let version = ModelVersion(name: versionName, path: "\(name)/\(versionName)")
      if versionName.isEmpty { complaints.append(Diagnostic("a version has no name")) }
      if models.updateValue(model, forKey: version.path) != nil {
        complaints.append(Diagnostic("version \"\(versionName)\" is there twice"))
      }
      listed.append(version)
      let location = SourceLocation(path: version.path)
      complaints += model.complaints().filter { $0.severity == .error }
        .map { $0.diagnostic(in: model, at: location) }
    }
    guard let current = listed.last else {
      throw ModelLoadingError(.noBundle, [Diagnostic("model \"\(name)\" has no versions")])
    }
    guard complaints.isEmpty else { throw ModelLoadingError(.invalid, complaints) }
    self.init(
      name: name,
      path: name,
      versions: listed,
      currentVersion: current,
      warnings: [],
      content: .models(models, mappings.map(\.loaded))
    )
  }
}
