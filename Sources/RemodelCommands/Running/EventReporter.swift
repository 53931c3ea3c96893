import Logging
import RemodelKit
import Synchronization

/// Reports the events of a verb on standard error.
final class EventReporter: RunTicker.Listener {
  private let logger: Logger
  private let format: LogFormat
  private let style: TextStyle
  private let showsStatements: Bool
  private let showsDecisions: Bool
  /// The line that this reporter draws.
  private let progress: ProgressLine?
  /// The progress line on the terminal, which may be another object's.
  private let screen: ProgressLine?
  private let position = LogPosition()
  private let waitReporter = WaitReporter()
  /// The progress of the run, or of the store among many.
  private let record = RunRecord()
  private let ticker: RunTicker
  private let metrics: RunMetrics?
  /// The time between two lines of a log.
  private let pause: Duration
  /// The warnings that are not repeated at the end.
  private let told: Told
  /// The store that all of it is about; none if there is one only.
  private let target: String?

  /// Creates a reporter.
  ///
  /// - Parameters:
  ///   - options: The settings of the call.
  ///   - verb: The name of the verb.
  ///   - style: The style of texts.
  /// - Throws: The fault of an option.
  init(_ options: OptionValues, verb: String, style: TextStyle) throws(UsageError) {
    let format = try options.logFormat()
    let asked = try options.logLevel()
    let decisions: Logger.Level = options.has(.debugMigration) && format == .json ? .info : asked
    let level = min(asked, options.has(.debugSQL) ? .debug : decisions)
    self.format = format
    self.style = style
    showsStatements = options.has(.debugSQL)
    showsDecisions = options.has(.debugMigration)
    let hasProgress =
      !options.has(.noProgress) && !showsStatements && format == .text
      && TextFile.standardError.isTerminal && options.environment["TERM"] != "dumb"
    let progress = hasProgress ? ProgressLine() : nil
    self.progress = progress
    screen = progress
    target = nil
    told = Told()
    ticker = RunTicker()
    metrics = try options.metricsPath().map { RunMetrics(to: $0, verb: verb) }
    pause = options.environment.progressPause ?? .seconds(10)
    logger = Logger(label: "remodel") { _ in
      StandardErrorLogHandler(level: level, format: format, style: style, progress: progress)
    }
    guard let metrics else { return }
    metrics.add(nil, record)
    warnOfMetrics(metrics.writeIfDue())
    ticker.add(self)
  }

  private init(_ reporter: EventReporter, target: String) {
    var logger = reporter.logger
    logger[metadataKey: "target"] = "\(target)"
    self.logger = logger
    self.target = target
    told = reporter.told
    ticker = reporter.ticker
    metrics = reporter.metrics
    pause = reporter.pause
    format = reporter.format
    style = reporter.style
    showsStatements = reporter.showsStatements
    showsDecisions = reporter.showsDecisions
    // The line is for all of them.
    progress = nil
    screen = reporter.screen
    metrics?.add(target, record)
  }

  /// Returns a reporter for the events of one store among many.
  func of(_ target: String) -> EventReporter {
    EventReporter(self, target: target)
  }

