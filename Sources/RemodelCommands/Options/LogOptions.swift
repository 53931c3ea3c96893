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

/// The messages on standard error while a verb runs.
enum LogOptions: OptionSection {
  static let title = "Logs"
  static let options: [CommandOption] = [
    .logLevel, .logFormat, .debugSQL, .debugMigration, .noProgress,
  ]
}

extension CommandOption {
  static let logLevel = CommandOption(
    "log-level",
    .value("level"),
    "The least that is logged: trace, debug, info, notice, warning, error or critical.",
    variable: "REMODEL_LOG_LEVEL",
    default: "info",
    completion: .list(Logger.Level.allCases.map(\.rawValue))
  )
  static let logFormat = CommandOption(
    "log-format",
    .value("format"),
    "The form of log records: text or json.",
    variable: "REMODEL_LOG_FORMAT",
    default: "text",
    completion: .list(LogFormat.allCases.map(\.rawValue))
  )
  static let debugSQL = CommandOption(
    "debug-sql",
    .flag,
    "Show every statement with its time and rows."
  )
  static let debugMigration = CommandOption(
    "debug-migration",
    .flag,
    "Show every decision that inference takes."
  )
  static let noProgress = CommandOption(
    "no-progress",
    .flag,
    "Log the progress every ten seconds instead of showing it on the terminal."
  )
}

extension OptionValues {
  /// Returns the least that is logged.
  func logLevel() throws(UsageError) -> Logger.Level {
    guard let setting = setting(.logLevel) else { return .info }
    return try setting.choice(among: Logger.Level.allCases)
  }

  /// Returns the form of log records.
  func logFormat() throws(UsageError) -> LogFormat {
    guard let setting = setting(.logFormat) else { return .text }
    return try setting.choice(among: LogFormat.allCases)
  }
}
