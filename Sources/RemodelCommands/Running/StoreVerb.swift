import RemodelKit

/// A verb about what the metadata of a store says, which takes no options of its own for that.
protocol StoreVerb: DatabaseVerb {
  var connectionOptions: ConnectionOptions { get }
  var schemaOptions: SchemaOptions { get }
  var modelOptions: ModelOptions { get }
}

extension StoreVerb {
  func configuration(_ environment: CommandEnvironment) throws -> RemodelConfiguration {
    var configuration = RemodelConfiguration()
    try connectionOptions.apply(to: &configuration, environment)
    try schemaOptions.apply(to: &configuration, environment)
    try modelOptions.apply(to: &configuration, environment)
    return configuration
  }
}
