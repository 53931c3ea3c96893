import ArgumentParser
import RemodelKit

/// A verb of the command line, with its options and its result.
protocol Verb: SendableMetatype {
  static var configuration: CommandConfiguration { get }
  /// The options that only this verb has.
  static var options: [CommandOption] { get }
  /// The options that it shares with other verbs, but for those of output and logs, which all have.
  static var sections: [any OptionSection.Type] { get }
  /// The forms that the result can have, the usual one first.
  static var formats: [OutputFormat] { get }
  /// Whether `--output` is where the report is written to.
  static var writesReport: Bool { get }

  /// Does the work.
  static func result(_ call: Call) async throws -> VerbResult
}

extension Verb {
  static var options: [CommandOption] { [] }
  static var formats: [OutputFormat] { OutputFormat.general }
  static var writesReport: Bool { true }
}

struct VerbResult: Sendable {
  let report: any Report
  let status: ExitStatus
  let warnings: [Diagnostic]
  let steps: [MigrationStep]

  init(
    _ report: any Report,
    status: ExitStatus = .success,
    warnings: [Diagnostic]? = nil,
    steps: [MigrationStep] = []
  ) {
    self.report = report
    self.status = status
    self.warnings = warnings ?? report.warnings
    self.steps = steps
  }
}

/// A verb as the parser takes it: its options are in the mirror, and their values are decoded.
struct Command<V: Verb>: AsyncParsableCommand, CustomReflectable, OptionTaking {
  private let given: GivenValues

  static var configuration: CommandConfiguration { V.configuration }

  private static var sections: [any OptionSection.Type] {
    V.sections + [OutputOptions<V>.self, LogOptions.self]
  }

  /// Creates the call without arguments.
  init() { given = [:] }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: OptionKey.self)
    given = try Self.sections.reduce(into: V.options.values(in: container)) {
      $0.merge(try $1.values(in: container)) { $1 }
    }
  }

  var customMirror: Mirror {
    Mirror(self, children: V.options.map(\.definition) + Self.sections.map { $0.definition })
  }

  /// Returns the settings of the call in an environment.
  func values(_ environment: CommandEnvironment) -> OptionValues {
    OptionValues(
      options: V.options + Self.sections.flatMap { $0.options },
      given: given,
      environment: environment
    )
  }

  static var optionNames: Set<String> {
    Set((V.options + sections.flatMap { $0.options }).map(\.name))
  }

  /// Does the work, writes the result or the error, and ends with the exit code.
  func run() async throws {
    TextFile.ignoreBrokenPipes()
    let options = values(.process)
    try await StoreOptions.$current.withValue(StoreOptions(options)) { try await run(options) }
  }

  private func run(_ options: OptionValues) async throws {
    let colours =
      options.setting(.noColor) == nil && options.environment["TERM"] != "dumb"
    let errorStyle = colours && TextFile.standardError.isTerminal ? TextStyle.coloured : .plain
    do {
      let format = try options.format(among: V.formats)
      let verb = V.configuration.commandName ?? ""
      let reporter = try EventReporter(options, verb: verb, style: errorStyle)
      defer { reporter.endProgress() }
      let result: VerbResult
      do {
        result = try await V.result(Call(options: options, reporter: reporter))
        reporter.endRun()
        try write(result, format, reporter, options, colours)
      } catch {
        reporter.endProgress()
        reporter.endMetrics(RunMetrics.End(error))
        throw error
      }
      reporter.endMetrics(RunMetrics.End(result))
      if result.status != .success { throw ExitCode(result.status.rawValue) }
    } catch let code as ExitCode {
      throw code
    } catch {
      let report = ErrorReport(
        error,
        showsValues: options.has(.debugSQL)
      )
      report.write(
        as: options.errorForm,
        errorStyle,
        logs: (try? options.logFormat()) ?? .text
      )
      throw ExitCode(report.status.rawValue)
    }
  }

  private func write(
    _ result: VerbResult,
    _ format: OutputFormat,
    _ reporter: EventReporter,
    _ options: OptionValues,
    _ colours: Bool
  ) throws {
    let isOfWorkflow = format.name == OutputFormat.github.name
    // A workflow has them as annotations.
    if !isOfWorkflow { reporter.warn(result.warnings) }
    reporter.explain(result.steps)
    let path = V.writesReport ? options[.output] : nil
    if isOfWorkflow {
      try WorkflowRun(options.environment).write(result.report, to: path)
    } else {
      let isColoured = colours && path == nil && TextFile.standardOutput.isTerminal
      try TextFile.writeResult(
        format.text(of: result.report, isColoured ? .coloured : .plain),
        to: path,
        for: format.reader
      )
    }
  }
}

/// One call of a verb.
struct Call: Sendable {
  let options: OptionValues
  let reporter: EventReporter
  let interruption = Interruption()

  /// The front door without a database.
  var remodel: Remodel {
    get throws { Remodel(try options.configuration()) }
  }

