public import ObjectModel

/// How the rows of one model version become the rows of another.
public struct MappingModel: Hashable, Sendable {
  /// The mappings of the entities, in the order in which they are carried out.
  public var entityMappings: [EntityMapping]

  /// Creates a mapping model.
  public init(entityMappings: [EntityMapping]) {
    self.entityMappings = entityMappings
  }
}

/// How the rows of one entity become rows of another.
public struct EntityMapping: Hashable, Sendable {
  /// The name, unique in the mapping model.
  public var name: String
  /// What the mapping does.
  public var type: MappingType
  /// The entity whose rows are taken; none for an added entity.
  public var sourceEntityName: String?
  /// The entity whose rows are made; none for a removed entity.
  public var destinationEntityName: String?
  /// The values of the destination's attributes, inherited ones included.
  public var attributeMappings: [PropertyMapping]
  /// The links of the destination's relationships, inherited ones included.
  public var relationshipMappings: [PropertyMapping]

  /// What an entity mapping does, as Core Data names it.
  public enum MappingType: String, Hashable, Sendable {
    /// The entity is new.
    case add
    /// The entity has gone.
    case remove
    /// Both versions of the entity are the same.
    case copy
    /// The entity has changed.
    case transform
  }

  /// Creates an entity mapping.
  public init(
    name: String,
    type: MappingType,
    sourceEntityName: String? = nil,
    destinationEntityName: String? = nil,
    attributeMappings: [PropertyMapping] = [],
    relationshipMappings: [PropertyMapping] = []
  ) {
    self.name = name
    self.type = type
    self.sourceEntityName = sourceEntityName
    self.destinationEntityName = destinationEntityName
    self.attributeMappings = attributeMappings
    self.relationshipMappings = relationshipMappings
  }
}

/// Where the value of one property of the destination comes from.
public struct PropertyMapping: Hashable, Sendable {
  /// The property of the destination.
  public var name: String
  /// The value; the fallback if there is no expression.
  public var valueExpression: ValueExpression?
  /// What stands where the expression has no value; nothing if there is none.
  public var fallback: AttributeValue?
  /// Where the elements come from if the property is a composite.
  public var elementMappings: [ElementMapping]

  /// Creates a property mapping.
  public init(
    name: String,
    valueExpression: ValueExpression? = nil,
    fallback: AttributeValue? = nil,
    elementMappings: [ElementMapping] = []
  ) {
    self.name = name
    self.valueExpression = valueExpression
    self.fallback = fallback
    self.elementMappings = elementMappings
  }
}

/// Where the value of one element of a composite comes from.
public struct ElementMapping: Hashable, Sendable {
  /// The names of the elements on the way from the destination's attribute.
  public var path: [String]
  /// The names of the elements on the way from the source's attribute; none for a new element.
  public var sourcePath: [String]?
  /// What stands where there is no value; nothing if there is none.
  public var fallback: AttributeValue?

  /// Creates an element mapping.
  public init(path: [String], sourcePath: [String]? = nil, fallback: AttributeValue? = nil) {
    self.path = path
    self.sourcePath = sourcePath
    self.fallback = fallback
  }
}

/// An expression for a value of the destination.
public enum ValueExpression: Hashable, Sendable {
  /// The value of the source's attribute of a name.
  case sourceAttribute(String)
  /// What the destinations of the source's relationship of a name have become.
  case destinationInstances(sourceRelationship: String)
}

extension ValueExpression: CustomStringConvertible {
  /// The expression as Core Data's own mapping models write it.
  public var description: String {
    switch self {
    case .sourceAttribute(let name):
      return "FUNCTION($source, \"valueForKey:\", \"\(name)\")"
    case .destinationInstances(let name):
      let instances = "destinationInstancesForSourceRelationshipNamed:sourceInstances:"
      return "FUNCTION($manager, \"\(instances)\", \"\(name)\", "
        + "FUNCTION($source, \"valueForKey:\", \"\(name)\"))"
    }
  }
}
