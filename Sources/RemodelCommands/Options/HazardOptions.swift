import ArgumentParser
import RemodelKit

extension CommandOption {
  static let allow = CommandOption(
    "allow",
    .list("hazard"),
    "Allow a hazard that REMODEL_DENY denies, or unserved:Entity: that the previous version loses an entity. "
      + "Can be repeated.",
    completion: hazards
  )
  static let deny = CommandOption(
    "deny",
    .list("hazard[:entity[.property]]"),
    "Refuse a plan with this hazard, anywhere, on an entity's table or for a property. Can be repeated.",
    variable: "REMODEL_DENY",
    form: ", separated by commas",
    discussion: "Hazards: \(Hazard.allCases.map(\.rawValue).joined(separator: ", ")).",
    completion: hazards
  )

  private static let hazards = CompletionKind.list(Hazard.allCases.map(\.rawValue))
}

extension OptionValues {
  /// Returns the denied hazards.
  ///
  /// - Parameter configuration: The configuration with the models.
  /// - Returns: The denials, without those of allowed hazards.
  /// - Throws: The faults of the options or the models.
  func denials(_ configuration: RemodelConfiguration) throws -> [HazardDenial] {
    let allowed = try settings(.allow).filter { $0.unservedEntity == nil }.map {
      setting throws(UsageError) in
      try setting.choice(among: Hazard.allCases)
    }
    var elements = NamedElements(configuration)
    var denials: [HazardDenial] = []
    for setting in settings(.deny).flatMap(\.words) {
      let parts = setting.text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      let hazard = try Setting(source: setting.source, text: String(parts[0]))
        .choice(among: Hazard.allCases)
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

extension OptionValues {
  /// Returns the entities that the previous version may lose while it stays served.
  ///
  /// - Parameter configuration: The configuration with the models.
  /// - Returns: The names.
  /// - Throws: That there is no such entity, or the faults of the models.
  func unservedEntities(_ configuration: RemodelConfiguration) throws -> Set<String> {
    var elements = NamedElements(configuration)
    return Set(
      try settings(.allow).compactMap { setting in
        try setting.unservedEntity.map { try elements.names(in: $0[...], of: setting).entity }
      }
    )
  }
}

extension Setting {
  /// The entity that may be served no longer, if that is what it allows.
  fileprivate var unservedEntity: String? {
    let prefix = "unserved:"
    return text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : nil
  }

  /// The words of a variable; an option is one.
  fileprivate var words: [Setting] {
    guard case .variable = source else { return [self] }
    return text.split(whereSeparator: \.isWhitespace)
      .map { Setting(source: source, text: String($0)) }
  }
}

/// The entities and properties that denials name, read from the models on first use; they include
/// those that only one version has.
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
        hint: Setting.didYouMean(entityName, among: names)
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
        hint: Setting.didYouMean(propertyName, among: properties)
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
