/// A value in Foundation's expression language, with Remodel's extensions.
///
/// Different texts with the same meaning have the same tree.
public indirect enum Expression: Hashable, Sendable {
  case constant(Constant)
  case keyPath(KeyPathExpression)
  /// `$source`, `$each`: the variable itself.
  case variable(String)
  /// `SELF`: the row that the expression is about, as a whole.
  case evaluatedObject
  case function(Function, [Expression])
  case negation(Expression)
  case arithmetic(Expression, ArithmeticOperator, Expression)
  /// `CAST(0, "NSDate")`: a value as one of a type of Foundation's.
  case cast(Expression, typeName: String)
  /// `FUNCTION(x, "intValue")`: a value as its own accessor gives it.
  case accessor(Expression, Accessor)
  /// `{1, 2}`: several values.
  case list([Expression])
  /// `x[0]`, `x[FIRST]`: one of several values, or how many there are.
  case element(Expression, ElementPosition)
  /// `TERNARY(condition, first, second)`.
  case ternary(Predicate, Expression, Expression)
  /// `SUBQUERY(collection, $variable, condition)`: those of several for which a condition holds.
  case subquery(Expression, variable: String, Predicate)
  /// `FETCH(…)`: rows of an entity of the source, or how many there are.
  case fetch(SourceFetch)
  /// The new rows for rows of the source.
  case destinationInstances(InstanceLookup)
  /// `lookup("Mapping", key, …)`: the row that a mapping created for these keys.
  case lookup(mapping: String, keys: [Expression])
  /// `SQL("…")`: a value as SQL that people wrote, with placeholders as an ``SQLTemplate`` has them.
  case sql(String)
  /// A method of a policy in the application, which no server can call.
  case policyCall(selector: String, arguments: [Expression])
  /// The source's value of an attribute, or the default of the attribute that is set.
  case nonNilValueOrDefault(attribute: String)

  /// A literal of the expression.
  public enum Constant: Hashable, Sendable {
    /// A number in canonical decimal digits. One that was written with a point or an exponent has a
    /// point, be it before a zero: in Foundation it is no integer.
    case number(String)
    case string(String)
    case boolean(Bool)
    case null
  }

  /// An operation on two numbers.
  public enum ArithmeticOperator: String, Hashable, Sendable, CaseIterable {
    case add = "+"
    case subtract = "-"
    case multiply = "*"
    case divide = "/"
    case power = "**"
  }

  /// A method of Foundation's own values; the raw value is its name.
  public enum Accessor: String, Hashable, Sendable, CaseIterable {
    case stringValue, description
    case boolValue
    case shortValue, intValue, integerValue, longValue, longLongValue
    case floatValue, doubleValue
    case decimalValue
  }

  /// Which of several values.
  public enum ElementPosition: Hashable, Sendable {
    /// The one at a place, counted from 0.
    case index(Expression)
    case first
    case last
    /// Not a value, but how many there are.
    case size
  }

  /// A lookup of the new rows for rows of the source.
  public struct InstanceLookup: Hashable, Sendable {
    /// The mappings to look them up in.
    public var mapping: Mapping
    /// The rows of the source.
    public var sources: Expression

    /// The mappings whose rows the function looks up.
    public enum Mapping: Hashable, Sendable {
      /// The entity mapping of a name.
      case named(String)
      /// All mappings whose source is the destination of a relationship.
      case ofRelationship(String)
    }

    /// Creates a question.
    public init(_ mapping: Mapping, sources: Expression) {
      self.mapping = mapping
      self.sources = sources
    }
  }

  /// A fetch of rows of the source.
  public struct SourceFetch: Hashable, Sendable {
    /// The entity.
    public var entityName: String
    /// Which of its rows.
    public var predicate: Predicate
    /// A Boolean value that indicates whether rows of subentities are among them.
    public var includesSubentities: Bool
    /// A Boolean value that indicates whether the rows are counted only.
    public var countsOnly: Bool

    /// Creates a fetch; by default it is of all rows.
    public init(
      _ entityName: String,
      where predicate: Predicate = .constant(true),
      includesSubentities: Bool = true,
      countsOnly: Bool = false
    ) {
      self.entityName = entityName
      self.predicate = predicate
      self.includesSubentities = includesSubentities
      self.countsOnly = countsOnly
    }
  }
}

extension Expression {
  /// Creates an expression from its text.
  ///
  /// - Parameter text: An expression of Foundation's language.
  /// - Throws: The fault and its position.
  public init(parsing text: String) throws(ExpressionError) {
    var parser = try ExpressionParser(text)
    self = try parser.wholeExpression()
  }
}

extension Expression {
  /// The subexpressions, each after its parent, beginning with the expression itself.
  package var parts: [Expression] {
    var parts: [Expression] = []
    collect(into: &parts)
    return parts
  }

  fileprivate func collect(into parts: inout [Expression]) {
    parts.append(self)
    switch self {
    case .constant, .variable, .evaluatedObject, .sql, .nonNilValueOrDefault: break
    case .keyPath(let path):
      if case .expression(let base) = path.base { base.collect(into: &parts) }
    case .function(_, let values), .list(let values), .lookup(_, let values),
      .policyCall(_, let values):
      for value in values { value.collect(into: &parts) }
    case .negation(let value), .cast(let value, _), .accessor(let value, _):
      value.collect(into: &parts)
    case .arithmetic(let left, _, let right):
      left.collect(into: &parts)
      right.collect(into: &parts)
    case .element(let value, let position):
      value.collect(into: &parts)
      if case .index(let index) = position { index.collect(into: &parts) }
    case .ternary(let condition, let first, let second):
      condition.collect(into: &parts)
      first.collect(into: &parts)
      second.collect(into: &parts)
    case .subquery(let collection, _, let condition):
      collection.collect(into: &parts)
      condition.collect(into: &parts)
    case .fetch(let fetch): fetch.predicate.collect(into: &parts)
    case .destinationInstances(let lookup): lookup.sources.collect(into: &parts)
    }
  }
}

extension Predicate {
  /// The expressions that the predicate consists of.
  package var parts: [Expression] {
    var parts: [Expression] = []
    collect(into: &parts)
    return parts
  }

  fileprivate func collect(into parts: inout [Expression]) {
    switch self {
    case .constant: break
    case .comparison(let comparison):
      comparison.left.collect(into: &parts)
      comparison.right.collect(into: &parts)
    case .not(let condition): condition.collect(into: &parts)
    case .and(let first, let second), .or(let first, let second):
      first.collect(into: &parts)
      second.collect(into: &parts)
    }
  }
}

extension Expression {
  /// Returns whether the expression certainly has a value for every row.
  ///
  /// A value that depends on the rows, such as the number in a text, is not certain.
  ///
  /// - Parameter isPresent: Returns whether a key path certainly has a value.
  /// - Returns: Whether there is a value for certain.
  package func isAlwaysPresent(where isPresent: (KeyPathExpression) -> Bool) -> Bool {
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
