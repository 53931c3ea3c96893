/// A text that is no expression or predicate, with the place where that shows.
public struct ExpressionError: Error, Hashable, Sendable {
  /// What is wrong.
  public let fact: Fact
  /// The place, in bytes of the text, counted from 1.
  public let column: Int

  /// What can be wrong with a text.
  public enum Fact: Hashable, Sendable {
    /// Something else has to stand here; what is found is empty at the end of the text.
    case expected(String, found: String)
    /// A text in quotes has no end.
    case unterminatedString
    /// The number has too many digits, or none.
    case unusableNumber(String)
    /// There is no function of the name.
    case unrecognizedFunction(String, suggestion: String?)
    /// The function takes another number of arguments.
    case argumentCount(String, takes: ClosedRange<Int>, count: Int)
    /// There is no such method that a server could carry out.
    case unrecognizedSelector(String, suggestion: String?)
    /// There is no such aggregate.
    case unrecognizedAggregate(String, suggestion: String?)
    /// Text cannot be compared in this way.
    case unsupportedOption(String)
    /// A word of Foundation's language that Remodel does not carry out.
    case unsupportedWord(String)
    /// A placeholder in SQL stands for nothing.
    case unusablePlaceholder(String)
    /// Parentheses are nested too deep, or the text is too long.
    case tooLarge
  }

  /// Creates an error in a text that stands in another.
  ///
  /// - Parameters:
  ///   - error: The error in the inner text.
  ///   - column: Where the inner text begins.
  init(_ error: ExpressionError, inTextAt column: Int) {
    self.init(fact: error.fact, column: error.column + column - 1)
  }

  init(fact: Fact, column: Int) {
    self.fact = fact
    self.column = column
  }
}