  /// Tells of an event.
  func report(_ event: MigrationEvent) {
    if record.note(event) { ticker.add(self) }
    switch event {
    case .statement, .statementStarted, .statementProgressed, .locksHeld, .copied, .caughtUp,
      .compared, .runPlanned, .deferredWorkPlanned:
      progress?.show(line)
    case .fallingBehind, .throttled, .warned, .stepPlanned, .stepStarted, .stepEnded,
      .waitingForMigrationLock, .retrying, .connectionLost, .jobStarted, .jobMoved, .cleanedUp,
      .deferredWorkStarted, .deferredWorkEnded, .waitingForOthers:
      break
    }
    if case .stepStarted(let source, let destination, _) = event {
      position.begin(from: source, to: destination)
    }
    let logger = stepLogger
    switch event {
    case .runPlanned, .statementStarted, .statementProgressed, .locksHeld, .deferredWorkPlanned,
      .copied, .caughtUp, .compared:
      break
    case .warned(let diagnostic):
      warn([diagnostic])
      told.insert(diagnostic)
    case .stepPlanned(let step):
      explain([step])
    case .stepStarted(let source, let destination, let statementCount):
      var metadata = versions(source, destination)
      metadata["statements"] = .stringConvertible(statementCount)
      logger.info("step started", metadata: metadata)
      progress?.begin()
    case .stepEnded(let source, let destination, let duration):
      var metadata = versions(source, destination)
      metadata["duration"] = .stringConvertible(duration)
      logger.info("step ended", metadata: metadata)
      position.end()
    case .cleanedUp(let reasons, let duration):
      logger.info(
        "cleaned up",
        metadata: [
          "what": "\(reasons.joined(separator: "; "))", "duration": .stringConvertible(duration),
        ]
      )
    case .waitingForMigrationLock, .retrying, .connectionLost, .waitingForOthers, .fallingBehind,
      .throttled:
      waitReporter.report(event, logger)
    case .deferredWorkStarted(let work):
      logger.info(
        "deferred work started",
        metadata: ["phase": "\(work.phase.rawValue)", "work": "\(work.summary)"]
      )
    case .deferredWorkEnded(let work, let duration):
      logger.info(
        "deferred work ended",
        metadata: ["work": "\(work.summary)", "duration": .stringConvertible(duration)]
      )
    case .jobStarted(let id, let strategy, let isContinued):
      logger.notice(
        isContinued ? "copy job continued" : "copy job started",
        metadata: ["job": "\(id)", "strategy": "\(strategy.rawValue)"]
      )
    case .jobMoved(let state):
      logger.info("copy job moved on", metadata: ["state": "\(state.rawValue)"])
    case .statement(let sql, let duration, let rows):
      if showsStatements { reportStatement(sql, duration, rows) }
    }
  }

  // MARK: - Progress

  /// The progress as a line.
  private var line: String { record.read { $0.line(at: $1) } }

  /// A second has passed.
  func tick() {
    if target == nil { warnOfMetrics(metrics?.writeIfDue()) }
    guard record.hasBegun else { return }
    if let progress {
      progress.show(line)
    } else if screen == nil, record.isDue(after: pause) {
      stepLogger.info("progress", metadata: record.read { $0.metadata(at: $1) })
    }
  }

  /// Tells of the progress of a job that another process works on.
  func show(_ watched: RunProgress, at time: Double) {
    if let progress {
      progress.show(watched.line(at: time))
    } else if record.isDue(after: pause, isFirstDue: true) {
      logger.info("progress", metadata: watched.metadata(at: time))
    }
  }

  /// Returns where a signal has stopped the run, and what the next one does; `nil` if nothing had begun.
  func stopText(_ signal: Int32) -> String? {
    guard record.hasBegun else { return nil }
    let word = signal == interruptSignal ? "interrupted" : "terminated"
    return record.read { progress, _ in "\(word) \(progress.stopText)" }
  }

  /// Ends the progress, with a summary of a run that has taken its time.
  func endRun() {
    endProgress()
    guard record.hasBegun, logger.logLevel <= .info, progress?.wasDrawn ?? record.wasTold
    else { return }
    switch format {
    case .text: write(record.read { $0.summary(at: $1) })
    case .json: logger.info("run ended", metadata: record.read { $0.summaryMetadata(at: $1) })
    }
  }

  /// Begins to tell how many of many stores are done.
  func beginStores() {
    progress?.begin()
  }

  /// Tells how many of many stores are done.
  func showStores(_ text: String) {
    progress?.show(text)
  }

  /// Notes that one store of many is done.
  func endStore(hasFailed: Bool) {
    metrics?.end(record, hasFailed: hasFailed)
  }

  /// Writes the metrics of the whole call.
  func endMetrics(_ end: RunMetrics.End) {
    ticker.stop()
    warnOfMetrics(metrics?.write(end))
  }

