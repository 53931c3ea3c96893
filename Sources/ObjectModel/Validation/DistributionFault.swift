/// The faults of how Citus distributes a table.
package enum DistributionFault: Hashable, Sendable {
  /// The table is partitioned as well.
  case besidePartitions
  /// The layout distributes schemas as a whole.
  case besideSchema
  /// Each node numbers rows from a range of its own, of which numbers of the type have none.
  case shortNumbers(AttributeType)

  /// The entity has no property of the name.
  case unrecognizedProperty(String, suggestion: String?)
  /// A subentity declares the property.
  case propertyBelowRoot(String, entity: String)
  /// Nothing can be distributed by such a property.
  case unusableProperty(String, Unusable)
  /// Values of the attribute's type have no hash.
  case propertyOfOtherType(String, AttributeType)

  /// The entity to be beside does not exist.
  case unrecognizedEntity(String, suggestion: String?)
  /// The entity to be beside is in the table of another one.
  case colocatedBelowRoot(String, root: String)
  /// The entity is to be beside itself, by way of these.
  case colocatedInCircle([String])
  /// The rows of the other entity are on all nodes, or on one; `nil` stands for the latter.
  case colocatedWithOther(String, DistributionDescription?)
  /// The distribution column of the other entity has another type.
  case colocatedOfOtherType(String, AttributeType, own: AttributeType)

  /// A uniqueness constraint does not contain the property, or cannot contain the key.
  case uniqueAcrossNodes(property: String?)
  /// The column of a one-to-one relationship is unique.
  case uniqueLink(property: String?)
  /// A join table cannot refer to the rows.
  case joinTable(of: String)
  /// A foreign key of rows that are on all nodes, or on one, cannot refer to those that are distributed.
  case referenceToRows(of: String, from: DistributionDescription?)
  /// A foreign key of distributed rows cannot refer to those that are on one node.
  case referenceToCoordinator(of: String)
  /// The rows that a foreign key refers to are distributed by the values of something else.
  case referenceApart(from: String)
  /// The columns of a foreign key do not contain both distribution columns, `nil` for the key.
  case referenceAcross(to: String, by: String?, own: String?, isOwn: Bool)
  /// Citus refuses the action of a foreign key.
  case action(Event, ReferenceDescription.Action, Limit, Source)

  /// The reason why nothing can be distributed by a property.
  package enum Unusable: Hashable, Sendable {
    case nameOfKey, transient, optional, composite, computed, toMany
    case keptElsewhere(inverse: String?)
  }

  /// What a foreign key has an action for.
  package enum Event: String, Hashable, Sendable {
    case delete, update
  }

  /// The reason why a foreign key cannot have an action.
  package enum Limit: Hashable, Sendable {
    /// It would change the distribution column.
    case distributionColumn
    /// It would change rows of other nodes for those of the entity.
    case coordinator(String)
  }

  /// What an action follows from.
  package enum Source: Hashable, Sendable {
    case reference
    case inverse(String, entity: String)
    case noInverse
  }
}
