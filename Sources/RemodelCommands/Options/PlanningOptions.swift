import ArgumentParser
import RemodelKit

/// Where a migration is to lead, and what it may do.
struct PlanningOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp("The version to go to. (default: the current one)", valueName: "version")
  )
  var to: String?

  @Flag(name: .long, help: "Go to it in one inferred step, past the versions between.")
  var direct = false

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Make the target in this schema, which has to be empty or absent, and leave the database as "
        + "it is otherwise.",
      valueName: "name"
    )
  )
  var intoSchema: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "What becomes of what a version no longer has: retain, drop or refuse. (REMODEL_REMOVALS; "
        + "default: retain)",
      valueName: "policy"
    ),
    completion: .list(RemovalPolicy.allCases.map(\.rawValue))
  )
  var removals: String?

  @OptionGroup
  var hazardOptions: HazardOptions

  /// Adds these options to a configuration.
  func apply(
    to configuration: inout RemodelConfiguration,
    _ environment: CommandEnvironment
  ) throws {
    configuration.isDirect = direct
    configuration.intoSchema = intoSchema.map { SQLIdentifier($0) }
    if let setting = environment.setting(removals, "--removals", "REMODEL_REMOVALS") {
      configuration.removals = try setting.choice(RemovalPolicy.self)
    }
    try hazardOptions.apply(to: &configuration, environment)
  }
}
