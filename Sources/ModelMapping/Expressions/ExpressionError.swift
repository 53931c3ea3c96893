public import Diagnostics

/// A text that is no expression or predicate, with the place where that shows.
public struct ExpressionError: Error, Hashable, Sendable {
  /// The fault.
  public let fact: Fact
  /// The place, in bytes of the text, counted from 1.
  public let column: Int

  /// The faults of a text.
  public enum Fact: Hashable, Sendable {
    /// Something else is expected here; `found` is empty at the end of the text.
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

  /// Creates an error in a text inside another one.
  ///
  /// - Parameters:
  ///   - error: The error in the inner text.
  ///   - column: The start of the inner text.
  init(_ error: ExpressionError, inTextAt column: Int) {
    self.init(fact: error.fact, column: error.column + column - 1)
  }

  init(fact: Fact, column: Int) {
    self.fact = fact
    self.column = column
  }
}

extension ExpressionError {
  /// The complaint in words, without the text that it is about.
  public var diagnostic: Diagnostic {
    Diagnostic("\(message) at column \(column)", hint: hint)
  }

  /// The complaint in words, without its place.
  package var message: String {
    switch fact {
    case .expected(let what, found: ""): "expected \(what), found the end"
    case .expected(let what, let found): "expected \(what), found \"\(found)\""
    case .unterminatedString: "string without an end"
    case .unusableNumber(let text): "number \"\(text)\" cannot be read"
    case .unrecognizedFunction(let name, _): "unrecognized function \"\(name)\""
    case .argumentCount(let name, let takes, let count):
      "function \"\(name)\" takes \(Self.words(takes)), not \(count)"
    case .unrecognizedSelector(let name, _): "unrecognized method \"\(name)\""
    case .unrecognizedAggregate(let name, _): "unrecognized aggregate \"\(name)\""
    case .unsupportedOption(let letters): "unrecognized option \"[\(letters)]\""
    case .unsupportedWord(let word): "\"\(word)\" has no meaning in a database"
    case .unusablePlaceholder(let text): "placeholder \"\(text)\" stands for nothing"
    case .tooLarge: "expression is too large"
    }
  }

  private static func words(_ counts: ClosedRange<Int>) -> String {
    if counts == 1...1 { return "1 argument" }
    if counts.count == 1 { return "\(counts.lowerBound) arguments" }
    return "\(counts.lowerBound) to \(counts.upperBound) arguments"
  }

  private var hint: String {
    switch fact {
    case .expected(_, let found):
      ForeignNames.remedy(for: found)
        ?? "Write it as Core Data's predicate format has it: name == \"x\" AND age > 3."
    case .unterminatedString, .unusableNumber:
      "Write it as Core Data's predicate format has it: name == \"x\" AND age > 3."
    case .unrecognizedFunction(_, let suggestion?), .unrecognizedAggregate(_, let suggestion?),
      .unrecognizedSelector(_, let suggestion?):
      "Did you mean \"\(suggestion)\"?"
    case .unrecognizedFunction:
      "There are "
        + Expression.functionNames.map { "\"\($0)\"" }.joined(separator: ", ") + "."
    case .unrecognizedSelector:
      "A server has no methods of the application. Write the expression with functions, or SQL."
    case .unrecognizedAggregate:
      "There are "
        + KeyPathExpression.Aggregate.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
        + "."
    case .argumentCount: "Write as many arguments as it takes, with commas between them."
    case .unsupportedOption: "There are [c], [d], [n], [l] and their combinations."
    case .unsupportedWord: "Write the condition with IN, ANY, ALL, NONE or SUBQUERY."
    case .unusablePlaceholder:
      "Write ${source.Entity}, ${source.Entity.property}, ${destination.Entity} or "
        + "${destination.Entity.property}."
    case .tooLarge: "Nest at most 100 levels, with at most 400 operators in at most 10000 bytes."
    }
  }
}
