import ArgumentParser
import RemodelKit

/// How long a migration may wait for others.
struct LockOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "How long one attempt may wait for locks. (REMODEL_LOCK_TIMEOUT; default: 400ms)",
      valueName: "duration"
    )
  )
  var lockTimeout: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "How long to attempt again in all. (REMODEL_LOCK_RETRY_FOR; default: 60s)",
      valueName: "duration"
    )
  )
  var lockRetryFor: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "How long to wait for another migrator. (REMODEL_WAIT_FOR_TURN; default: 10m)",
      valueName: "duration"
    )
  )
  var waitForTurn: String?

  /// Adds these options to a configuration.
  func apply(
    to configuration: inout RemodelConfiguration,
    _ environment: CommandEnvironment
  ) throws(UsageError) {
    if let setting = environment.setting(lockTimeout, "--lock-timeout", "REMODEL_LOCK_TIMEOUT") {
      configuration.lockTimeout = try setting.duration()
      // PostgreSQL takes 0 for "no limit".
      guard configuration.lockTimeout >= .milliseconds(1) else {
        throw setting.unusable("a millisecond or more")
      }
    }
    if let setting = environment.setting(
      lockRetryFor,
      "--lock-retry-for",
      "REMODEL_LOCK_RETRY_FOR"
    ) {
      configuration.lockRetryFor = try setting.duration()
    }
    if let setting = environment.setting(
      waitForTurn,
      "--wait-for-turn",
      "REMODEL_WAIT_FOR_TURN"
    ) {
      configuration.waitForMigrationLock = try setting.duration()
    }
  }
}
