import ArgumentParser
import RemodelKit

/// A verb: something that comes to a result.
protocol Verb: AsyncParsableCommand {
  var outputOptions: OutputOptions { get }
  var logOptions: LogOptions { get }
  /// The forms that the result can have, the usual one first.
  static var formats: [OutputFormat] { get }

  /// The file that the result is written to; standard output if there is none.
  var reportPath: String? { get }

  /// Does the work.
  func result(_ call: Call) async throws -> VerbResult
}

/// What a verb comes to.
struct VerbResult: Sendable {
  var report: any Report
  var status: ExitStatus = .success
  var warnings: [Diagnostic] = []
  var steps: [MigrationStep] = []
}

/// The surroundings of one call.
struct Call: Sendable {
  let environment: CommandEnvironment
  let reporter: EventReporter
  let interruption = Interruption()
}

extension Verb {
  static var formats: [OutputFormat] { [.text, .json] }

  var reportPath: String? { outputOptions.output }

  /// Does the work, writes the result or the error, and ends with the exit code.
  func run() async throws {
    TextFile.ignoreBrokenPipes()
    let environment = CommandEnvironment.process
    let colours =
      !outputOptions.noColor && environment["NO_COLOR"] == nil
      && environment["TERM"] != "dumb"
    let errorStyle = TextStyle(isColoured: colours && TextFile.standardError.isTerminal)
    var errorFormat = OutputFormat.ofErrors(format: outputOptions.format, outputOptions.output)
    do {
      let format = try outputOptions.chosenFormat(among: Self.formats)
      errorFormat = format
      let reporter = try EventReporter(logOptions, environment, style: errorStyle)
      let call = Call(environment: environment, reporter: reporter)
      defer { reporter.endProgress() }
      let result = try await result(call)
      reporter.endProgress()
      reporter.warn(result.warnings)
      reporter.explain(result.steps)
      let isColoured =
        colours && reportPath == nil && TextFile.standardOutput.isTerminal
      try write(result.report, as: format, TextStyle(isColoured: isColoured))
      if result.status != .success { throw ExitCode(result.status.rawValue) }
    } catch let code as ExitCode {
      throw code
    } catch {
      let report = ErrorReport(
        error,
        status: ExitStatus(error),
        showsValues: logOptions.debugSql
      )
      let logFormat = (try? logOptions.format(environment)) ?? .text
      report.write(as: errorFormat, errorStyle, logs: logFormat)
      throw ExitCode(report.status.rawValue)
    }
  }

  private func write(
    _ report: any Report,
    as format: OutputFormat,
    _ style: TextStyle
  ) throws {
    let text =
      switch format {
      case .text, .xcode: report.text(style)
      case .json: report.jsonText
      case .sql: try (report as? PlanReport)?.scriptText ?? report.text(.plain)
      case .markdown: ((report as? PlanReport)?.markdown ?? report.text(.plain)).shown
      case .yaml: (report as? CompleteMappingReport)?.yaml ?? report.text(.plain)
      case .mermaid: ((report as? DiagramReport)?.diagram.mermaid ?? report.text(.plain)).shown
      case .dot: ((report as? DiagramReport)?.diagram.dot ?? report.text(.plain)).shown
      case .svg: (report as? DiagramReport)?.diagram.svg ?? report.text(.plain)
      case .html:
        (report as? PlanReport).map { PlanPage(report: $0).document.text } ?? report.text(.plain)
      }
    let ended = text.isEmpty || text.hasSuffix("\n") ? text : text + "\n"
    if let path = reportPath {
      try TextFile.write(ended, to: path)
    } else {
      try TextFile.writeResult(ended)
    }
  }
}

extension ErrorReport {
  /// Writes the error where errors of its form go, and to the log if that is for programs.
  func write(as format: OutputFormat, _ style: TextStyle, logs: LogFormat) {
    switch logs {
    case .json:
      let lines = diagnostics.map { LogRecord($0, code: status).line + "\n" }
      TextFile.standardError.write(lines.joined())
      // The log has it already, wherever the document is lost.
      if format == .json { TextFile.standardOutput.write(document.text + "\n") }
    case .text:
      switch format {
      case .json:
        if TextFile.standardOutput.write(document.text + "\n") != nil {
          TextFile.standardError.write(text(style) + "\n")
        }
      case .text, .sql, .markdown, .yaml, .xcode, .mermaid, .dot, .svg, .html:
        TextFile.standardError.write(text(style) + "\n")
      }
    }
  }
}
