package import ObjectModel

/// A condition on the rows that a mapping needs.
///
/// Names are those of the source, since it is checked before the migration changes anything.
package struct DataPrecondition: Hashable, Sendable {
  /// The entity that it is about.
  package let entityName: String
  /// The concrete entities whose rows are checked.
  package let memberNames: [String]
  /// The requirement.
  package let requirement: Requirement

  /// The requirements on the rows of an entity.
  package enum Requirement: Hashable, Sendable {
    /// There are no rows, since this required property of the destination, or this element of one,
    /// has no value for them.
    case noRows(requiredProperty: String)
    /// The entity, which becomes abstract, has no rows.
    case noRowsOfAbstract
    /// There is always a value.
    case noNulls(PropertyPath)
    /// No two rows agree in all of these.
    case noDuplicates([UniqueValue])
    /// Each value has an exact counterpart in another type.
    case valuesFit(PropertyPath, AttributeType, into: AttributeType)
    /// Each value passes a validation of values of a type.
    case valuesValid(PropertyPath, AttributeValidation, of: AttributeType)
    /// The relationship, which becomes to-one, has at most one destination.
    case oneTarget(MovedRelationship)
    /// The inverse of the relationship, which becomes to-one, has at most one destination.
    case oneOwner(MovedRelationship)
    /// The relationship, which becomes required, has a destination.
    case someTarget(MovedRelationship)
    /// The relationship has no links with rows of these entities, which it cannot have any more.
    case noLinks(LinkOrigin, withOwners: [String], withTargets: [String])
  }

  /// A relationship of the destination with the origins of its links.
  package struct MovedRelationship: Hashable, Sendable {
    /// The entity of the destination that declares it.
    package let entityName: String
    /// The relationship of the destination.
    package let relationshipName: String
    /// The places of the links in the source.
    package let origins: [LinkOrigin]
  }

  /// One of several values that have to be unique together.
  package struct UniqueValue: Hashable, Sendable {
    /// The places of the value, for each group of entities with a place of their own.
    package let sources: [Source]

    /// The place of a value in some entities.
    package struct Source: Hashable, Sendable {
      /// The concrete entities.
      package let memberNames: [String]
      /// The property of the source; a new attribute has none.
      package let property: String?
      /// The value for nulls, if the mapping fills them.
      package let fill: AttributeValue?
    }
  }
}

extension DataPrecondition {
  /// A Boolean value that indicates whether the server would silently change violating values.
  package var failsSilently: Bool {
    switch requirement {
    case .valuesFit, .oneTarget, .noLinks, .noRowsOfAbstract: true
    case .noRows, .noNulls, .noDuplicates, .valuesValid, .oneOwner, .someTarget: false
    }
  }

  /// Core Data's error code for rows that violate it.
  package var coreDataError: Int {
    switch requirement {
    case .noRows, .noRowsOfAbstract, .noNulls, .valuesFit, .oneTarget, .someTarget, .noLinks:
      134_110
    case .noDuplicates, .oneOwner: 134_111
    case .valuesValid: 1550
    }
  }
}
