import ArgumentParser
import RemodelKit

/// The verb `remodel verify`.
struct VerifyCommand: DatabaseVerb {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Compare a database with the version that it is at; end with 2 if it has drifted.",
    discussion: "Changes nothing, and needs no rights but to connect."
  )

  @Flag(
    name: .long,
    help: "Read all rows, too, for what no constraint says: kinds, counts, places, derived values."
  )
  var rows = false

  @OptionGroup(title: "Database")
  var connectionOptions: ConnectionOptions
  @OptionGroup(title: "Schema")
  var schemaOptions: SchemaOptions
  @OptionGroup(title: "Models")
  var modelOptions: ModelOptions
  @OptionGroup(title: "Locks")
  var lockOptions: LockOptions
  @OptionGroup(title: "Output")
  var outputOptions: OutputOptions
  @OptionGroup(title: "Logs")
  var logOptions: LogOptions

  func configuration(_ environment: CommandEnvironment) throws -> RemodelConfiguration {
    var configuration = RemodelConfiguration()
    try connectionOptions.apply(to: &configuration, environment)
    try schemaOptions.apply(to: &configuration, environment)
    try modelOptions.apply(to: &configuration, environment)
    try lockOptions.apply(to: &configuration, environment)
    return configuration
  }

  func result(_ remodel: Remodel, _ database: ConnectionSource) async throws -> VerbResult {
    let report = try await remodel.verify(database, asksRows: rows)
    return VerbResult(report: report, status: report.isClean ? .success : .difference)
  }
}
