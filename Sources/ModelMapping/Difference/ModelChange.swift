/// A difference between two versions of a model, in Core Data's terms.
public struct ModelChange: Hashable, Sendable {
  /// The name of the entity in the destination, or in the source if the destination does not have
  /// it.
  public let entityName: String
  /// The property, if the change is one of a property.
  public let propertyName: String?
  /// The kind of change.
  public let kind: Kind
  /// The value before, if it is a word.
  public let before: String?
  /// The value afterwards, if it is a word.
  public let after: String?

  /// The kinds of changes.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case entityAdded, entityRemoved, entityRenamed
    case parentChanged, abstractChanged, tableChanged, keyChanged, storageChanged
    case uniquenessAdded, uniquenessRemoved, indexAdded, indexRemoved
    case checkAdded, checkRemoved, objectNameAdded, objectNameRemoved
    case attributeAdded, attributeRemoved, attributeRenamed
    case relationshipAdded, relationshipRemoved, relationshipRenamed
    case typeChanged, optionalChanged, defaultChanged, derivationChanged, transientChanged
    case columnChanged, validationChanged, hashModifierChanged, renamingIdentifierChanged
    case destinationChanged, inverseChanged, toManyChanged, orderedChanged, countsChanged
    case deleteRuleChanged, joinTableChanged
    case generationChanged, numberingChanged, referenceChanged
  }

  init(
    _ kind: Kind,
    of entityName: String,
    _ propertyName: String? = nil,
    before: String? = nil,
    after: String? = nil
  ) {
    self.kind = kind
    self.entityName = entityName
    self.propertyName = propertyName
    self.before = before
    self.after = after
  }
}

extension ModelChange: CustomStringConvertible {
  /// The change as a line for people.
  public var description: String {
    let subject = propertyName.map { "\(entityName).\($0)" } ?? entityName
    let from = before ?? "none"
    let to = after ?? "none"
    switch kind {
    case .entityAdded: return "entity \(subject) added"
    case .entityRemoved: return "entity \(subject) removed"
    case .entityRenamed: return "entity \(from) renamed to \(to)"
    case .attributeAdded: return "attribute \(subject) added: \(to)"
    case .attributeRemoved: return "attribute \(subject) removed: \(from)"
    case .attributeRenamed: return "attribute \(entityName).\(from) renamed to \(to)"
    case .relationshipAdded: return "relationship \(subject) added: \(to)"
    case .relationshipRemoved: return "relationship \(subject) removed: \(from)"
    case .relationshipRenamed: return "relationship \(entityName).\(from) renamed to \(to)"
    case .uniquenessAdded: return "\(subject): unique (\(to)) added"
    case .uniquenessRemoved: return "\(subject): unique (\(from)) removed"
    case .indexAdded: return "\(subject): index (\(to)) added"
    case .indexRemoved: return "\(subject): index (\(from)) removed"
    case .checkAdded: return "\(subject): check \(to) added"
    case .checkRemoved: return "\(subject): check \(from) removed"
    case .objectNameAdded: return "\(subject): name \(to) added"
    case .objectNameRemoved: return "\(subject): name \(from) removed"
    case .generationChanged: return "\(subject): generation changed from \(from) to \(to)"
    case .numberingChanged: return "\(subject): numbering changed from \(from) to \(to)"
    case .referenceChanged: return "\(subject): reference changed from \(from) to \(to)"
    case .parentChanged: return "\(subject): parent changed from \(from) to \(to)"
    case .abstractChanged: return "\(subject): abstract changed from \(from) to \(to)"
    case .tableChanged: return "\(subject): table changed from \(from) to \(to)"
    case .storageChanged: return "\(subject): storage changed from \(from) to \(to)"
    case .keyChanged: return "\(subject): key changed from \(from) to \(to)"
    case .typeChanged: return "\(subject): type changed from \(from) to \(to)"
    case .optionalChanged: return "\(subject): optional changed from \(from) to \(to)"
    case .defaultChanged: return "\(subject): default changed from \(from) to \(to)"
    case .derivationChanged: return "\(subject): derivation changed from \(from) to \(to)"
    case .transientChanged: return "\(subject): transient changed from \(from) to \(to)"
    case .columnChanged: return "\(subject): column changed from \(from) to \(to)"
    case .validationChanged: return "\(subject): validation changed"
    case .hashModifierChanged: return "\(subject): hash modifier changed from \(from) to \(to)"
    case .renamingIdentifierChanged:
      return "\(subject): renaming identifier changed from \(from) to \(to)"
    case .destinationChanged: return "\(subject): destination changed from \(from) to \(to)"
    case .inverseChanged: return "\(subject): inverse changed from \(from) to \(to)"
    case .toManyChanged: return "\(subject): to-many changed from \(from) to \(to)"
    case .orderedChanged: return "\(subject): ordered changed from \(from) to \(to)"
    case .countsChanged: return "\(subject): count changed from \(from) to \(to)"
    case .deleteRuleChanged: return "\(subject): delete rule changed from \(from) to \(to)"
    case .joinTableChanged: return "\(subject): join table changed from \(from) to \(to)"
    }
  }
}
