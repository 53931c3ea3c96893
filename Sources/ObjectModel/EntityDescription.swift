/// An entity: the properties of rows of one kind.
public struct EntityDescription: Hashable, Sendable {
  /// The name, unique in the model.
  public var name: String
  /// The entity that this one inherits from.
  public var superentityName: String?
  /// A Boolean value that indicates whether only subentities have rows.
  public var isAbstract: Bool
  /// The name that the entity had first, where it has been renamed.
  public var renamingIdentifier: String?
  /// A modifier that changes the version hash of an unchanged schema.
  public var versionHashModifier: String?
  /// The attributes that this entity declares itself.
  public var attributes: [AttributeDescription]
  /// The relationships that this entity declares itself.
  public var relationships: [RelationshipDescription]
  /// The fetched properties that this entity declares itself.
  public var fetchedProperties: [FetchedPropertyDescription]
  /// Lists of properties whose values together are unique.
  public var uniquenessConstraints: [[String]]
  /// Indexes in the newest syntax.
  public var fetchIndexes: [FetchIndexDescription]
  /// Indexes in the syntax before: lists of properties.
  public var compoundIndexes: [[String]]
  /// The table, where it is not to be called after the entity; root entities only.
  public var tableName: String?
  /// The key; root entities only.
  public var key: KeyDescription
  /// Conditions that every row of the table fulfils, in the order of their names.
  public var checks: [CheckDescription]
  /// The names of constraints, indexes and sequences that are not to be called by our rules, under
  /// those that they would have.
  public var objectNames: [String: String]
  /// The storage parameters of the table, by the names that the server has for them; root entities only.
  public var storage: [String: String]
  /// The application's class.
  public var className: String?
  /// Notes of the model's author, by key.
  public var userInfo: [String: String]
  /// Contents of the file without a meaning for a database.
  public var foreign: ForeignContent

  /// Creates an entity.
  public init(
    name: String,
    superentityName: String? = nil,
    isAbstract: Bool = false,
    renamingIdentifier: String? = nil,
    versionHashModifier: String? = nil,
    attributes: [AttributeDescription] = [],
    relationships: [RelationshipDescription] = [],
    fetchedProperties: [FetchedPropertyDescription] = [],
    uniquenessConstraints: [[String]] = [],
    fetchIndexes: [FetchIndexDescription] = [],
    compoundIndexes: [[String]] = [],
    tableName: String? = nil,
    key: KeyDescription = .bigint,
    checks: [CheckDescription] = [],
    objectNames: [String: String] = [:],
    storage: [String: String] = [:],
    className: String? = nil,
    userInfo: [String: String] = [:],
    foreign: ForeignContent = ForeignContent()
  ) {
    self.name = name
    self.superentityName = superentityName
    self.isAbstract = isAbstract
    self.renamingIdentifier = renamingIdentifier
    self.versionHashModifier = versionHashModifier
    self.attributes = attributes
    self.relationships = relationships
    self.fetchedProperties = fetchedProperties
    self.uniquenessConstraints = uniquenessConstraints
    self.fetchIndexes = fetchIndexes
    self.compoundIndexes = compoundIndexes
    self.tableName = tableName
    self.key = key
    // Their order has no meaning, and not every form of file can keep one.
    self.checks = checks.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    self.objectNames = objectNames
    self.storage = storage
    self.className = className
    self.userInfo = userInfo
    self.foreign = foreign
  }

  /// The name by which versions are matched: the renaming identifier, else the name.
  public var canonicalName: String { renamingIdentifier ?? name }
}

extension EntityDescription {
  /// The indexes that the entity declares in any of the three syntaxes, each column list once.
  ///
  /// The kind of an element does not matter: the database has one kind for scalars.
  public var declaredIndexes: [FetchIndexDescription] {
    let ofAttributes = attributes.filter { $0.isIndexed && !$0.isTransient }.map { [$0.name] }
    let plain = (ofAttributes + compoundIndexes).map { names in
      FetchIndexDescription(name: "", elements: names.map { .init(propertyName: $0) })
    }
    var indexes: [FetchIndexDescription] = []
    for index in fetchIndexes + plain where !index.elements.isEmpty || index.definition != nil {
      guard !indexes.contains(where: { $0.coversSame(as: index) }) else { continue }
      indexes.append(index)
    }
    return indexes
  }
}

extension FetchIndexDescription {
  fileprivate func coversSame(as other: FetchIndexDescription) -> Bool {
    partialPredicate == other.partialPredicate && definition == other.definition
      && isUnique == other.isUnique && elements.count == other.elements.count
      && zip(elements, other.elements).allSatisfy {
        $0.propertyName == $1.propertyName && $0.expression == $1.expression
          && $0.isAscending == $1.isAscending
      }
  }
}
