import ArgumentParser
import RemodelKit

/// The verb `remodel model diagram`.
struct ModelDiagramCommand: ModelVerb {
  static let configuration = CommandConfiguration(
    commandName: "diagram",
    abstract: "Draw the entities of a version.",
    discussion: "The forms are mermaid (the default), dot for Graphviz, svg, and json."
  )
  static let formats: [OutputFormat] = [.mermaid, .dot, .svg, .json]

  @Argument(help: "The version. (default: the current one)")
  var version: String?

  @OptionGroup(title: "Models")
  var modelOptions: ModelOptions
  @OptionGroup(title: "Output")
  var outputOptions: OutputOptions
  @OptionGroup(title: "Logs")
  var logOptions: LogOptions

  func result(_ remodel: Remodel) throws -> VerbResult {
    let version = try remodel.version(version)
    return VerbResult(
      report: DiagramReport(
        version: version.reference,
        diagram: EntityDiagram(of: version.model)
      ),
      warnings: version.warnings
    )
  }
}
