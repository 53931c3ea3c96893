extension Expression {
  /// Returns whether the expression certainly has a value for every row.
  ///
  /// What cannot be told from the expression alone, as what a text is as a number, is not certain.
  ///
  /// - Parameter isPresent: Returns whether what a way leads to certainly has one.
  /// - Returns: Whether there is a value for certain.
  public func isAlwaysPresent(where isPresent: (KeyPathExpression) -> Bool) -> Bool {
    switch self {
    case .constant(let constant): constant != .null
    case .keyPath(let path): isPresent(path)
    case .negation(let operand): operand.isAlwaysPresent(where: isPresent)
    case .arithmetic(let left, _, let right):
      [left, right].allSatisfy { $0.isAlwaysPresent(where: isPresent) }
    case .ternary(_, let first, let second):
      [first, second].allSatisfy { $0.isAlwaysPresent(where: isPresent) }
    case .function(let function, let arguments):
      switch function.presence {
      case .always: true
      case .ofAll: arguments.allSatisfy { $0.isAlwaysPresent(where: isPresent) }
      case .ofAny: arguments.contains { $0.isAlwaysPresent(where: isPresent) }
      case .uncertain: false
      }
    case .variable, .evaluatedObject, .cast, .accessor, .list, .element, .subquery, .fetch,
      .destinationInstances, .lookup, .sql, .policyCall, .nonNilValueOrDefault:
      false
    }
  }
}

extension Expression.Function {
  /// When there is a result.
  fileprivate enum Presence {
    case always
    /// If every argument has a value.
    case ofAll
    /// If one of them has.
    case ofAny
    case uncertain
  }

  fileprivate var presence: Presence {
    switch self {
    case .concat, .now, .random, .uuid: .always
    case .coalesce: .ofAny
    case .add, .subtract, .multiply, .divide, .modulus, .power, .squareRoot, .logarithm,
      .naturalLogarithm, .exponential, .abs, .floor, .ceiling, .truncate, .bitwiseAnd, .bitwiseOr,
      .bitwiseXor, .leftShift, .rightShift, .onesComplement, .randomBelow, .randomInteger,
      .canonical, .lowercase, .uppercase, .length, .trim, .substring, .replace, .regexReplace,
      .noIndex:
      .ofAll
    case .sum, .count, .minimum, .maximum, .average, .median, .mode, .standardDeviation, .split,
      .distance, .nullIf, .json:
      .uncertain
    }
  }
}
