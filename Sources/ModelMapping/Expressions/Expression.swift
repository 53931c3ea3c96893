/// A value in Foundation's expression language, as far as it is about one row.
public indirect enum Expression: Hashable, Sendable {
  case constant(Constant)
  case keyPath(KeyPathExpression)
  case function(Function, [Expression])
  case negation(Expression)
  case arithmetic(Expression, ArithmeticOperator, Expression)
  /// `CAST(0, "NSDate")`: a value as one of a type of Foundation's.
  case cast(Expression, typeName: String)
  /// `{1, 2}`, what `IN` and `BETWEEN` have on their right.
  case list([Expression])

  /// A value that stands in the expression itself.
  public enum Constant: Hashable, Sendable {
    /// A number in canonical decimal digits.
    case number(String)
    case string(String)
    case boolean(Bool)
    case null
  }

  /// What is done with two numbers.
  public enum ArithmeticOperator: String, Hashable, Sendable, CaseIterable {
    case add = "+"
    case subtract = "-"
    case multiply = "*"
    case divide = "/"
  }

  /// A predefined function; the raw value is its name in the language.
  public enum Function: String, Hashable, Sendable, CaseIterable {
    case canonical = "canonical:"
    case lowercase = "lowercase:"
    case uppercase = "uppercase:"
    case length = "length:"
    case abs = "abs:"
    case floor = "floor:"
    case ceiling = "ceiling:"
    case now = "now"

    /// How many arguments it takes.
    public var argumentCount: Int {
      switch self {
      case .canonical, .lowercase, .uppercase, .length, .abs, .floor, .ceiling: 1
      case .now: 0
      }
    }
  }
}

/// The way from a row to a value: properties, and what is made of many values at the end.
public struct KeyPathExpression: Hashable, Sendable {
  /// The names of the properties on the way; never empty.
  public var names: [String]
  /// What is made of many values.
  public var aggregate: Aggregate?

  /// What can be made of many values.
  public enum Aggregate: String, Hashable, Sendable, CaseIterable {
    case count = "@count"
    case sum = "@sum"
    case minimum = "@min"
    case maximum = "@max"
    case average = "@avg"
  }

  /// Creates a path.
  public init(_ names: [String], aggregate: Aggregate? = nil) {
    self.names = names
    self.aggregate = aggregate
  }
}

extension Expression {
  /// Creates an expression from its text.
  ///
  /// - Parameter text: An expression of Foundation's language.
  /// - Throws: What cannot be read, and where.
  public init(parsing text: String) throws(ExpressionError) {
    var parser = try ExpressionParser(text)
    self = try parser.wholeExpression()
  }
}
