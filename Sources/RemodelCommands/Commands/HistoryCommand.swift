import ArgumentParser
import RemodelKit

/// The verb `remodel history`.
struct HistoryCommand: StoreVerb {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "Show who migrated a database, when, from where to where, and what came of it."
  )

  @Flag(name: .long, help: "Show the SQL of each migration and its error, too.")
  var sql = false

  @OptionGroup(title: "Database")
  var connectionOptions: ConnectionOptions
  @OptionGroup(title: "Schema")
  var schemaOptions: SchemaOptions
  @OptionGroup(title: "Models")
  var modelOptions: ModelOptions
  @OptionGroup(title: "Output")
  var outputOptions: OutputOptions
  @OptionGroup(title: "Logs")
  var logOptions: LogOptions

  func result(_ remodel: Remodel, _ database: ConnectionSource) async throws -> VerbResult {
    VerbResult(report: HistoryReport(entries: try await remodel.history(database), showsSQL: sql))
  }
}
