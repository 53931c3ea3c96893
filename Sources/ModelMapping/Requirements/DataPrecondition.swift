public import ObjectModel

/// Something that has to be true of the rows for a mapping to be carried out.
///
/// Names are those of the source, since the rows are asked before anything changes.
public struct DataPrecondition: Hashable, Sendable {
  /// The entity that it is about.
  public let entityName: String
  /// The concrete entities whose rows are asked.
  public let memberNames: [String]
  /// What has to be true of them.
  public let requirement: Requirement

  /// What has to be true of the rows of an entity.
  public enum Requirement: Hashable, Sendable {
    /// There are no rows, since this required property of the destination, or this element of one,
    /// has no value for them.
    case noRows(requiredProperty: String)
    /// There are no rows, since the entity becomes abstract.
    case noRowsOfAbstract
    /// There is always a value.
    case noNulls(PropertyPath)
    /// No two rows agree in all of these.
    case noDuplicates([UniqueValue])
    /// Each value has an exact counterpart in another type.
    case valuesFit(PropertyPath, AttributeType, into: AttributeType)
    /// Each value passes a validation of values of a type.
    case valuesValid(PropertyPath, AttributeValidation, of: AttributeType)
    /// The relationship, which becomes to-one, leads to one at most.
    case oneTarget(MovedRelationship)
    /// The inverse of the relationship, which becomes to-one, leads to one at most.
    case oneOwner(MovedRelationship)
    /// The relationship, which becomes required, leads somewhere.
    case someTarget(MovedRelationship)
    /// The relationship has no links with rows of these entities, which it cannot have any more.
    case noLinks(LinkOrigin, withOwners: [String], withTargets: [String])
  }

  /// A relationship of the destination with what its links come from.
  public struct MovedRelationship: Hashable, Sendable {
    /// The entity of the destination that declares it.
    public let entityName: String
    /// The relationship of the destination.
    public let relationshipName: String
    /// Where the links are in the source.
    public let origins: [LinkOrigin]
  }

  /// One of several values that have to be unique together.
  public struct UniqueValue: Hashable, Sendable {
    /// Where the value is, for each group of entities that have it in a place of their own.
    public let sources: [Source]

    /// Where entities have a value.
    public struct Source: Hashable, Sendable {
      /// The concrete entities.
      public let memberNames: [String]
      /// The property of the source; a new attribute has none.
      public let property: String?
      /// What stands for no value, where the mapping fills nulls.
      public let fill: AttributeValue?
    }
  }
}

extension DataPrecondition {
  /// A Boolean value that indicates whether the server would lose what does not meet it without a
  /// word.
  package var failsSilently: Bool {
    switch requirement {
    case .valuesFit, .oneTarget, .noLinks, .noRowsOfAbstract: true
    case .noRows, .noNulls, .noDuplicates, .valuesValid, .oneOwner, .someTarget: false
    }
  }

  /// The error of Core Data that comes up where the rows do not allow it.
  public var coreDataError: Int {
    switch requirement {
    case .noRows, .noRowsOfAbstract, .noNulls, .valuesFit, .oneTarget, .someTarget, .noLinks:
      134_110
    case .noDuplicates, .oneOwner: 134_111
    case .valuesValid: 1550
    }
  }
}