  /// Runs a function with the database of the options, until a signal arrives.
  func withStore(
    _ body: @escaping @Sendable (Remodel, ConnectionSource) async throws -> VerbResult
  ) async throws -> VerbResult {
    try options.readSecrets()
    let choice = try options.database()
    return try await untilSignal { [reporter] remodel in
      switch choice {
      case .source(let database): return try await body(remodel, database)
      case .scratch(let keep):
        return try await ScratchServer.withServer(keep: keep) { server in
          if keep { reporter.tellServer(server.url, stopCommand: server.stopCommand) }
          return try await body(remodel, .url(server.url))
        }
      }
    }
  }

  /// Runs a function with the stores of the options, one or many, until a signal arrives.
  ///
  /// - Parameters:
  ///   - check: Checks that the other options are allowed for many stores.
  ///   - one: The function for one store.
  ///   - many: The function for many stores.
  /// - Returns: The function's result.
  /// - Throws: The faults of the options, or the function's error.
  func withStores(
    check: (MigrationTargets) throws -> Void = { _ in },
    one: @escaping @Sendable (Remodel, ConnectionSource) async throws -> VerbResult,
    many:
      @escaping @Sendable (
        Remodel, MigrationTargets, @escaping @Sendable (TargetEvent) -> Void
      ) async throws -> TargetsSummary
  ) async throws -> VerbResult {
    if options.targetOption != nil { try options.readSecrets() }
    guard let targets = try options.targets() else { return try await withStore(one) }
    try check(targets)
    return try await untilSignal { [self] remodel in
      let reporter = TargetReporter(reporter)
      var summary = try await many(remodel, targets) { reporter.report($0) }
      if options.has(.debugSQL) { summary.showValues() }
      return VerbResult(summary, status: summary.status(interruptedBy: interruption.signal))
    }
  }

  /// Runs a function until a signal arrives.
  private func untilSignal(
    _ body: @escaping @Sendable (Remodel) async throws -> VerbResult
  ) async throws -> VerbResult {
    var configuration = try options.configuration()
    #if DEBUG
    configuration.setTrials(options.environment)
    #endif
    let remodel = Remodel(configuration, interruption: interruption) { [reporter] event in
      reporter.report(event)
    }
    let work = Task { try await body(remodel) }
    let handlers = SignalHandlers(interruption) { _ in
      work.cancel()
    } onEnd: { [reporter, options] signal in
      reporter.endProgress()
      let error = ErrorReport(Interrupted(signal: signal, at: reporter.stopText(signal), by: nil))
      error.write(
        as: .text,
        .plain,
        logs: (try? options.logFormat()) ?? .text
      )
    }
    defer { withExtendedLifetime(handlers) {} }
    do {
      return try await work.value
    } catch {
      // A signal that came too early for the migration to know of it.
      if let signal = interruption.signal {
        throw Interrupted(signal: signal, at: reporter.stopText(signal), by: error)
      }
      throw error
    }
  }
}

/// The end of a verb by a signal.
struct Interrupted: DiagnosticError {
  let signal: Int32
  let diagnostics: [Diagnostic]

  /// Creates the end of a verb.
  ///
  /// - Parameters:
  ///   - signal: The signal.
  ///   - stop: Where it has stopped the verb, and what the next run does; `nil` if nothing had begun.
  ///   - error: The error by which the verb ended; `nil` if it has not.
  init(signal: Int32, at stop: String?, by error: (any Error)?) {
    self.signal = signal
    if let stop {
      let guarding = (error as? ExecutionError)?.guardingSentence
      var diagnostic = Diagnostic(stop)
      diagnostic.detailSentences = guarding
      diagnostics = [diagnostic]
    } else if let error = error as? ExecutionError, case .interrupted = error.fact {
      diagnostics = error.diagnostics
    } else {
      diagnostics = [Diagnostic(signal == interruptSignal ? "interrupted" : "terminated")]
    }
  }
}

extension ErrorReport {
  /// The form of an error: that of the result, where a program reads it.
  enum Form {
    case text, json, github

    /// Creates the form of a call.
    ///
    /// - Parameters:
    ///   - format: The value of `--format`.
    ///   - path: The value of `--output`.
    init(_ format: String?, _ path: String?) {
      self =
        switch format {
        case OutputFormat.json.name?: .json
        case OutputFormat.github.name?: .github
        case nil where path.map(OutputFormat.json.isMeant) ?? false: .json
        case _: .text
        }
    }
  }

  /// Writes the error where errors of its form go, and to the log if that is for programs.
  func write(as form: Form, _ style: TextStyle, logs: LogFormat) {
    if case .json = logs {
      let lines = diagnostics.map { LogRecord($0, code: status).line + "\n" }
      TextFile.standardError.write(lines.joined())
    }
    let failure: String? =
      switch form {
      case .text: ""
      case .json: TextFile.standardOutput.write(document.jsonValue.text + "\n")
      case .github:
        TextFile.standardOutput.write(
          workflowCommands.text(in: Workspace(.process)),
          for: .runner
        )
      }
    // A log of JSON has it already, wherever the document is lost.
    guard failure != nil, case .text = logs else { return }
    TextFile.standardError.write(blocks.text(style) + "\n")
  }
}
