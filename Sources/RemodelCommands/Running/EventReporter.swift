import Logging
import RemodelKit
import Synchronization

/// Tells on standard error what happens while a verb runs.
final class EventReporter: Sendable {
  private let logger: Logger
  private let format: LogFormat
  private let style: TextStyle
  private let showsStatements: Bool
  private let showsDecisions: Bool
  private let progress: ProgressLine?
  private let copyReporter = CopyReporter()
  private let hasToldOfWaiting = Mutex(false)

  init(
    _ options: LogOptions,
    _ environment: CommandEnvironment,
    style: TextStyle
  ) throws(UsageError) {
    let format = try options.format(environment)
    let asked = try options.level(environment)
    let level = options.debugSql ? min(asked, .debug) : asked
    self.format = format
    self.style = style
    showsStatements = options.debugSql
    showsDecisions = options.debugMigration
    let hasProgress =
      !options.noProgress && !options.debugSql && format == .text
      && TextFile.standardError.isTerminal && environment["TERM"] != "dumb"
    progress = hasProgress ? ProgressLine() : nil
    logger = Logger(label: "remodel") { _ in
      StandardErrorLogHandler(level: level, format: format, style: style)
    }
  }

  /// Tells of an event.
  func report(_ event: MigrationEvent) {
    switch event {
    case .statement, .copied, .caughtUp, .fallingBehind, .compared, .throttled: break
    case .stepPlanned, .stepStarted, .stepEnded, .waitingForTurn, .retrying, .connectionLost,
      .jobStarted, .jobMoved,
      .cleanedUp, .lateWorkStarted, .lateWorkEnded, .waitingForOthers:
      progress?.clear()
    }
    switch event {
    case .stepPlanned(let step):
      explain([step])
    case .stepStarted(let source, let destination, let statementCount):
      logger.info(
        "step started",
        metadata: [
          "from": "\(source ?? "empty")", "to": "\(destination)", "statements": "\(statementCount)",
        ]
      )
      progress?.begin("\(versionName(source)) -> \(versionName(destination))")
    case .stepEnded(let source, let destination, let duration):
      logger.info(
        "step ended",
        metadata: [
          "from": "\(source ?? "empty")", "to": "\(destination)", "duration": "\(duration.brief)",
        ]
      )
    case .cleanedUp(let reasons, let duration):
      logger.info(
        "cleaned up",
        metadata: [
          "what": "\(reasons.joined(separator: "; "))", "duration": "\(duration.brief)",
        ]
      )
    case .waitingForTurn:
      // The turn is asked for again and again.
      let isFirst = hasToldOfWaiting.withLock { told in
        defer { told = true }
        return !told
      }
      if isFirst { logger.notice("waiting for another migrator of this store") }
    case .retrying(let sqlState, let attempt, let pause):
      var metadata: Logger.Metadata = ["sqlstate": "\(sqlState)", "attempt": "\(attempt)"]
      if pause > .zero { metadata["pause"] = "\(pause.brief)" }
      logger.notice("attempt given up, trying again", metadata: metadata)
    case .connectionLost(let error):
      let reason = error.diagnostics.first?.message ?? ""
      logger.notice("connection lost, waiting for the server", metadata: ["reason": "\(reason)"])
    case .lateWorkStarted(let work):
      logger.info(
        "late work started",
        metadata: ["phase": "\(work.phase.rawValue)", "work": "\(work.summary)"]
      )
      progress?.begin(work.summary)
    case .waitingForOthers(let blockers):
      logger.notice(
        "waiting for transactions of others to end",
        metadata: ["blockers": "\(blockers.map(\.description).joined(separator: "; "))"]
      )
    case .lateWorkEnded(let work, let duration):
      logger.info(
        "late work ended",
        metadata: ["work": "\(work.summary)", "duration": "\(duration.brief)"]
      )
    case .jobStarted(let id, let strategy, let isContinued):
      logger.notice(
        isContinued ? "copy job continued" : "copy job started",
        metadata: ["job": "\(id)", "strategy": "\(strategy.rawValue)"]
      )
    case .jobMoved(let state):
      logger.info("copy job moved on", metadata: ["state": "\(state.rawValue)"])
    case .copied, .caughtUp, .fallingBehind, .compared, .throttled:
      copyReporter.report(event, progress, logger)
    case .statement(let sql, let duration, let rows):
      progress?.advance()
      if showsStatements { reportStatement(sql, duration, rows) }
    }
  }

  /// Makes room for what is told in other ways.
  func endProgress() {
    progress?.clear()
  }

  /// Tells of what may not have been meant.
  func warn(_ diagnostics: [Diagnostic]) {
    for diagnostic in diagnostics where logger.logLevel <= .warning {
      switch format {
      case .text: TextFile.standardError.write(diagnostic.text(style) + "\n")
      case .json:
        var metadata: Logger.Metadata = [:]
        if let detail = diagnostic.detail { metadata["detail"] = "\(detail)" }
        if let hint = diagnostic.hint { metadata["hint"] = "\(hint)" }
        if let location = diagnostic.location { metadata["location"] = "\(location)" }
        logger.warning("\(diagnostic.message)", metadata: metadata)
      }
    }
  }

  /// Tells what inference decided, if somebody wants to know.
  func explain(_ steps: [MigrationStep]) {
    guard showsDecisions else { return }
    for step in steps {
      guard let mapping = step.mappingModel else { continue }
      let heading =
        "mapping of \(versionName(step.source?.name)) to \(versionName(step.destination.name))"
      let lines = [heading] + mapping.entityMappings.flatMap { $0.lines(indentation: 2) }
      TextFile.standardError.write(lines.map { "MAPPING:  \($0)\n" }.joined())
    }
  }

  private func reportStatement(_ sql: String, _ duration: Duration, _ rows: Int) {
    switch format {
    case .text:
      let heading = "\(style.dim("SQL:"))  \(duration.brief), \(counted(rows, "row"))"
      TextFile.standardError.write("\(heading): \(sql)\n")
    case .json:
      logger.debug(
        "statement",
        metadata: ["sql": "\(sql)", "duration": "\(duration.brief)", "rows": "\(rows)"]
      )
    }
  }
}
