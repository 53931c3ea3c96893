internal import Diagnostics
public import ObjectModel

extension ModelBundle {
  /// Creates a bundle of models that are at hand, as a migration manager takes a source and a
  /// destination model.
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
  ///   - name: The name of the model, which databases are recorded under.
  ///   - versions: The versions by the names that databases record, the oldest first; the last one is
  ///     the current one.
  ///   - mappings: What inference cannot know.
  /// - Throws: Every complaint about a model, and about names of versions that are empty or there
  ///   twice.
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
