/// The name of a PostgreSQL type, checked to be nothing but that.
///
/// It may have several words, a schema, modifiers in parentheses and array brackets, as in
/// `timestamp(3) with time zone`, `public.citext` and `numeric(10,2)[]`.
public struct SQLTypeName: Hashable, Sendable {
  /// The type as SQL text.
  public let text: String

  /// Creates a type name from text, or returns `nil` if the text is anything more than a type.
  ///
  /// - Parameter text: Words of ASCII letters, digits and underscores, dots between them, quoted
  ///   identifiers, one list of integers in parentheses, and trailing `[]`.
  public init?(_ text: String) {
    var scanner = TypeScanner(text)
    guard scanner.scanType() else { return nil }
    self.text = text
  }
}

extension SQLTypeName: ExpressibleByStringLiteral {
  /// Creates a type name that the program itself wrote.
  public init(stringLiteral text: StaticString) {
    self.text = text.description
  }
}

extension SQLTypeName: CustomStringConvertible {
  /// The type as written in a statement.
  public var description: String { text }
}

private struct TypeScanner {
  private var rest: Substring.UnicodeScalarView

  init(_ text: String) {
    rest = Substring(text).unicodeScalars
  }

  mutating func scanType() -> Bool {
    guard scanWord() else { return false }
    var hasModifiers = false
    while let next = rest.first {
      switch next {
      case ".":
        rest.removeFirst()
        guard scanWord() else { return false }
      case " ":
        rest.removeFirst()
        guard scanWord() else { return false }
      case "(":
        guard !hasModifiers, scanModifiers() else { return false }
        hasModifiers = true
      case "[":
        return scanBrackets()
      default:
        return false
      }
    }
    return true
  }

  private mutating func scanWord() -> Bool {
    guard let first = rest.first else { return false }
    if first == "\"" { return scanQuotedWord() }
    guard isWordStart(first) else { return false }
    rest = rest.drop { isWordStart($0) || ("0"..."9").contains($0) }
    return true
  }

  private mutating func scanQuotedWord() -> Bool {
    rest.removeFirst()
    let word = rest.prefix { $0 != "\"" && $0 != "\0" }
    rest = rest.dropFirst(word.count)
    guard !word.isEmpty, rest.first == "\"" else { return false }
    rest.removeFirst()
    return rest.first != "\""
  }

  private mutating func scanModifiers() -> Bool {
    rest.removeFirst()
    let inside = rest.prefix { $0 != ")" }
    guard !inside.isEmpty, inside.count < rest.count else { return false }
    rest = rest.dropFirst(inside.count + 1)
    return inside.allSatisfy { ("0"..."9").contains($0) || $0 == "," || $0 == " " }
  }

  private mutating func scanBrackets() -> Bool {
    while rest.starts(with: "[]".unicodeScalars) { rest = rest.dropFirst(2) }
    return rest.isEmpty
  }

  private func isWordStart(_ scalar: Unicode.Scalar) -> Bool {
    ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || scalar == "_"
  }
}
