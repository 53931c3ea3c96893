internal import Diagnostics

/// `FUNCTION(receiver, "method:", …)`: the methods of Core Data's objects that mean something here.
extension ExpressionParser {
  static let instancesOfMapping = "destinationInstancesForEntityMappingNamed:sourceInstances:"
  static let instancesOfRelationship =
    "destinationInstancesForSourceRelationshipNamed:sourceInstances:"
  static let nonNilValue = "_nonNilValueOrDefaultValueForAttribute:source:destination:"

  mutating func methodCall() throws(ExpressionError) -> Expression {
    try expect("(")
    let receiver = try value(of: disjunction())
    try expect(",")
    let column = current.column
    let selector = try expectString("the name of a method in quotes").text
    var arguments: [(value: Expression, column: Int)] = []
    while takeSymbol(",") {
      let column = current.column
      arguments.append((try value(of: disjunction()), column))
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
    default:
      // Names are no closed set.
      let known = [Self.instancesOfMapping, Self.instancesOfRelationship]
      throw ExpressionError(
        fact: .unrecognizedSelector(selector, suggestion: suggestion(for: selector, among: known)),
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
    case "valueForKey:", "valueForKeyPath:":
      let text = try Self.text(arguments[0])
      let isOneKey = selector == "valueForKey:" && !text.hasPrefix("@")
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
        let known =
          ["valueForKey:", "valueForKeyPath:"] + Expression.Accessor.allCases.map(\.rawValue)
        throw ExpressionError(
          fact: .unrecognizedSelector(
            selector,
            suggestion: suggestion(for: selector, among: known)
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
