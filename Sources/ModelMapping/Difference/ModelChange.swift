/// A difference between two versions of a model, in Core Data's terms.
public struct ModelChange: Hashable, Sendable {
  /// The name of the entity in the destination, or in the source if the destination does not have
  /// it; empty for a change of the whole model.
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
    case partitioningChanged, distributionChanged
    case uniquenessAdded, uniquenessRemoved, indexAdded, indexRemoved
    case checkAdded, checkRemoved, objectNameAdded, objectNameRemoved
    case attributeAdded, attributeRemoved, attributeRenamed
    case relationshipAdded, relationshipRemoved, relationshipRenamed
    case typeChanged, optionalChanged, defaultChanged, derivationChanged, transientChanged
    case columnChanged, validationChanged, hashModifierChanged, renamingIdentifierChanged
    case destinationChanged, inverseChanged, toManyChanged, orderedChanged, countsChanged
    case deleteRuleChanged, joinTableChanged
    case generationChanged, numberingChanged, referenceChanged
    case layoutChanged
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
