internal import Diagnostics

/// `FUNCTION(receiver, "method:", …)`: the methods of Core Data's objects that mean something here.
extension ExpressionParser {
  static let instancesOfMapping = "destinationInstancesForEntityMappingNamed:sourceInstances:"
  static let instancesOfRelationship =
    "destinationInstancesForSourceRelationshipNamed:sourceInstances:"
  static let instancesOfMappings = [instancesOfMapping, instancesOfRelationship]
  /// The methods of the manager.
  static let managerMethods =
    instancesOfMappings + managerKeys + [sourceEntity, destinationEntity]
  /// The methods of the manager whose values have key paths of their own.
  static let managerKeys = ["userInfo", "currentEntityMapping", "sourceModel", "destinationModel"]
  static let sourceEntity = "sourceEntityForEntityMapping:"
  static let destinationEntity = "destinationEntityForEntityMapping:"
  /// The methods of any value.
  static let valueMethods =
    [
      "valueForKey:", "valueForKeyPath:", "objectForKey:", "uppercaseString", "lowercaseString",
      "length", "count",
    ] + Expression.Accessor.allCases.map(\.rawValue)
  static let nonNilValue = "_nonNilValueOrDefaultValueForAttribute:source:destination:"

  mutating func methodCall() throws(ExpressionError) -> Expression {
    try expect("(")
    let receiver = value(of: try disjunction())
    try expect(",")
    let column = current.column
    let selector = try expectString("the name of a method in quotes").text
    var arguments: [(value: Expression, column: Int)] = []
    while takeSymbol(",") {
      let column = current.column
      arguments.append((value(of: try disjunction()), column))
    }
    try expect(")")
    let count = selector.count { $0 == ":" }
    guard arguments.count == count else {
      throw ExpressionError(
        fact: .argumentCount(selector, takes: count...count, count: arguments.count),
        column: column
      )
    }
    switch receiver {
    case .variable("manager"): return try managerCall(selector, arguments, column)
    case .variable("entityPolicy"):
      if selector == Self.nonNilValue {
        return .nonNilValueOrDefault(attribute: try Self.text(arguments[0]))
      }
      return .policyCall(selector: selector, arguments: arguments.map(\.value))
    case .constant, .keyPath, .variable, .evaluatedObject, .function, .negation, .arithmetic, .cast,
      .accessor, .list, .element, .ternary, .subquery, .fetch, .destinationInstances, .lookup,
      .sql, .policyCall, .nonNilValueOrDefault:
      return try accessor(selector, of: receiver, arguments, column)
    }
  }

  private func managerCall(
    _ selector: String,
    _ arguments: [(value: Expression, column: Int)],
    _ column: Int
  ) throws(ExpressionError) -> Expression {
    let mapping: Expression.InstanceLookup.Mapping
    switch selector {
    case Self.instancesOfMapping: mapping = .named(try Self.text(arguments[0]))
    case Self.instancesOfRelationship: mapping = .ofRelationship(try Self.text(arguments[0]))
    case Self.sourceEntity, Self.destinationEntity:
      // The only entity mapping that an expression can name is its own.
      guard arguments[0].value == .variable("entityMapping") else {
        throw ExpressionError(
          fact: .expected("$entityMapping", found: "\(arguments[0].value)"),
          column: arguments[0].column
        )
      }
      let name = selector == Self.sourceEntity ? "source" : "destination"
      return .keyPath(KeyPathExpression(["entity"], base: .variable(name)))
    default:
      // Names are no closed set.
      if Self.managerKeys.contains(selector) {
        return .keyPath(KeyPathExpression([selector], base: .variable("manager")))
      }
      throw ExpressionError(
        fact: .unrecognizedSelector(
          selector,
          suggestion: suggestion(for: selector, among: Self.managerMethods)
        ),
        column: column
      )
    }
    return .destinationInstances(Expression.InstanceLookup(mapping, sources: arguments[1].value))
  }

  private func accessor(
    _ selector: String,
    of receiver: Expression,
    _ arguments: [(value: Expression, column: Int)],
    _ column: Int
  ) throws(ExpressionError) -> Expression {
    switch selector {
    case "valueForKey:", "valueForKeyPath:", "objectForKey:":
      let text = try Self.text(arguments[0])
      let isOneKey = selector != "valueForKeyPath:" && !text.hasPrefix("@")
      if isOneKey {
        // A text that is not a name would be read differently as a path.
        guard ExpressionScanner.isName(text) else {
          throw ExpressionError(
            fact: .expected("a name", found: text),
            column: arguments[0].column + 1
          )
        }
        var path = KeyPathExpression(startingAt: receiver)
        path.names.append(text)
        return .keyPath(path)
      }
      return .keyPath(
        try KeyPathExpression(
          startingAt: receiver,
          keyPath: text,
          column: arguments[0].column + 1
        )
      )
    case "uppercaseString": return .function(.uppercase, [receiver])
    case "lowercaseString": return .function(.lowercase, [receiver])
    case "length": return .function(.length, [receiver])
    case "count": return .function(.count, [receiver])
    default:
      // Names are no closed set.
      guard let accessor = Expression.Accessor(rawValue: selector) else {
        throw ExpressionError(
          fact: .unrecognizedSelector(
            selector,
            suggestion: ForeignNames.method(selector)
              ?? suggestion(for: selector, among: Self.valueMethods)
          ),
          column: column
        )
      }
      return .accessor(receiver, accessor)
    }
  }

  /// Returns the text that an argument has to be.
  private static func text(
    _ argument: (value: Expression, column: Int)
  ) throws(ExpressionError) -> String {
    guard case .constant(.string(let text)) = argument.value, !text.isEmpty else {
      throw ExpressionError(
        fact: .expected("a name in quotes", found: "\(argument.value)"),
        column: argument.column
      )
    }
    return text
  }
}
