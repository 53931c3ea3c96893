/// A relationship of an entity to another, or to itself.
public struct RelationshipDescription: Hashable, Sendable {
  /// The name, unique among the properties of the entity and of all its superentities.
  public var name: String
  /// The entity at the other end.
  public var destinationEntityName: String
  /// The relationship of the destination that leads back.
  public var inverseName: String?
  /// A Boolean value that indicates whether there may be many at the other end.
  public var isToMany: Bool
  /// The minimum number of destinations in the model; it has no meaning if the relationship is
  /// optional.
  public var minimumCount: Int
  /// The maximum number of destinations; 0 means no limit.
  public var maximumCount: Int
  /// A Boolean value that indicates whether those at the other end have an order.
  public var isOrdered: Bool
  /// A Boolean value that indicates whether there may be none at the other end.
  public var isOptional: Bool
  /// A Boolean value that indicates whether the relationship lives in the application only.
  public var isTransient: Bool
  /// The delete rule.
  public var deleteRule: DeleteRule
  /// The name that the relationship had first, where it has been renamed.
  public var renamingIdentifier: String?
  /// A modifier that changes the version hash of an unchanged schema.
  public var versionHashModifier: String?
  /// The column of the foreign key, where it is not to be called after the relationship; that of
  /// the position if the relationship is ordered.
  public var columnName: String?
  /// The name of the join table, if it does not follow from entity and relationship.
  public var joinTableName: String?
  /// The settings of the foreign key, if they do not follow from the delete rules.
  public var reference: ReferenceDescription?
  /// Notes of the model's author, by key.
  public var userInfo: [String: String]
  /// Contents of the file without a meaning for a database.
  public var foreign: ForeignContent

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
    self.name = name
    self.destinationEntityName = destinationEntityName
    self.inverseName = inverseName
    self.isToMany = isToMany
    self.minimumCount = minimumCount
    self.maximumCount = maximumCount ?? (isToMany ? 0 : 1)
    self.isOrdered = isOrdered
    self.isOptional = isOptional
    self.isTransient = isTransient
    self.deleteRule = deleteRule
    self.renamingIdentifier = renamingIdentifier
    self.versionHashModifier = versionHashModifier
    self.columnName = columnName
    self.joinTableName = joinTableName
    self.reference = reference
    self.userInfo = userInfo
    self.foreign = foreign
  }

  /// The name by which versions are matched: the renaming identifier, else the name.
  public var canonicalName: String { renamingIdentifier ?? name }

  /// The fewest at the other end: old editors wrote a minimum of 1 for optional relationships, too.
  public var effectiveMinimumCount: Int { isOptional ? 0 : max(1, minimumCount) }

  /// The maximum number of destinations of either kind of relationship; 0 means no limit.
  public var effectiveMaximumCount: Int { isToMany ? maximumCount : 1 }
}
