/// A condition in Foundation's predicate language.
public indirect enum Predicate: Hashable, Sendable {
  /// `TRUEPREDICATE` or `FALSEPREDICATE`.
  case constant(Bool)
  case comparison(Comparison)
  case not(Predicate)
  case and(Predicate, Predicate)
  case or(Predicate, Predicate)

  /// A comparison of two values.
  public struct Comparison: Hashable, Sendable {
    /// For how many of the values on the left it has to hold; none if there is one value.
    public var quantifier: Quantifier?
    /// The value on the left.
    public var left: Expression
    /// The comparator.
    public var comparator: Comparator
    /// The ignored differences between texts.
    public var options: Options
    /// The value on the right.
    public var right: Expression

    /// Creates a comparison.
    public init(
      _ left: Expression,
      _ comparator: Comparator,
      _ right: Expression,
      options: Options = Options(),
      quantifier: Quantifier? = nil
    ) {
      self.quantifier = quantifier
      self.left = left
      self.comparator = comparator
      self.options = options
      self.right = right
    }
  }

  /// For how many of several values something holds; the raw value is how it is written.
  public enum Quantifier: String, Hashable, Sendable, CaseIterable {
    case any = "ANY"
    /// Holds where there are no values, too.
    case all = "ALL"
    case none = "NONE"
  }

  /// A comparison of two values; the raw value is its syntax.
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

  /// The ignored differences between texts.
  public struct Options: Hashable, Sendable {
    /// A Boolean value that indicates whether capital letters equal small ones.
    public var ignoresCase: Bool
    /// A Boolean value that indicates whether letters equal those without marks.
    public var ignoresDiacritics: Bool

    /// A Boolean value that indicates whether the texts are known to be of one Unicode form.
    public var isNormalized: Bool
    /// A Boolean value that indicates whether the order is that of the language of the user, for
    /// which the database's own stands.
    public var isLocaleSensitive: Bool

    /// Creates options; by default every letter counts.
    public init(
      ignoresCase: Bool = false,
      ignoresDiacritics: Bool = false,
      isNormalized: Bool = false,
      isLocaleSensitive: Bool = false
    ) {
      self.ignoresCase = ignoresCase
      self.ignoresDiacritics = ignoresDiacritics
      self.isNormalized = isNormalized
      self.isLocaleSensitive = isLocaleSensitive
    }
  }

  /// Creates a predicate from its text.
  ///
  /// - Parameter text: A predicate of Foundation's language.
  /// - Throws: The fault and its position.
  public init(parsing text: String) throws(ExpressionError) {
    var parser = try ExpressionParser(text)
    self = try parser.wholePredicate()
  }
}

extension Predicate: CustomStringConvertible {
  /// The text that reads back as this predicate.
  public var description: String { text(binding: 0) }

  private func text(binding: Int) -> String {
    let own: Int
    let text: String
    switch self {
    case .constant(let value): return value ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .comparison(let comparison): return comparison.description
    case .not(let condition):
      own = 3
      text = "NOT \(condition.text(binding: 3))"
    case .and(let first, let second):
      own = 2
      text = "\(first.text(binding: 2)) AND \(second.text(binding: 3))"
    case .or(let first, let second):
      own = 1
      text = "\(first.text(binding: 1)) OR \(second.text(binding: 2))"
    }
    return own < binding ? "(\(text))" : text
  }
}

extension Predicate.Comparison: CustomStringConvertible {
  /// The text that reads back as this comparison.
  public var description: String {
    let start = quantifier.map { "\($0.rawValue) " } ?? ""
    return "\(start)\(left) \(comparator.rawValue)\(options) \(right)"
  }
}

extension Predicate.Options: CustomStringConvertible {
  /// The options after a comparator; empty if there are none.
  public var description: String {
    let letters = [
      (ignoresCase, "c"), (ignoresDiacritics, "d"), (isNormalized, "n"), (isLocaleSensitive, "l"),
    ]
    .filter(\.0).map(\.1).joined()
    return letters.isEmpty ? "" : "[\(letters)]"
  }
}
