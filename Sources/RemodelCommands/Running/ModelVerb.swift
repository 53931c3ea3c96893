import RemodelKit

/// A verb that needs model files only.
protocol ModelVerb: Verb {
  var modelOptions: ModelOptions { get }

  /// Returns what to go by.
  func configuration(_ environment: CommandEnvironment) throws -> RemodelConfiguration

  /// Does the work.
  func result(_ remodel: Remodel) throws -> VerbResult
}

extension ModelVerb {
  func result(_ call: Call) async throws -> VerbResult {
    try result(Remodel(configuration(call.environment)))
  }

  func configuration(_ environment: CommandEnvironment) throws -> RemodelConfiguration {
    var configuration = RemodelConfiguration()
    try modelOptions.apply(to: &configuration, environment)
    return configuration
  }
}
