/// How the rows of one entity become rows of another.
public struct EntityMapping: Hashable, Sendable {
  /// The name, unique in the mapping model, for lookups.
  public var name: String
  /// The type of the mapping.
  public var type: MappingType
  /// The entity whose rows are taken; none for an added entity.
  public var sourceEntityName: String?
  /// The entity whose rows it creates; `nil` for a removed entity.
  public var destinationEntityName: String?
  /// Which rows of the source take part; all of them if there is no condition.
  public var condition: Predicate?
  /// The expressions by which several rows of the source become one row of the destination.
  public var distinct: DistinctRows?
  /// A to-many relationship of the source, for each of whose destinations there is a row.
  ///
  /// Expressions refer to the destination as `$each`.
  public var forEach: String?
  /// The values of the destination's attributes, inherited ones included.
  public var attributeMappings: [PropertyMapping]
  /// The links of the destination's relationships, inherited ones included.
  public var relationshipMappings: [PropertyMapping]
  /// SQL for the stages of the mapping.
  public var policy: SQLMigrationPolicy
  /// The name under which a policy in Swift is registered.
  public var policyClassName: String?
  /// The version of the registered policy.
  public var policyVersion: String?
  /// The rows that the registered policy creates in code.
  public var instanceCreation: InstanceCreation?
  /// The entities of the source that SQL of the mapping reads, besides its own.
  public var dependsOn: [String]
  /// User info, which expressions can read as `$entityMapping.userInfo`.
  public var userInfo: [String: String]

  /// The type of an entity mapping, by Core Data's name.
  public enum MappingType: String, Hashable, Sendable {
    /// The entity is new.
    case add
    /// The destination does not have the entity.
    case remove
    /// Both versions of the entity are the same.
    case copy
    /// The entity has changed.
    case transform
    /// A policy creates the rows.
    case custom
  }

  /// Creates an entity mapping.
  public init(
    name: String,
    type: MappingType,
    sourceEntityName: String? = nil,
    destinationEntityName: String? = nil,
    condition: Predicate? = nil,
    distinct: DistinctRows? = nil,
    forEach: String? = nil,
    attributeMappings: [PropertyMapping] = [],
    relationshipMappings: [PropertyMapping] = [],
    policy: SQLMigrationPolicy = SQLMigrationPolicy(),
    policyClassName: String? = nil,
    dependsOn: [String] = [],
    userInfo: [String: String] = [:]
  ) {
    self.name = name
    self.type = type
    self.sourceEntityName = sourceEntityName
    self.destinationEntityName = destinationEntityName
    self.condition = condition
    self.distinct = distinct
    self.forEach = forEach
    self.attributeMappings = attributeMappings
    self.relationshipMappings = relationshipMappings
    self.policy = policy
    self.policyClassName = policyClassName
    self.dependsOn = dependsOn
    self.userInfo = userInfo
  }
}

/// The equal values by which several rows of the source become one row of the destination.
///
/// A null equals another null here.
public struct DistinctRows: Hashable, Sendable {
  /// The expressions whose values tell one row of the destination from another.
  public var keys: [Expression]
  /// Which row of the source the other values are taken from.
  public var conflict: Conflict
  /// The order that decides the first row; equal rows, and all rows without an order, are in the
  /// order of their keys.
  public var order: [Order]

  /// Which of several rows gives its values.
  public enum Conflict: String, Hashable, Sendable, CaseIterable {
    case first
    case last
    /// All rows have to give the same values.
    case error
  }

  /// A part of an order.
  public struct Order: Hashable, Sendable {
    /// The compared expression.
    public var expression: Expression
    /// A Boolean value that indicates whether the greatest value is the first.
    public var isDescending: Bool

    /// Creates a part of an order.
    public init(_ expression: Expression, isDescending: Bool = false) {
      self.expression = expression
      self.isDescending = isDescending
    }
  }

  /// Creates a distinction.
  public init(keys: [Expression], conflict: Conflict = .first, order: [Order] = []) {
    self.keys = keys
    self.conflict = conflict
    self.order = order
  }
}

extension EntityMapping {
  /// Returns the name of a mapping that was given none: `SourceToDestination`, as Xcode has it.
  package static func defaultName(source: String?, destination: String?) -> String {
    switch (source, destination) {
    case (let source?, let destination?): "\(source)To\(destination)"
    case (let source, let destination): destination ?? source ?? "Mapping"
    }
  }

  /// The type of the mapping, as far as it determines it: whether the entity has changed depends on
  /// the models.
  package var authoredType: MappingType {
    if sourceEntityName == nil, destinationEntityName != nil { return .add }
    if destinationEntityName == nil { return .remove }
    let makesRows = policy.statements[.createDestinationInstances] != nil
    return makesRows || policyClassName != nil ? .custom : .transform
  }
}
