import ArgumentParser
import RemodelKit

/// The verb `remodel model export`.
struct ModelExportCommand: StoreVerb {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write the models that a database's metadata has to files.",
    discussion: """
      The database keeps the model of every version that it has been at. --output names a bundle \
      (.remodel or .xcdatamodeld), a folder that is to hold one, or with --version a single model file; \
      without it, the files go into the bundle that they have gone from. --format yaml or xcode says in \
      what form, if the path does not. A file that has the same model stays as it is; if one has \
      another, nothing is written.
      """
  )

  static var formats: [OutputFormat] { [.text, .json, .yaml, .xcode] }

  @Option(
    name: .long,
    help: ArgumentHelp("The only version to write. (default: all)", valueName: "version")
  )
  var version: String?

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

  /// The path of the output is that of the models.
  var reportPath: String? { nil }

  func result(_ remodel: Remodel, _ database: ConnectionSource) async throws -> VerbResult {
    let form: ModelForm? =
      switch outputOptions.format {
      case OutputFormat.yaml.rawValue: .yaml
      case OutputFormat.xcode.rawValue: .xcode
      case _: nil  // How it is told says nothing of the files.
      }
    let report = try await remodel.exportModels(
      database,
      version: version,
      to: outputOptions.output,
      form: form
    )
    return VerbResult(report: report)
  }
}
