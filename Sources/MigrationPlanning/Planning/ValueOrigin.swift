internal import ModelMapping
internal import ObjectModel

/// Where an authored mapping takes values from that are not simply kept.
package struct ValueOrigin: Hashable, Sendable {
  /// A change of the model that is explained by the origin of a value.
  package struct Change: Hashable, Sendable {
    let entityName: String
    let propertyName: String
    let kind: ModelChange.Kind

    init(_ entityName: String, _ propertyName: String, _ kind: ModelChange.Kind) {
      self.entityName = entityName
      self.propertyName = propertyName
      self.kind = kind
    }
  }

  /// The entity, by the name that it has afterwards.
  package let entityName: String
  /// What happens, in a few words.
  package let phrase: String
  /// The changes that it says as well.
  let impliedChanges: [Change]

  /// Returns the origins of the values of some entities, in the order of the mapping model.
  static func origins(in step: MigrationStep, family: Set<String>) -> [ValueOrigin] {
    guard let source = step.source, let mappingModel = step.mappingModel, step.isAuthored else {
      return []
    }
    let destination = step.destination.projection.model
    return mappingModel.entityMappings.flatMap { mapping -> [ValueOrigin] in
      guard let name = mapping.destinationEntityName, family.contains(name),
        let after = destination.entity(named: name),
        let before = mapping.sourceEntityName.flatMap(source.projection.model.entity(named:))
      else { return [] }
      return EntityOrigins(
        mapping,
        before: source.projection.model.effectiveAttributes(of: before),
        after: destination.effectiveAttributes(of: after)
      ).origins
    }
  }
}

/// The origins of the values of one entity mapping.
private struct EntityOrigins {
  private let entityName: String
  private let mapping: EntityMapping
  private let added: Set<String>
  private let removed: Set<String>
  /// The attributes of the source that each computed attribute is computed from.
  private var inputs: [(property: PropertyMapping, expression: Expression, names: [String])] = []

  init(_ mapping: EntityMapping, before: [AttributeDescription], after: [AttributeDescription]) {
    entityName = mapping.destinationEntityName ?? ""
    self.mapping = mapping
    let oldNames = Set(before.map(\.name))
    let kept = Set(after.map(\.canonicalName))
    added = Set(
      after.filter { !oldNames.contains($0.name) && !oldNames.contains($0.canonicalName) }
        .map(\.name)
    )
    let newNames = Set(after.map(\.name))
    removed = oldNames.filter { !newNames.contains($0) && !kept.contains($0) }
    for property in mapping.attributeMappings {
      switch property.valueExpression {
      case .expression(let expression):
        inputs.append((property, expression, Self.names(in: expression).filter(oldNames.contains)))
      case .sourceAttribute(let name) where added.contains(property.name):
        inputs.append((property, .keyPath(KeyPathExpression([name])), [name]))
      case .sourceAttribute, .destinationInstances, nil: break
      }
    }
  }

  /// The names of the source's properties at which paths of an expression begin.
  private static func names(in expression: Expression) -> [String] {
    var names: [String] = []
    for case .keyPath(let path) in expression.parts {
      guard let first = path.names.first, !names.contains(first) else { continue }
      switch path.base {
      case .row, .variable("source"): names.append(first)
      case .variable, .expression: break
      }
    }
    return names
  }

  var origins: [ValueOrigin] {
    var rest = inputs
    var result: [ValueOrigin] = []
    for name in removed.sorted() {
      let parts = rest.filter { $0.names == [name] && added.contains($0.property.name) }
      guard parts.count > 1 else { continue }
      let names = parts.map(\.property.name)
      result.append(origin("\(name) is split into \(Self.list(names))", names, [name]))
      rest.removeAll { names.contains($0.property.name) }
    }
    for (property, expression, names) in rest {
      let name = property.name
      guard added.contains(name), !names.isEmpty else {
        result.append(origin("\(name) is computed as \(Self.brief(expression))", [name], []))
        continue
      }
      let gone = names.allSatisfy(removed.contains) ? names : []
      let phrase =
        gone.count > 1
        ? "\(Self.list(gone)) are joined into \(name)"
        : gone.isEmpty
          ? "\(name) is computed from \(Self.list(names))"
          : "\(name) is made from \(Self.list(gone))"
      result.append(origin(phrase, [name], gone))
    }
    if let policy = mapping.policyClassName {
      result.append(origin("rows pass through the policy \(policy)", [], []))
    }
    return result
  }

  private func origin(_ phrase: String, _ new: [String], _ old: [String]) -> ValueOrigin {
    ValueOrigin(
      entityName: entityName,
      phrase: phrase,
      impliedChanges: new.map { .init(entityName, $0, .attributeAdded) }
        + old.map { .init(entityName, $0, .attributeRemoved) }
    )
  }

  private static func list(_ names: [String]) -> String {
    guard let last = names.last, names.count > 1 else { return names.first ?? "" }
    return "\(names.dropLast().joined(separator: ", ")) and \(last)"
  }

  private static func brief(_ expression: Expression) -> String {
    let text = "\(expression)".split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return text.count > 60 ? "\(text.prefix(59))…" : text
  }
}
