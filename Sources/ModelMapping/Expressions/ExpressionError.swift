public import Diagnostics

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
    case argumentCount(Expression.Function, count: Int)
    /// There is no such aggregate.
    case unrecognizedAggregate(String, suggestion: String?)
    /// Text cannot be compared in this way.
    case unsupportedOption(String)
    /// Something of Foundation's language that is not about one row.
    case notAboutOneRow(String)
    /// Parentheses are nested too deep, or the text is too long.
    case tooLarge
  }

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
    case .argumentCount(let function, let count):
      "function \"\(function.rawValue)\" takes \(function.argumentCount) arguments, not \(count)"
    case .unrecognizedAggregate(let name, _): "unrecognized aggregate \"\(name)\""
    case .unsupportedOption(let letters): "unrecognized option \"[\(letters)]\""
    case .notAboutOneRow(let word): "\"\(word)\" is not about the properties of one row"
    case .tooLarge: "expression is too large"
    }
  }

  private var hint: String {
    switch fact {
    case .expected, .unterminatedString, .unusableNumber:
      "Write it as Core Data's predicate format has it: name == \"x\" AND age > 3."
    case .unrecognizedFunction(_, let suggestion?), .unrecognizedAggregate(_, let suggestion?):
      "Did you mean \"\(suggestion)\"?"
    case .unrecognizedFunction:
      "There are "
        + Expression.Function.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ") + "."
    case .unrecognizedAggregate:
      "There are "
        + KeyPathExpression.Aggregate.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
        + "."
    case .argumentCount: "Write as many arguments as it takes, with commas between them."
    case .unsupportedOption: "There are [c], [d] and [cd]."
    case .notAboutOneRow: "Use properties, constants, operators and functions only."
    case .tooLarge: "Nest at most 100 levels, with at most 400 operators in at most 10000 bytes."
    }
  }
}
