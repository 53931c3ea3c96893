extension Expression {
  /// The functions that the parser knows, by the names with which they are called.
  package static var functionNames: [String] {
    Function.allCases.map(\.rawValue) + ExpressionParser.otherFunctions
      + ["CAST", "TERNARY", "SUBQUERY", "FETCH", "FUNCTION"]
  }

  /// The methods that `FUNCTION` knows.
  package static var methodNames: [String] {
    ExpressionParser.valueMethods + ExpressionParser.managerMethods + [
      ExpressionParser.fetchSelector, ExpressionParser.fetchSelector + "includesSubentities:",
      ExpressionParser.nonNilValue,
    ]
  }

  /// The variables that have a meaning in a mapping model, without the dollar signs.
  package static let variableNames = [
    "source", "destination", "each", "manager", "entityMapping", "propertyMapping", "entityPolicy",
  ]
}
