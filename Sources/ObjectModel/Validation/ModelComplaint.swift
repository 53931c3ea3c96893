package import Diagnostics

/// Something that is wrong, or odd, about a part of a model.
package struct ModelComplaint: Hashable, Sendable {
  /// The part.
  package let element: ModelElement
  /// The fault.
  package let fact: Fact
  /// The severity: a model with an error cannot be used.
  package let severity: Diagnostic.Severity

  /// The faults of a part of a model.
  package enum Fact: Hashable, Sendable {
    /// The part has no name.
    case emptyName
    /// The name has a NUL character, which PostgreSQL cannot store.
    case nulInName
    /// The default value has a NUL character, which PostgreSQL cannot store.
    case nulInDefaultValue
    /// Another part of the same kind has the name.
    case duplicateName
    /// The property has the name of one that its entity inherits.
    case inheritedName(from: String)
    /// Another entity, or property of the entity, has the same renaming identifier.
    case sharedCanonicalName(String, other: String)
    /// Another entity, or property of the entity, has the renaming identifier as its name.
    case identifierOfSibling(String)

    /// The superentity does not exist.
    case unrecognizedSuperentity(String, suggestion: String?)
    /// The entity inherits from itself, by way of these.
    case cyclicSuperentities([String])
    /// Only the root of a hierarchy has a table.
    case tableNameBelowRoot(root: String)
    /// Only the root of a hierarchy has a key.
    case keyBelowRoot(root: String)
    /// Only the root of a hierarchy has settings of its table.
    case tableSettingBelowRoot(TableSetting, root: String)
    /// All entities of the hierarchy are abstract, so that it has no table.
    case tableSettingWithoutTable(TableSetting)
    /// The table cannot be partitioned as the model says.
    case partitioning(PartitioningFault)
    /// Citus cannot distribute the table as the model says.
    case distribution(DistributionFault)
    /// The name of a table or column is empty.
    case emptyStorageName(StorageName)
    /// The name of a table or column is longer than PostgreSQL's 63 bytes.
    case longStorageName(StorageName, String)

    /// The attribute has no type and is not transient.
    case undefinedType
    /// The composite that is the attribute's type does not exist.
    case unrecognizedComposite(String, suggestion: String?)
    /// The composite consists of itself, by way of these.
    case cyclicComposites([String])
    /// The composite, with its nested elements, has more columns than a table can have.
    case oversizedComposite
    /// The composite has no elements.
    case emptyComposite
    /// The default value is none of the type's.
    case defaultValueOfOtherType(AttributeValue, AttributeType)
    /// A bound of the validation is no number.
    case boundIsNoNumber(String)
    /// The least value is greater than the greatest.
    case reversedBounds(minimum: String, maximum: String)

    /// The key has a type that no key can have.
    case unusableKeyType(AttributeType)
    /// Only whole numbers can have a sequence.
    case numberedByOtherType(AttributeType)
    /// A column that belongs to a sequence has a value in every row.
    case numberedAndOptional
    /// Two settings exclude each other; these are their keys.
    case excludingSettings(String, String)
    /// Something in the server's words is empty; this is its key.
    case emptyExpression(String)
    /// Something in the server's words has a NUL character; this is its key.
    case nulInExpression(String)
    /// Something in the server's words has a character that no SQL has where it stands, such as the
    /// backslash of a command of `psql`; this is its key.
    case strayCharacter(String, Unicode.Scalar)
    /// Something in the server's words has a string, a quoted name or a comment without an end; this is
    /// its key.
    case unterminatedExpression(String)
    /// Only columns of the root can have the setting.
    case settingBelowRoot(String)
    /// A composite has several columns, and an element of one may be without a value.
    case settingOfComposite(String)
    /// A transient attribute has no column.
    case settingOfTransient(String)
    /// Two conditions have the same name.
    case duplicateCheck(String)
    /// Something is to be called by an empty name, or instead of one.
    case emptyObjectName(String)
    /// Something is to be called by a name that is too long.
    case longObjectName(String)
    /// Two objects have the same name.
    case sharedObjectName(String)
    /// The foreign key of the relationship is kept by the other end.
    case referenceElsewhere(inverse: String?)

    /// The destination does not exist.
    case unrecognizedDestination(String, suggestion: String?)
    /// The destination has no relationship of the inverse's name.
    case unrecognizedInverse(String, destination: String, suggestion: String?)
    /// The inverse has another inverse, or none.
    case inverseOfOther(inverse: String, of: String, other: String?)
    /// The inverse leads to another entity.
    case inverseToOtherEntity(inverse: String, of: String, destination: String)
    /// One end cannot have an order.
    case orderedToOne
    /// A to-one relationship leads to one.
    case maximumOfToOne(Int)
    /// A count is negative.
    case negativeCount(Int)
    /// The least count is greater than the greatest.
    case reversedCounts(minimum: Int, maximum: Int)

    /// A constraint, index or configuration lists nothing.
    case emptyList
    /// A constraint or index lists a property twice.
    case repeatedProperty(String)
    /// A constraint or index lists a name that is not a property of its entity.
    case unrecognizedProperty(String, entity: String, suggestion: String?)
    /// A constraint or index lists a property that has no column.
    case propertyWithoutColumn(String)
    /// A uniqueness constraint has a range, and a property of a type that no GiST index compares.
    case incomparableBesideRange(String, AttributeType, range: String)
    /// A configuration or fetch names an entity that does not exist.
    case unrecognizedEntity(String, suggestion: String?)
  }

  /// A setting of a table that only one with rows has a use for.
  package enum TableSetting: Hashable, Sendable {
    case storageParameters
    case partitions
    case distribution
  }

  /// The kind of object that a database name belongs to.
  package enum StorageName: String, Hashable, Sendable {
    case table
    case column
    case joinTable
  }
}

extension ManagedObjectModel {
  /// Returns everything that is wrong or odd about the model, in the order of its parts.
  ///
  /// The time it takes grows with the size of the model only.
  package func complaints() -> [ModelComplaint] {
    var validator = ModelValidator(self)
    validator.validate()
    return validator.complaints.sorted { $0.element.position < $1.element.position }
  }
}

extension ModelElement {
  /// A sort key by position in the model.
  fileprivate var position: (Int, Int, Int, Int) {
    switch self {
    case .model: (0, 0, 0, 0)
    case .entity(let index): (1, index, 0, 0)
    case .attribute(let entity, let index): (1, entity, 1, index)
    case .relationship(let entity, let index): (1, entity, 2, index)
    case .fetchedProperty(let entity, let index): (1, entity, 3, index)
    case .uniquenessConstraint(let entity, let index): (1, entity, 4, index)
    case .fetchIndex(let entity, let index): (1, entity, 5, index)
    case .compoundIndex(let entity, let index): (1, entity, 6, index)
    case .composite(let index): (2, index, 0, 0)
    case .compositeElement(let composite, let index): (2, composite, 1, index)
    case .configuration(let index): (3, index, 0, 0)
    case .fetchRequest(let index): (4, index, 0, 0)
    }
  }
}
