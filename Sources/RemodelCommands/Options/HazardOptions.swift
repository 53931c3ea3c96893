import ArgumentParser
import RemodelKit

/// What may not be done.
struct HazardOptions: ParsableArguments {
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
      "Refuse a plan with this hazard, anywhere, on an entity's table or for a property. Can be repeated. "
        + "(REMODEL_DENY, separated by commas)",
      discussion: "Hazards: \(Hazard.allCases.map(\.rawValue).joined(separator: ", ")).",
      valueName: "hazard[:entity[.property]]"
    ),
    completion: .list(Hazard.allCases.map(\.rawValue))
  )
  var deny: [String] = []

  /// Adds these options to a configuration.
  func apply(
    to configuration: inout RemodelConfiguration,
    _ environment: CommandEnvironment
  ) throws {
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
    var elements = NamedElements(configuration)
    var denials: [HazardDenial] = []
    for setting in settings {
      let parts = setting.text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      let hazard = try Setting(source: setting.source, text: String(parts[0])).choice(Hazard.self)
      if allowed.contains(hazard) { continue }
      guard parts.count > 1 else {
        denials.append(HazardDenial(hazard))
        continue
      }
      let (entity, property) = try elements.names(in: parts[1], of: setting)
      denials.append(HazardDenial(hazard, entityName: entity, propertyName: property))
    }
    return denials
  }
}

/// The entities and properties that denials name, looked for in the models when the first one asks:
/// what one version no longer has may be what is meant.
private struct NamedElements {
  private let configuration: RemodelConfiguration
  private var models: [ManagedObjectModel]?

  init(_ configuration: RemodelConfiguration) {
    self.configuration = configuration
  }

  /// Returns the names of an entity and of its property, if one is named.
  mutating func names(
    in text: Substring,
    of setting: Setting
  ) throws -> (entity: String, property: String?) {
    let models = try loaded()
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let entityName = String(parts[0])
    let entities = models.compactMap { model in
      model.entity(named: entityName).map { (model: model, entity: $0) }
    }
    guard !entities.isEmpty else {
      let names = models.flatMap { $0.entities.map(\.name) }
      throw setting.unusable(
        "a hazard of an entity of the model",
        hint: suggestion(for: entityName, among: names).map { "Did you mean \"\($0)\"?" }
      )
    }
    guard parts.count > 1 else { return (entityName, nil) }
    let propertyName = String(parts[1])
    let properties = entities.flatMap { model, entity in
      model.effectiveAttributes(of: entity).map(\.name)
        + model.effectiveRelationships(of: entity).map(\.name)
    }
    guard properties.contains(propertyName) else {
      throw setting.unusable(
        "a hazard of a property of entity \"\(entityName)\"",
        hint: suggestion(for: propertyName, among: properties).map { "Did you mean \"\($0)\"?" }
      )
    }
    return (entityName, propertyName)
  }

  private mutating func loaded() throws -> [ManagedObjectModel] {
    if let models { return models }
    let remodel = Remodel(configuration)
    let models = try remodel.versions().map { try remodel.version($0.name).model }
    self.models = models
    return models
  }
}
