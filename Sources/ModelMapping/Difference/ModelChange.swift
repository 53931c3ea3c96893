/// One thing in which two versions of a model differ, in Core Data's terms.
public struct ModelChange: Hashable, Sendable {
  /// The entity as the destination calls it, or as the source does if it has gone.
  public let entityName: String
  /// The property, if the change is one of a property.
  public let propertyName: String?
  /// What changed.
  public let kind: Kind
  /// What it was before, where that can be said in a word.
  public let before: String?
  /// What it is now, where that can be said in a word.
  public let after: String?

  /// What can change between two versions.
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
