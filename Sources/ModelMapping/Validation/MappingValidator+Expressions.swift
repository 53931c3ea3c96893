internal import Diagnostics
internal import ObjectModel
internal import SQLSyntax

/// Checks of the names that expressions use from other parts of the mapping model.
extension MappingValidator {
  mutating func checkExpressions(of mapping: EntityMapping, at index: Int) {
    if let condition = mapping.condition {
      check(condition.parts, in: mapping, of: .condition(entityMapping: index))
    }
    for (position, key) in (mapping.distinct?.keys ?? []).enumerated() {
      check(key.parts, in: mapping, of: .distinctKey(entityMapping: index, position))
    }
    for (position, order) in (mapping.distinct?.order ?? []).enumerated() {
      check(
        order.expression.parts,
        in: mapping,
        of: .distinctOrder(entityMapping: index, position)
      )
    }
    for (position, property) in mapping.attributeMappings.enumerated() {
      check(property, in: mapping, of: .attributeMapping(entityMapping: index, position))
    }
    for (position, property) in mapping.relationshipMappings.enumerated() {
      check(property, in: mapping, of: .relationshipMapping(entityMapping: index, position))
    }
  }

  private mutating func check(
    _ property: PropertyMapping,
    in mapping: EntityMapping,
    of element: MappingElement
  ) {
    guard case .expression(let expression) = property.valueExpression else { return }
    if mapping.callsCode(for: property.name), case .policyCall(_, let arguments) = expression {
      return check(arguments.flatMap(\.parts), for: property, in: mapping, of: element)
    }
    check(expression.parts, for: property, in: mapping, of: element)
  }

  /// Checks what a variable offers besides rows.
  private mutating func check(
    _ path: KeyPathExpression,
    for property: PropertyMapping?,
    in mapping: EntityMapping,
    of element: MappingElement
  ) {
    let constants = MappingConstants(mapping: mapping, source: source, destination: destination)
    guard case .variable(let variable) = path.base,
      case .unrecognized(let key, let known) = constants.meaning(of: path, for: property)
    else { return }
    let isUserInfo = variable == "manager" && path.names.first == "userInfo" && !key.isEmpty
    add(
      isUserInfo
        ? .missingUserInfo(key) : .unrecognizedKey(key, ofVariable: variable, known: known),
      to: element,
      .expression(.keyPath(path))
    )
  }

  private mutating func check(
    _ parts: [Expression],
    for property: PropertyMapping? = nil,
    in mapping: EntityMapping,
    of element: MappingElement
  ) {
    for part in parts {
      switch part {
      case .keyPath(let path): check(path, for: property, in: mapping, of: element)
      case .destinationInstances(let lookup):
        if case .named(let name) = lookup.mapping { checkLookup(of: name, part, in: element) }
      case .lookup(let name, let keys):
        checkLookup(of: name, withKeys: keys.count, part, in: element)
      case .policyCall(let selector, _): add(.policyCall(selector), to: element, .expression(part))
      case .sql(let text):
        if case .stray(let character) = ReadableSQL(text).fault {
          add(.strayCharacter(character), to: element, .expression(part))
        }
        do {
          check(try SQLTemplate(parsing: text), of: element, isStage: false)
        } catch {
          let placeholder = (error as SQLTemplate.Fault).placeholder
          add(.unreadablePlaceholder(placeholder), to: element, .name(placeholder))
        }
      case .fetch(let fetch):
        if source.entity(named: fetch.entityName) == nil {
          let names = source.entities.map(\.name)
          let suggestion = suggestion(for: fetch.entityName, among: names)
          add(
            .unrecognizedEntity(fetch.entityName, .source, suggestion: suggestion),
            to: element,
            .expression(part)
          )
        }
      case .constant, .variable, .evaluatedObject, .function, .negation, .arithmetic,
        .cast, .accessor, .list, .element, .ternary, .subquery, .nonNilValueOrDefault:
        break
      }
    }
  }

  private mutating func checkLookup(
    of name: String,
    withKeys count: Int? = nil,
    _ part: Expression,
    in element: MappingElement
  ) {
    guard let mapping = mappingModel.entityMappings.first(where: { $0.name == name }) else {
      let names = mappingModel.entityMappings.map(\.name)
      // Entities that the file does not list have mappings of these names.
      if count == nil, inferredNames.contains(name) { return }
      let suggestion = suggestion(for: name, among: names + inferredNames)
      return add(
        .unrecognizedMapping(name, suggestion: suggestion),
        to: element,
        .expression(part)
      )
    }
    if mapping.destinationEntityName == nil {
      add(.lookupOfRemoval(name), to: element, .expression(part))
    }
    guard let count, count != (mapping.distinct?.keys.count ?? 0) else { return }
    add(
      .lookupKeyCount(name, keys: mapping.distinct?.keys.count ?? 0, given: count),
      to: element,
      .expression(part)
    )
  }

  /// The names of the mappings of entities that are left to inference.
  var inferredNames: [String] {
    let matching = ModelMatching(from: source, to: destination)
    return matching.entities.pairs.map { pair in
      EntityMapping.defaultName(source: pair.source.name, destination: pair.destination.name)
    }
  }
}
