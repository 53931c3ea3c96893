package import Diagnostics
package import ObjectModel

/// Something that is wrong, or odd, about a part of a mapping model between two versions.
package struct MappingComplaint: Hashable, Sendable {
  /// The part.
  package let element: MappingElement
  /// The fault.
  package let fact: Fact
  /// The piece of the part's text, if not all of it.
  package let textPart: MappingTextPart?
  /// The severity: a mapping model with an error cannot be used.
  package let severity: Diagnostic.Severity

  /// One of the two versions.
  package enum End: String, Hashable, Sendable {
    case source
    case destination
  }

  /// A kind of property that mappings are about.
  package enum PropertyKind: String, Hashable, Sendable {
    case attribute
    case relationship
  }

  /// The faults of a part of a mapping model.
  package enum Fact: Hashable, Sendable {
    /// Another entity mapping has the name, so that no lookup could tell them apart.
    case duplicateName
    /// The entity mapping has neither a source nor a destination.
    case noEntity
    /// The version has no entity of the name.
    case unrecognizedEntity(String, End, suggestion: String?)
    /// The destination is abstract: no row can be its.
    case abstractDestination(String)
    /// The part needs rows of a source, and the mapping has no source.
    case withoutSource
    /// The part sets values of a destination's rows, and there is no destination.
    case withoutDestination

    /// The entity has no attribute, or relationship, of the name.
    case unrecognizedProperty(String, PropertyKind, entity: String, suggestion: String?)
    /// The property is of the other kind.
    case propertyOfOtherKind(String, PropertyKind)
    /// The property is mapped twice.
    case duplicateProperty
    /// The property is in no table.
    case transientProperty
    /// The value is computed from others by the database.
    case derivedAttribute
    /// Only a to-many relationship can be iterated.
    case forEachOfToOne(String)

    /// A lookup names an entity mapping that there is not.
    case unrecognizedMapping(String, suggestion: String?)
    /// A lookup names a mapping that creates no rows.
    case lookupOfRemoval(String)
    /// A lookup gives another number of values than the mapping has keys.
    case lookupKeyCount(String, keys: Int, given: Int)
    /// A method of a policy is called that is not registered.
    case policyCall(String)
    /// A variable offers nothing under a key.
    case unrecognizedKey(String, ofVariable: String, known: [String])
    /// The manager's user info has no value of a key.
    case missingUserInfo(String)

    /// A policy creates rows in code without a source or a destination.
    case rowsInCodeWithoutEntity
    /// The entity mapping that is to create the rows cannot.
    case unusableCreator(String)
    /// Both a policy in code and SQL create the rows.
    case rowsMadeTwice
    /// A policy decides how many rows there are where the mapping does, too.
    case countsRowsTwice
    /// A policy sets a name that is not a stored attribute of the destination, or an element of
    /// one.
    case unsettableAttribute(String, entity: String, suggestion: String?)
    /// A policy sets an attribute that the mapping gives a value.
    case attributeSetTwice(String)
    /// A policy reads a name that is neither a stored attribute nor a to-one relationship of the
    /// source.
    case unreadableProperty(String, entity: String, suggestion: String?)

    /// The placeholder names an entity that the version does not have.
    case placeholderEntity(SQLTemplate.Placeholder, String, End, suggestion: String?)
    /// The placeholder names a property that the entity does not have.
    case placeholderProperty(
      SQLTemplate.Placeholder,
      String,
      entity: String,
      suggestion: String?
    )
    /// The placeholder names an entity mapping that there is not.
    case placeholderMapping(SQLTemplate.Placeholder, String, suggestion: String?)
    /// The text of a placeholder, which is none.
    case unreadablePlaceholder(String)
    /// SQL has a variable of expressions in it.
    case variableInSQL(String)
    /// Only stages of an entity mapping run in chunks of rows.
    case chunkOutsideOfStage
    /// SQL has a character that it cannot have where it stands, such as the backslash of a command of
    /// `psql`.
    case strayCharacter(Unicode.Scalar)
  }
}

extension MappingModel {
  /// Returns everything that is wrong or odd about the names in the mapping model, in its order.
  ///
  /// - Parameters:
  ///   - source: The version that the rows are at.
  ///   - destination: The version that they are to be at.
  /// - Returns: The complaints.
  package func complaints(
    from source: ManagedObjectModel,
    to destination: ManagedObjectModel
  ) -> [MappingComplaint] {
    var validator = MappingValidator(self, from: source, to: destination)
    validator.validate()
    return validator.complaints
  }
}
