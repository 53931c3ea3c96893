import ArgumentParser
import RemodelKit

/// A verb that needs a database.
protocol DatabaseVerb: Verb, Sendable {
  var connectionOptions: ConnectionOptions { get }

  /// Returns what to go by.
  func configuration(_ environment: CommandEnvironment) throws -> RemodelConfiguration

  /// Does the work with a database.
  func result(_ remodel: Remodel, _ database: ConnectionSource) async throws -> VerbResult
}

extension DatabaseVerb {
  func result(_ call: Call) async throws -> VerbResult {
    try await databaseResult(call)
  }

  /// Does the work with the database that is meant, until a signal comes.
  func databaseResult(_ call: Call) async throws -> VerbResult {
    try connectionOptions.readSecrets()
    let choice = try connectionOptions.choice(call.environment)
    return try await untilSignal(call) { remodel in
      try await result(remodel, choice, call.reporter)
    }
  }

  /// Does work until a signal comes.
  func untilSignal(
    _ call: Call,
    _ body: @escaping @Sendable (Remodel) async throws -> VerbResult
  ) async throws -> VerbResult {
    var settings = try configuration(call.environment)
    #if DEBUG
    if let failpoints = Failpoints(call.environment) {
      settings.copySettings.failpoints = failpoints
    }
    settings.takesTablesForLarge = call.environment["REMODEL_LARGE_TABLES"] != nil
    if let silence = call.environment["REMODEL_SILENCE"].flatMap(Double.init) {
      settings.copySettings.silence = silence
    }
    #endif
    let configuration = settings
    let work = Task {
      let reporter = call.reporter
      let remodel = Remodel(configuration, interruption: call.interruption) { event in
        reporter.report(event)
      }
      return try await body(remodel)
    }
    let handlers = SignalHandlers(call.interruption) { _ in work.cancel() }
    defer { withExtendedLifetime(handlers) {} }
    do {
      return try await work.value
    } catch {
      // A signal that came too early for the migration to know of it.
      if let signal = call.interruption.signal { throw Interrupted(signal: signal, by: error) }
      throw error
    }
  }

  private func result(
    _ remodel: Remodel,
    _ choice: ConnectionOptions.Choice,
    _ reporter: EventReporter
  ) async throws -> VerbResult {
    switch choice {
    case .source(let database):
      return try await result(remodel, database)
    case .scratch(let keep):
      return try await ScratchServer.withServer(keep: keep) { server in
        if keep {
          reporter.tellServer(server.url, stopCommand: server.stopCommand)
        }
        return try await result(remodel, .url(server.url))
      }
    }
  }
}

/// The end of a verb by a signal.
struct Interrupted: DiagnosticError {
  /// The signal.
  let signal: Int32
  let diagnostics: [Diagnostic]

  init(signal: Int32, by error: any Error) {
    self.signal = signal
    if let error = error as? ExecutionError, case .interrupted = error.fact {
      diagnostics = error.diagnostics
    } else {
      diagnostics = [Diagnostic(signal == interruptSignal ? "interrupted" : "terminated")]
    }
  }
}
