public import ObjectModel

/// The origin of the value of one property of the destination.
public struct PropertyMapping: Hashable, Sendable {
  /// The property of the destination.
  public var name: String
  /// The value; the fallback if there is no expression.
  public var valueExpression: ValueExpression?
  /// The value where the expression has none.
  public var fallback: AttributeValue?
  /// The origins of the elements if the property is a composite.
  public var elementMappings: [ElementMapping]
  /// User info, which the expression can read as `$propertyMapping.userInfo`.
  public var userInfo: [String: String]

  /// Creates a property mapping.
  public init(
    name: String,
    valueExpression: ValueExpression? = nil,
    fallback: AttributeValue? = nil,
    elementMappings: [ElementMapping] = [],
    userInfo: [String: String] = [:]
  ) {
    self.name = name
    self.valueExpression = valueExpression
    self.fallback = fallback
    self.elementMappings = elementMappings
    self.userInfo = userInfo
  }
}

/// The origin of the value of one element of a composite.
public struct ElementMapping: Hashable, Sendable {
  /// The names of the elements on the way from the destination's attribute.
  public var path: [String]
  /// The names of the elements on the way from the source's attribute; none for a new element.
  public var sourcePath: [String]?
  /// The value where the expression has none.
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
  /// The new rows for the destinations of the source's relationship of this name.
  case destinationInstances(sourceRelationship: String)
  /// Any other expression.
  case expression(Expression)
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
    case .expression(let expression):
      return "\(expression)"
    }
  }
}
