/// An entity: the properties of rows of one kind.
public struct EntityDescription: Hashable, Sendable {
  /// The name, unique in the model.
  public var name: String {
    get { fields.value.name }
    _modify { yield &fields.value.name }
  }
  /// The entity that this one inherits from.
  public var superentityName: String? {
    get { fields.value.superentityName }
    _modify { yield &fields.value.superentityName }
  }
  /// A Boolean value that indicates whether only subentities have rows.
  public var isAbstract: Bool {
    get { fields.value.isAbstract }
    _modify { yield &fields.value.isAbstract }
  }
  /// The name that the entity had first, where it has been renamed.
  public var renamingIdentifier: String? {
    get { fields.value.renamingIdentifier }
    _modify { yield &fields.value.renamingIdentifier }
  }
  /// A mark that makes the version differ where the schema does not.
  public var versionHashModifier: String? {
    get { fields.value.versionHashModifier }
    _modify { yield &fields.value.versionHashModifier }
  }
  /// The attributes that this entity declares itself.
  public var attributes: [AttributeDescription] {
    get { fields.value.attributes }
    _modify { yield &fields.value.attributes }
  }
  /// The relationships that this entity declares itself.
  public var relationships: [RelationshipDescription] {
    get { fields.value.relationships }
    _modify { yield &fields.value.relationships }
  }
  /// The fetched properties that this entity declares itself.
  public var fetchedProperties: [FetchedPropertyDescription] {
    get { fields.value.fetchedProperties }
    _modify { yield &fields.value.fetchedProperties }
  }
  /// Lists of properties whose values together are unique.
  public var uniquenessConstraints: [[String]] {
    get { fields.value.uniquenessConstraints }
    _modify { yield &fields.value.uniquenessConstraints }
  }
  /// Indexes in the newest syntax.
  public var fetchIndexes: [FetchIndexDescription] {
    get { fields.value.fetchIndexes }
    _modify { yield &fields.value.fetchIndexes }
  }
  /// Indexes in the syntax before: lists of properties.
  public var compoundIndexes: [[String]] {
    get { fields.value.compoundIndexes }
    _modify { yield &fields.value.compoundIndexes }
  }
  /// The table, where it is not to be called after the entity; root entities only.
  public var tableName: String? {
    get { fields.value.tableName }
    _modify { yield &fields.value.tableName }
  }
  /// The key; root entities only.
  public var key: KeyDescription {
    get { fields.value.key }
    _modify { yield &fields.value.key }
  }
  /// Conditions that every row of the table fulfils, in the order of their names.
  public var checks: [CheckDescription] {
    get { fields.value.checks }
    _modify { yield &fields.value.checks }
  }
  /// The names of constraints, indexes and sequences that are not to be called by our rules, under
  /// those that they would have.
  public var objectNames: [String: String] {
    get { fields.value.objectNames }
    _modify { yield &fields.value.objectNames }
  }
  /// The storage parameters of the table, by the names that the server has for them; root entities only.
  public var storage: [String: String] {
    get { fields.value.storage }
    _modify { yield &fields.value.storage }
  }
  /// How rows are spread over partitions of the table, if it has some; root entities only.
  public var partitioning: PartitioningDescription? {
    get { fields.value.partitioning }
    _modify { yield &fields.value.partitioning }
  }
  /// How rows are spread over the nodes of a database with Citus, if they are; root entities only.
  public var distribution: DistributionDescription? {
    get { fields.value.distribution }
    _modify { yield &fields.value.distribution }
  }
  /// The application's class.
  public var className: String? {
    get { fields.value.className }
    _modify { yield &fields.value.className }
  }
  /// Notes of the model's author, by key.
  public var userInfo: [String: String] {
    get { fields.value.userInfo }
    _modify { yield &fields.value.userInfo }
  }
  /// What the file says besides.
  public var foreign: ForeignContent {
    get { fields.value.foreign }
    _modify { yield &fields.value.foreign }
  }

  private var fields: Shared<Fields>

  private struct Fields: Hashable, Sendable {
    var name: String
    var superentityName: String?
    var isAbstract: Bool
    var renamingIdentifier: String?
    var versionHashModifier: String?
    var attributes: [AttributeDescription]
    var relationships: [RelationshipDescription]
    var fetchedProperties: [FetchedPropertyDescription]
    var uniquenessConstraints: [[String]]
    var fetchIndexes: [FetchIndexDescription]
    var compoundIndexes: [[String]]
    var tableName: String?
    var key: KeyDescription
    var checks: [CheckDescription]
    var objectNames: [String: String]
    var storage: [String: String]
    var partitioning: PartitioningDescription?
    var distribution: DistributionDescription?
    var className: String?
    var userInfo: [String: String]
    var foreign: ForeignContent
  }

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
    partitioning: PartitioningDescription? = nil,
    distribution: DistributionDescription? = nil,
    className: String? = nil,
    userInfo: [String: String] = [:],
    foreign: ForeignContent = ForeignContent()
  ) {
    fields = Shared(
      Fields(
        name: name,
        superentityName: superentityName,
        isAbstract: isAbstract,
        renamingIdentifier: renamingIdentifier,
        versionHashModifier: versionHashModifier,
        attributes: attributes,
        relationships: relationships,
        fetchedProperties: fetchedProperties,
        uniquenessConstraints: uniquenessConstraints,
        fetchIndexes: fetchIndexes,
        compoundIndexes: compoundIndexes,
        tableName: tableName,
        key: key,
        // Their order has no meaning, and not every form of file can keep one.
        checks: checks.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) },
        objectNames: objectNames,
        storage: storage,
        partitioning: partitioning,
        distribution: distribution,
        className: className,
        userInfo: userInfo,
        foreign: foreign
      )
    )
  }

  /// The name by which versions are matched: the renaming identifier, else the name.
  package var canonicalName: String { renamingIdentifier ?? name }
}

extension EntityDescription {
  /// The indexes that the entity declares in any of the three syntaxes, each column list once.
  ///
  /// The kind of an element does not matter: the database has one kind for scalars.
  package var declaredIndexes: [FetchIndexDescription] {
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
