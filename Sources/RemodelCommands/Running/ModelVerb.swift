import RemodelKit

/// A verb that needs model files only.
protocol ModelVerb: Verb {
  var modelOptions: ModelOptions { get }

  /// Does the work.
  func result(_ remodel: Remodel) throws -> VerbResult
}

extension ModelVerb {
  func result(_ call: Call) async throws -> VerbResult {
    var configuration = RemodelConfiguration()
    try modelOptions.apply(to: &configuration, call.environment)
    return try result(Remodel(configuration))
  }
}
