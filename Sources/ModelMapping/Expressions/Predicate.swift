/// A condition in Foundation's predicate language, as far as it is about one row.
public indirect enum Predicate: Hashable, Sendable {
  /// `TRUEPREDICATE` or `FALSEPREDICATE`.
  case constant(Bool)
  case comparison(Comparison)
  case not(Predicate)
  case and(Predicate, Predicate)
  case or(Predicate, Predicate)

  /// Two values and what is said of them.
  public struct Comparison: Hashable, Sendable {
    /// The value on the left.
    public var left: Expression
    /// What is said.
    public var comparator: Comparator
    /// What makes no difference between texts.
    public var options: Options
    /// The value on the right.
    public var right: Expression

    /// Creates a comparison.
    public init(
      _ left: Expression,
      _ comparator: Comparator,
      _ right: Expression,
      options: Options = Options()
    ) {
      self.left = left
      self.comparator = comparator
      self.options = options
      self.right = right
    }
  }

  /// What can be said of two values; the raw value is how it is written.
  public enum Comparator: String, Hashable, Sendable, CaseIterable {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case between = "BETWEEN"
    case isIn = "IN"
    case contains = "CONTAINS"
    case beginsWith = "BEGINSWITH"
    case endsWith = "ENDSWITH"
    case like = "LIKE"
    case matches = "MATCHES"
  }

  /// What makes no difference between texts.
  public struct Options: Hashable, Sendable {
    /// A Boolean value that indicates whether capital letters equal small ones.
    public var ignoresCase: Bool
    /// A Boolean value that indicates whether letters equal those without marks.
    public var ignoresDiacritics: Bool

    /// Creates options; by default every letter counts.
    public init(ignoresCase: Bool = false, ignoresDiacritics: Bool = false) {
      self.ignoresCase = ignoresCase
      self.ignoresDiacritics = ignoresDiacritics
    }
  }

  /// Creates a predicate from its text.
  ///
  /// - Parameter text: A predicate of Foundation's language.
  /// - Throws: What cannot be read, and where.
  public init(parsing text: String) throws(ExpressionError) {
    var parser = try ExpressionParser(text)
    self = try parser.wholePredicate()
  }
}
