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
  /// The fewest at the other end, as the model says; without meaning if the relationship is optional.
  public var minimumCount: Int
  /// The most at the other end; 0 stands for any number.
  public var maximumCount: Int
  /// A Boolean value that indicates whether those at the other end have an order.
  public var isOrdered: Bool
  /// A Boolean value that indicates whether there may be none at the other end.
  public var isOptional: Bool
  /// A Boolean value that indicates whether the relationship lives in the application only.
  public var isTransient: Bool
  /// What happens to the other end when this one is deleted.
  public var deleteRule: DeleteRule
  /// The name that the relationship had first, where it has been renamed.
  public var renamingIdentifier: String?
  /// A mark that makes the version differ where the schema does not.
  public var versionHashModifier: String?
  /// The column of the foreign key, where it is not to be called after the relationship; that of
  /// the position if the relationship is ordered.
  public var columnName: String?
  /// The join table, where its name is not to be made of entity and relationship.
  public var joinTableName: String?
  /// What the foreign key is to be, where it does not follow from the delete rules.
  public var reference: ReferenceDescription?
  /// Notes of the model's author, by key.
  public var userInfo: [String: String]
  /// What the file says besides.
  public var foreign: ForeignContent

  /// What happens to the other end of a relationship when this one is deleted.
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

  /// The most at the other end; 0 stands for any number.
  public var effectiveMaximumCount: Int { isToMany ? maximumCount : 1 }
}
