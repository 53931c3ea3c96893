import ArgumentParser
import Logging
import RemodelKit

/// The form of log records.
enum LogFormat: String, CaseIterable, Sendable {
  case text
  case json

  /// Returns the form that the log has, for a call that is no call of a verb.
  static func ofErrors(arguments: [String], _ environment: CommandEnvironment) -> LogFormat {
    let text = arguments.value(of: "--log-format") ?? environment["REMODEL_LOG_FORMAT"]
    return text.flatMap(LogFormat.init(rawValue:)) ?? .text
  }
}

/// What is told on standard error while a verb runs.
struct LogOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "The least that is logged: trace, debug, info, notice, warning, error or critical. "
        + "(REMODEL_LOG_LEVEL; default: info)",
      valueName: "level"
    ),
    completion: .list(Logger.Level.allCases.map(\.rawValue))
  )
  var logLevel: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The form of log records: text or json. (REMODEL_LOG_FORMAT; default: text)",
      valueName: "format"
    ),
    completion: .list(LogFormat.allCases.map(\.rawValue))
  )
  var logFormat: String?

  @Flag(name: .long, help: "Show every statement with its time and rows.")
  var debugSql = false

  @Flag(name: .long, help: "Show every decision that inference takes.")
  var debugMigration = false

  @Flag(name: .long, help: "Do not show progress on the terminal.")
  var noProgress = false

  /// Returns what is logged, and in what form.
  func level(_ environment: CommandEnvironment) throws(UsageError) -> Logger.Level {
    guard let setting = environment.setting(logLevel, "--log-level", "REMODEL_LOG_LEVEL") else {
      return .info
    }
    return try setting.choice(Logger.Level.self)
  }

  /// Returns the form of log records.
  func format(_ environment: CommandEnvironment) throws(UsageError) -> LogFormat {
    guard let setting = environment.setting(logFormat, "--log-format", "REMODEL_LOG_FORMAT") else {
      return .text
    }
    return try setting.choice(LogFormat.self)
  }
}
