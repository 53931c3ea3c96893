import ArgumentParser
import RemodelKit

/// How tables are made anew.
struct CopyOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "How rows are copied into tables that are made anew: auto, locked, gated or online. "
        + "(REMODEL_STRATEGY; default: auto)",
      valueName: "strategy"
    ),
    completion: .list([Self.automatic] + CopyStrategy.allCases.map(\.rawValue))
  )
  var strategy: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "How long writers may be made to wait. (REMODEL_MAX_BLOCK; default: 5s)",
      valueName: "duration"
    )
  )
  var maxBlock: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "How many sessions copy at a time. (REMODEL_JOBS; default: 1)",
      valueName: "number"
    )
  )
  var jobs: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Wait between transactions as long as this query returns a number above zero. "
        + "(REMODEL_THROTTLE_QUERY)",
      valueName: "query"
    )
  )
  var throttleQuery: String?

  /// The word for a strategy that is chosen by the time that a copy takes.
  static let automatic = "auto"

  /// The most sessions that make sense on any server.
  private static let mostJobs = 64

  /// Adds these options to a configuration.
  func apply(
    to configuration: inout RemodelConfiguration,
    _ environment: CommandEnvironment
  ) throws(UsageError) {
    if let setting = environment.setting(strategy, "--strategy", "REMODEL_STRATEGY") {
      configuration.strategy = try setting.strategy()
    }
    if let setting = environment.setting(maxBlock, "--max-block", "REMODEL_MAX_BLOCK") {
      configuration.maxBlock = try setting.duration()
      configuration.bindsGivenStrategy = true
    }
    if let setting = environment.setting(jobs, "--jobs", "REMODEL_JOBS") {
      guard let number = Int(setting.text), (1...Self.mostJobs).contains(number) else {
        throw setting.unusable("a number from 1 to \(Self.mostJobs)")
      }
      configuration.copySettings.workers = number
    }
    if let setting = environment.setting(
      throttleQuery,
      "--throttle-query",
      "REMODEL_THROTTLE_QUERY"
    ) {
      configuration.copySettings.throttleQuery = try setting.nonEmpty("a query")
    }
  }
}

extension Setting {
  /// The value as a strategy; none if it is to be chosen.
  fileprivate func strategy() throws(UsageError) -> CopyStrategy? {
    if text == CopyOptions.automatic { return nil }
    guard let strategy = CopyStrategy(rawValue: text) else {
      let words = [CopyOptions.automatic] + CopyStrategy.allCases.map(\.rawValue)
      throw unusable("one of \(words.joined(separator: ", "))", hint: didYouMean(among: words))
    }
    return strategy
  }
}
