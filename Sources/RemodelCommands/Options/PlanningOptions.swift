import ArgumentParser
import RemodelKit

/// The target of a migration, and its limits.
enum PlanningOptions: OptionSection {
  static let title = "Migration"
  static let options: [CommandOption] = [
    .to,
    CommandOption(
      "direct",
      .flag,
      "Go to it in one inferred step, past the versions between.",
      isOfPlan: true
    ) { $1.isDirect = true },
    CommandOption(
      "mappings-only",
      .flag,
      "Infer no step: refuse one that has no mapping model.",
      isOfPlan: true
    ) { $1.usesMappingsOnly = true },
    CommandOption(
      "draft",
      .flag,
      "Apply the edits of a version that is being written, to a database marked as one for "
        + "development.",
      isOfPlan: true
    ) { $1.isDraft = true },
    .intoSchema, .intoDatabase,
    CommandOption(
      "removals",
      .value("policy"),
      "What to do with tables and columns that a version no longer has: retain, drop or refuse.",
      variable: "REMODEL_REMOVALS",
      default: "retain",
      completion: .list(RemovalPolicy.allCases.map(\.rawValue)),
      isOfPlan: true
    ) { $1.removals = try $0.choice(among: RemovalPolicy.allCases) },
    .keep,
    CommandOption(
      "interface-prefix",
      .value("text"),
      "How the names of the schemas begin by which versions are served.",
      variable: "REMODEL_INTERFACE_PREFIX",
      default: "the schema and _v",
      isOfPlan: true
    ) { $1.interfacePrefix = try $0.nonEmpty("a name") },
    .allow, .deny,
  ]
}

extension CommandOption {
  static let keep = CommandOption(
    "keep",
    .value("versions"),
    "Keep the previous version served beside the new one, or none.",
    variable: "REMODEL_KEEP",
    default: "previous if the database serves versions, else none",
    completion: .list(KeptVersions.allCases.map(\.rawValue)),
    isOfPlan: true
  ) { $1.keep = try $0.choice(among: KeptVersions.allCases) }
  static let to = CommandOption(
    "to",
    .value("version"),
    "The version to migrate to.",
    default: "the current one",
    isOfPlan: true
  )
  static let intoSchema = CommandOption(
    "into-schema",
    .value("name"),
    "Create the target in this schema, which must be empty or absent, and change nothing else in "
      + "the database.",
    isOfPlan: true
  ) { $1.intoSchema = SQLIdentifier($0.text) }
  static let intoDatabase = CommandOption(
    "into-database",
    .value("url"),
    "Create the target in this database, whose schema must be empty or absent, with the rows of the "
      + "other one, which is only read.",
    isOfPlan: true
  )
}

extension OptionValues {
  /// Returns the database that rows are copied to; none if they stay where they are.
  func destination() throws(UsageError) -> ConnectionSource? {
    guard let url = self[.intoDatabase] else { return nil }
    return .url(url).assuming(try assumedRole())
  }

  /// Checks that a call with two databases does not have an option that is about one.
  func refuseForTwoDatabases(_ options: [CommandOption]) throws(UsageError) {
    guard has(.intoDatabase) else { return }
    for option in options where has(option) {
      throw UsageError(.conflict(option.typed, CommandOption.intoDatabase.typed))
    }
  }
}

/// How tables are rebuilt.
enum CopyOptions: OptionSection {
  static let title = "Copies"
  static let options: [CommandOption] = [
    CommandOption(
      "strategy",
      .value("strategy"),
      "How rows are copied or columns filled: auto, locked, gated, online or filled.",
      variable: "REMODEL_STRATEGY",
      default: PlanSettings.automaticStrategy,
      completion: .list(strategies),
      isOfPlan: true
    ) {
      $1.strategy = CopyStrategy(rawValue: $0.text)
      guard $1.strategy != nil || $0.text == PlanSettings.automaticStrategy else {
        throw $0.notAmong(strategies)
      }
    },
    .maxBlock,
    CommandOption(
      "jobs",
      .value("number"),
      "How many sessions copy at a time.",
      variable: "REMODEL_JOBS",
      default: "1"
    ) { $1.copySettings.workers = try $0.sessionCount() },
    CommandOption(
      "throttle-query",
      .value("query"),
      "Wait between transactions as long as this query returns a number above zero.",
      variable: "REMODEL_THROTTLE_QUERY"
    ) { $1.copySettings.throttleQuery = try $0.nonEmpty("a query") },
  ]

  private static let strategies =
    [PlanSettings.automaticStrategy] + CopyStrategy.allCases.map(\.rawValue)
}

extension CommandOption {
  static let maxBlock = CommandOption(
    "max-block",
    .value("duration"),
    "How long writers may be blocked.",
    variable: "REMODEL_MAX_BLOCK",
    default: "5s",
    isOfPlan: true
  ) {
    $1.maxBlock = try $0.duration()
    $1.bindsGivenStrategy = true
  }
}

/// How long a migration may wait for others.
enum LockOptions: OptionSection {
  static let title = "Locks"
  static let options = [
    CommandOption(
      "lock-timeout",
      .value("duration"),
      "How long one attempt may wait for locks.",
      variable: "REMODEL_LOCK_TIMEOUT",
      default: "400ms"
    ) {
      $1.lockTimeout = try $0.duration()
      // PostgreSQL takes 0 for "no limit".
      guard $1.lockTimeout >= .milliseconds(1) else { throw $0.unusable("a millisecond or more") }
    },
    CommandOption(
      "lock-retry-for",
      .value("duration"),
      "How long to attempt again in all.",
      variable: "REMODEL_LOCK_RETRY_FOR",
      default: "60s"
    ) { $1.lockRetryFor = try $0.duration() },
    CommandOption(
      "wait-for-turn",
      .value("duration"),
      "How long to wait for another migrator.",
      variable: "REMODEL_WAIT_FOR_TURN",
      default: "10m"
    ) { $1.waitForMigrationLock = try $0.duration() },
  ]
}