  /// Warns once of metrics that cannot be written, which fails no migration.
  private func warnOfMetrics(_ reason: String?) {
    guard let reason else { return }
    let warning = Diagnostic(.warning, "could not write the metrics", detail: "\(reason).")
    warn([warning])
    told.insert(warning)
  }

  /// Tells that one store of many has failed; the report has all of the error.
  func reportFailure(_ error: any Error) {
    let error = ErrorReport(error, showsValues: showsStatements)
    let message = error.diagnostics.first?.message ?? ""
    logger.error(
      "store failed",
      metadata: [
        "event": "store-failed", "code": .stringConvertible(Int(error.status.rawValue)),
        "error": "\(message)",
      ]
    )
  }

  /// Ends the progress line before other output.
  func endProgress() {
    ticker.stop()
    progress?.end()
  }

  /// Reports warnings.
  func warn(_ diagnostics: [Diagnostic]) {
    guard logger.logLevel <= .warning else { return }
    for diagnostic in diagnostics where !told.contains(diagnostic) {
      switch format {
      case .text: write(diagnostic.blocks)
      case .json: write([.line(LogRecord(diagnostic.completed.withoutPasswords).line)])
      }
    }
  }

  /// Reports the decisions of inference, if this is requested.
  func explain(_ steps: [MigrationStep]) {
    guard showsDecisions else { return }
    for step in steps {
      guard let mapping = step.mappingModel else { continue }
      switch format {
      case .text:
        let heading =
          "mapping of \(versionName(step.source?.name)) to \(versionName(step.destination.name))"
        let blocks =
          [.line(heading + targetSuffix), .nested(2, mapping.entityMappings.flatMap(\.blocks))]
          as [Block]
        write(blocks.lines(.verbatim).map { .line("MAPPING:  \($0)") })
      case .json:
        for entityMapping in mapping.entityMappings {
          var metadata = versions(step.source?.name, step.destination.name)
          metadata["mapping"] = .array(entityMapping.blocks.lines(.verbatim).map { "\($0)" })
          logger.info("entity mapping", metadata: metadata)
        }
      }
    }
  }

  /// Tells where the throwaway server is that stays.
  func tellServer(_ url: String, stopCommand: String) {
    switch format {
    case .text:
      write([
        .line("The throwaway server stays: \(url)"), .line("Stop it with: \(stopCommand)"),
      ])
    case .json:
      logger.notice(
        "the throwaway server stays",
        metadata: ["event": "server-started", "url": "\(url)", "stopCommand": "\(stopCommand)"]
      )
    }
  }

  private func write(_ blocks: [Block]) {
    let text = blocks.text(style) + "\n"
    if let screen {
      screen.write(text)
    } else {
      TextFile.standardError.write(text)
    }
  }

  private func reportStatement(_ sql: String, _ duration: Duration, _ rows: Int) {
    switch format {
    case .text:
      let heading = "  \(duration.brief), \(counted(rows, "row"))\(targetSuffix): "
      let lines = ReadableSQL(sql).text.lines
      write([
        .line("SQL:", .weak, rest: heading + lines[0]),
        .nested(4, lines.dropFirst().map { .line($0) }),
      ])
    case .json:
      stepLogger.debug(
        "statement",
        metadata: [
          "statement": .stringConvertible(position.advance()), "sql": "\(sql)",
          "duration": .stringConvertible(duration), "rows": .stringConvertible(rows),
        ]
      )
    }
  }

  /// The logger for a step's events, whose records name the step.
  private var stepLogger: Logger {
    guard format == .json else { return logger }
    var logger = logger
    for (key, value) in position.metadata { logger[metadataKey: key] = value }
    return logger
  }

  private func versions(_ source: String?, _ destination: String) -> Logger.Metadata {
    ["from": "\(source ?? "empty")", "to": "\(destination)"]
  }

  /// The suffix of a text with its store.
  private var targetSuffix: String { target.map { ", target \($0)" } ?? "" }
}
