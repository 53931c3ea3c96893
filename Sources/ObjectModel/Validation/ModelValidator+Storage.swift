import Diagnostics
internal import SQLSyntax

/// Checks of the storage settings of a model.
extension ModelValidator {
  mutating func checkKey(_ key: KeyDescription, at element: ModelElement) {
    checkStorageName(key.columnName, .column, of: element)
    if !key.attributeType.traits.canBeKey { add(.unusableKeyType(key.attributeType), to: element) }
    switch key.generation {
    case .identity, .identityAlways, .serial:
      if !key.attributeType.isInteger { add(.numberedByOtherType(key.attributeType), to: element) }
    case .sql(let expression): checkExpression(expression, "generated", at: element)
    case .application, nil: break
    }
  }

  mutating func checkServerSettings(
    _ attribute: AttributeDescription,
    at element: ModelElement
  ) {
    let settings = attribute.serverSettings
    guard !settings.isEmpty else { return }
    checkExpression(attribute.defaultExpression, "defaultSQL", at: element)
    checkExpression(attribute.generationExpression, "generatedSQL", at: element)
    // Each of these is a source of the value.
    let sources =
      (attribute.defaultValue == nil ? [] : ["default"])
      + (attribute.derivationExpression == nil ? [] : ["derivation"]) + settings
    if sources.count > 1 { add(.excludingSettings(sources[0], sources[1]), to: element) }
    if attribute.isTransient { add(.settingOfTransient(settings[0]), to: element) }
    if attribute.isComposite || element.isCompositeElement {
      add(.settingOfComposite(settings[0]), to: element)
    }
    guard let numbering = attribute.numbering else { return }
    if !attribute.type.isInteger { add(.numberedByOtherType(attribute.type), to: element) }
    switch numbering {
    case .identity, .identityAlways:
      if attribute.isOptional { add(.numberedAndOptional, to: element) }
    case .serial: break
    }
  }

  mutating func checkServerSettingsBelowRoot(of entity: EntityDescription, at index: Int) {
    for (position, attribute) in entity.attributes.enumerated() {
      guard let setting = attribute.serverSettings.first else { continue }
      add(.settingBelowRoot(setting), to: .attribute(entity: index, position))
    }
  }

  /// Checks the names of constraints, indexes and sequences of an entity; whether these exist is
  /// known only after the projection.
  mutating func checkNames(of entity: EntityDescription, at index: Int) {
    let element = ModelElement.entity(index)
    var checks: Set<String> = []
    for check in entity.checks {
      checkExpression(check.expression, "check \"\(check.name)\"", at: element)
      checkObjectName(check.name, of: "a check", at: element)
      if !checks.insert(check.name).inserted { add(.duplicateCheck(check.name), to: element) }
    }
    var names = checks
    for (ours, name) in entity.objectNames.sorted(by: { $0.key < $1.key }) {
      if ours.isEmpty { add(.emptyObjectName(""), to: element) }
      checkObjectName(name, of: ours, at: element)
      if !names.insert(name).inserted { add(.sharedObjectName(name), to: element) }
    }
  }

  private mutating func checkObjectName(
    _ name: String,
    of ours: String,
    at element: ModelElement
  ) {
    if name.isEmpty { add(.emptyObjectName(ours), to: element) }
    if name.utf8.count > 63 { add(.longObjectName(name), to: element) }
    if name.utf8.contains(0) { add(.nulInName, to: element) }
  }

  mutating func checkExpression(_ text: String?, _ key: String, at element: ModelElement) {
    guard let text else { return }
    if text.allSatisfy(\.isWhitespace) { add(.emptyExpression(key), to: element) }
    if text.utf8.contains(0) { return add(.nulInExpression(key), to: element) }
    switch ReadableSQL(text).fault {
    case .stray(let character): add(.strayCharacter(key, character), to: element)
    case .unterminated: add(.unterminatedExpression(key), to: element)
    case .copy, nil: break
    }
  }

  mutating func checkReference(
    of relationship: RelationshipDescription,
    at element: ModelElement
  ) {
    guard relationship.reference != nil, case .relationship(let index, _) = element else { return }
    switch model.storage(of: relationship, declaredBy: model.entities[index]) {
    case .ownKey, .joinTable(isOwner: true): break
    case .inverseKey, .joinTable(isOwner: false):
      add(.referenceElsewhere(inverse: relationship.inverseName), to: element)
    }
  }
}

extension AttributeDescription {
  /// The keys of the attribute's settings in SQL.
  fileprivate var serverSettings: [String] {
    (defaultExpression == nil ? [] : ["defaultSQL"])
      + (generationExpression == nil ? [] : ["generatedSQL"])
      + (numbering == nil ? [] : ["numbered"])
  }

  fileprivate var isComposite: Bool {
    if case .composite = type { true } else { false }
  }
}

extension ModelElement {
  fileprivate var isCompositeElement: Bool {
    if case .compositeElement = self { true } else { false }
  }
}
