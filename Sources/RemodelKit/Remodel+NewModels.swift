public import ModelLoading

extension Remodel {
  // MARK: - New models

  /// Creates a first model at the path of the configuration: a bundle with one version, to be edited.
  ///
  /// - Parameter name: The name of the model; by default that of the path, or of the working
  ///   directory.
  /// - Returns: The files, not yet written.
  /// - Throws: An error if there is a model already, or no model can be there.
  public func newModel(named name: String? = nil) throws -> ModelConversion {
    let path = configuration.modelsPath
    guard let place = ModelPlace(at: path, databaseName: name ?? ModelPlace.usualName) else {
      throw RemodelError(.notABundle(path: path))
    }
    return try ModelConversion(firstAt: place, named: name)
  }

  /// Creates a version of the bundle as a copy of the current one.
  ///
  /// - Parameter name: The name of the version; by default the next number.
  /// - Returns: The files, not yet written.
  /// - Throws: The faults of the current version, or the obstacle.
  public func newVersion(named name: String? = nil) throws -> NextVersion {
    try NextVersion(of: VersionCatalog(configuration).bundle, named: name)
  }
}
