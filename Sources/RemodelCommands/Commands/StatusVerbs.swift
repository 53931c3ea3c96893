import ArgumentParser
import RemodelKit

/// The verb `remodel status`.
enum StatusVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show the version of a database and the remaining steps."
  )
  static let formats = OutputFormat.ofStatus
  static let options: [CommandOption] = [
    drift, .exitCode("Exit with code 2 if the database is not at the current version."),
  ]
  static let sections: [any OptionSection.Type] = [
    ConnectionOptions.self, SchemaOptions.self, TargetOptions.self, ModelOptions.self,
    MappingOptions.self,
  ]

  private static let drift = CommandOption(
    "drift",
    .flag,
    "Also compare the database with the version that it is at, as verify does."
  )

  static func result(_ call: Call) async throws -> VerbResult {
    let tellsDifference = call.options.has(.exitCode)
    let looksForDrift = call.options.has(drift)
    return try await call.withStores { remodel, database in
      let report = try await remodel.status(database, looksForDrift: looksForDrift)
      return VerbResult(
        report,
        status: tellsDifference && report.isDifferent ? .difference : .success
      )
    } many: { remodel, targets, onEvent in
      try TargetsSummary(
        await remodel.status(targets, looksForDrift: looksForDrift, onTargetEvent: onEvent),
        isDifferenceTold: tellsDifference
      )
    }
  }
}

/// The verb `remodel check`.
enum CheckVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "check",
    // The parser then does not look for a request for completions, which takes a third of its time.
    _superCommandName: "remodel",
    abstract: "Exit with code 0 if a database is at the current model version, else with code 2.",
    discussion: "For entry points of containers and for health probes."
  )
  static let options = [untilCurrent]
  static let sections: [any OptionSection.Type] = [
    ConnectionOptions.self, SchemaOptions.self, TargetOptions.self, ModelOptions.self,
  ]

  private static let untilCurrent = CommandOption(
    "until-current",
    .value("duration"),
    "Repeat the check until it is, for at most this long; wait as long for the server, unless --wait is given."
  ) { $1.wait = try $0.duration() }

  static func result(_ call: Call) async throws -> VerbResult {
    let options = call.options
    return try await call.withStores { remodel, database in
      let report = try await remodel.check(
        database,
        untilCurrent: options.setting(untilCurrent)?.duration()
      )
      return VerbResult(
        report,
        status: report.isUsable ? .success : .difference
      )
    } many: { remodel, targets, onEvent in
      try TargetsSummary(
        await remodel.check(
          targets,
          untilCurrent: options.setting(untilCurrent)?.duration(),
          onTargetEvent: onEvent
        )
      )
    }
  }
}

/// The verb `remodel verify`.
enum VerifyVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract:
      "Compare a database with the version that it is at; exit with code 2 if it has drifted.",
    discussion: "Changes nothing, and needs no rights but to connect."
  )
  static let options = [rows]
  static let sections = FinishVerb.sections

  private static let rows = CommandOption(
    "rows",
    .flag,
    "Also read all rows, to check rules without a constraint: kinds, counts, positions, derived values."
  )

  static func result(_ call: Call) async throws -> VerbResult {
    let asksRows = call.options.has(rows)
    return try await call.withStores { remodel, database in
      let report = try await remodel.verify(database, asksRows: asksRows)
      return VerbResult(report, status: report.isClean ? .success : .difference)
    } many: { remodel, targets, onEvent in
      try TargetsSummary(
        await remodel.verify(targets, asksRows: asksRows, onTargetEvent: onEvent)
      )
    }
  }
}

/// The verb `remodel history`.
enum HistoryVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract:
      "Show the migrations of a database: who, when, from and to which version, and the outcome."
  )
  static let formats = OutputFormat.ofHistory
  static let options = [sql]
  static let sections = JobShowVerb.sections

  private static let sql = CommandOption(
    "sql",
    .flag,
    "Show the SQL of each migration and its error, too."
  )

  static func result(_ call: Call) async throws -> VerbResult {
    let showsSQL = call.options.has(sql)
    return try await call.withStore { remodel, database in
      let log = try await remodel.auditLog(database)
      return VerbResult(
        HistoryReport(entries: log.entries, place: log.place, showsSQL: showsSQL)
      )
    }
  }
}
