/// A relationship of an entity to another, or to itself.
public struct RelationshipDescription: Hashable, Sendable {
  /// The name, unique among the properties of the entity and of all its superentities.
  public var name: String {
    get { fields.value.name }
    _modify { yield &fields.value.name }
  }
  /// The entity at the other end.
  public var destinationEntityName: String {
    get { fields.value.destinationEntityName }
    _modify { yield &fields.value.destinationEntityName }
  }
  /// The relationship of the destination that leads back.
  public var inverseName: String? {
    get { fields.value.inverseName }
    _modify { yield &fields.value.inverseName }
  }
  /// A Boolean value that indicates whether there may be many at the other end.
  public var isToMany: Bool {
    get { fields.value.isToMany }
    _modify { yield &fields.value.isToMany }
  }
  /// The fewest at the other end, as the model says; without meaning if the relationship is optional.
  public var minimumCount: Int {
    get { fields.value.minimumCount }
    _modify { yield &fields.value.minimumCount }
  }
  /// The most at the other end; 0 stands for any number.
  public var maximumCount: Int {
    get { fields.value.maximumCount }
    _modify { yield &fields.value.maximumCount }
  }
  /// A Boolean value that indicates whether those at the other end have an order.
  public var isOrdered: Bool {
    get { fields.value.isOrdered }
    _modify { yield &fields.value.isOrdered }
  }
  /// A Boolean value that indicates whether there may be none at the other end.
  public var isOptional: Bool {
    get { fields.value.isOptional }
    _modify { yield &fields.value.isOptional }
  }
  /// A Boolean value that indicates whether the relationship lives in the application only.
  public var isTransient: Bool {
    get { fields.value.isTransient }
    _modify { yield &fields.value.isTransient }
  }
  /// What happens to the other end when this one is deleted.
  public var deleteRule: DeleteRule {
    get { fields.value.deleteRule }
    _modify { yield &fields.value.deleteRule }
  }
  /// The name that the relationship had first, where it has been renamed.
  public var renamingIdentifier: String? {
    get { fields.value.renamingIdentifier }
    _modify { yield &fields.value.renamingIdentifier }
  }
  /// A mark that makes the version differ where the schema does not.
  public var versionHashModifier: String? {
    get { fields.value.versionHashModifier }
    _modify { yield &fields.value.versionHashModifier }
  }
  /// The column of the foreign key, where it is not to be called after the relationship; that of
  /// the position if the relationship is ordered.
  public var columnName: String? {
    get { fields.value.columnName }
    _modify { yield &fields.value.columnName }
  }
  /// The join table, where its name is not to be made of entity and relationship.
  public var joinTableName: String? {
    get { fields.value.joinTableName }
    _modify { yield &fields.value.joinTableName }
  }
  /// What the foreign key is to be, where it does not follow from the delete rules.
  public var reference: ReferenceDescription? {
    get { fields.value.reference }
    _modify { yield &fields.value.reference }
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
    var destinationEntityName: String
    var inverseName: String?
    var isToMany: Bool
    var minimumCount: Int
    var maximumCount: Int
    var isOrdered: Bool
    var isOptional: Bool
    var isTransient: Bool
    var deleteRule: DeleteRule
    var renamingIdentifier: String?
    var versionHashModifier: String?
    var columnName: String?
    var joinTableName: String?
    var reference: ReferenceDescription?
    var userInfo: [String: String]
    var foreign: ForeignContent
  }

  /// The action on the other end of a relationship when this one is deleted.
  public enum DeleteRule: String, Hashable, Sendable, Codable, CaseIterable {
    case nullify
    case cascade
    case deny
    case noAction
  }

  /// Creates a relationship.
  public init(
    name: String,
    destinationEntityName: String,
    inverseName: String? = nil,
    isToMany: Bool = false,
    minimumCount: Int = 0,
    maximumCount: Int? = nil,
    isOrdered: Bool = false,
    isOptional: Bool = true,
    isTransient: Bool = false,
    deleteRule: DeleteRule = .nullify,
    renamingIdentifier: String? = nil,
    versionHashModifier: String? = nil,
    columnName: String? = nil,
    joinTableName: String? = nil,
    reference: ReferenceDescription? = nil,
    userInfo: [String: String] = [:],
    foreign: ForeignContent = ForeignContent()
  ) {
    fields = Shared(
      Fields(
        name: name,
        destinationEntityName: destinationEntityName,
        inverseName: inverseName,
        isToMany: isToMany,
        minimumCount: minimumCount,
        maximumCount: maximumCount ?? (isToMany ? 0 : 1),
        isOrdered: isOrdered,
        isOptional: isOptional,
        isTransient: isTransient,
        deleteRule: deleteRule,
        renamingIdentifier: renamingIdentifier,
        versionHashModifier: versionHashModifier,
        columnName: columnName,
        joinTableName: joinTableName,
        reference: reference,
        userInfo: userInfo,
        foreign: foreign
      )
    )
  }

  /// The name by which versions are matched: the renaming identifier, else the name.
  package var canonicalName: String { renamingIdentifier ?? name }

  /// The fewest at the other end: old editors wrote a minimum of 1 for optional relationships, too.
  package var effectiveMinimumCount: Int { isOptional ? 0 : max(1, minimumCount) }

  /// The maximum number of destinations of either kind of relationship; 0 means no limit.
  package var effectiveMaximumCount: Int { isToMany ? maximumCount : 1 }
}
