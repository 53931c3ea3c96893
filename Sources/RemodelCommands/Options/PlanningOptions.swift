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

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Allow a hazard that REMODEL_DENY denies. Can be repeated.",
      valueName: "hazard"
    ),
    completion: .list(Hazard.allCases.map(\.rawValue))
  )
  var allow: [String] = []

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Refuse a plan with this hazard, anywhere or on an entity's table. Can be repeated. "
        + "(REMODEL_DENY, separated by commas)",
      discussion: "Hazards: \(Hazard.allCases.map(\.rawValue).joined(separator: ", ")).",
      valueName: "hazard[:entity]"
    ),
    completion: .list(Hazard.allCases.map(\.rawValue))
  )
  var deny: [String] = []

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
    configuration.denials = try denials(environment, configuration)
  }

  private func denials(
    _ environment: CommandEnvironment,
    _ configuration: RemodelConfiguration
  ) throws -> [HazardDenial] {
    let allowed = try allow.map { text throws(UsageError) in
      try Setting(source: .option("--allow"), text: text).choice(Hazard.self)
    }
    var settings = deny.map { Setting(source: .option("--deny"), text: $0) }
    if settings.isEmpty, let texts = environment["REMODEL_DENY"] {
      settings = texts.split { $0 == "," || $0.isWhitespace }
        .map { Setting(source: .variable("REMODEL_DENY"), text: String($0)) }
    }
    var tables = EntityTables(configuration, version: to)
    var denials: [HazardDenial] = []
    for setting in settings {
      let parts = setting.text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      let hazard = try Setting(source: setting.source, text: String(parts[0])).choice(Hazard.self)
      if allowed.contains(hazard) { continue }
      let table = try parts.count > 1 ? tables.name(forEntity: parts[1], of: setting) : nil
      denials.append(HazardDenial(hazard, tableName: table))
    }
    return denials
  }
}

/// The tables of the entities that denials name, read from the model when the first one asks.
private struct EntityTables {
  private let configuration: RemodelConfiguration
  private let version: String?
  private var projection: ModelProjection?

  init(_ configuration: RemodelConfiguration, version: String?) {
    self.configuration = configuration
    self.version = version
  }

  /// Returns the table of an entity; a property stands for the table of its entity.
  mutating func name(forEntity text: Substring, of setting: Setting) throws -> String {
    let projection = try loaded()
    let entityName = text.prefix { $0 != "." }
    guard let entity = projection.model.entity(named: String(entityName)),
      let table = projection.table(of: entity)
    else {
      let names = projection.model.entities.map(\.name)
      throw setting.unusable(
        "a hazard of an entity of the model",
        hint: suggestion(for: String(entityName), among: names).map { "Did you mean \"\($0)\"?" }
      )
    }
    return table.name
  }

  private mutating func loaded() throws -> ModelProjection {
    if let projection { return projection }
    let model = try Remodel(configuration).version(version).model
    let projection = try ModelProjection(model, schema: configuration.schema)
    self.projection = projection
    return projection
  }
}
