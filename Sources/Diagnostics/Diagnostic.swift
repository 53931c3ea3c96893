internal import SQLSyntax

/// A report for people in PostgreSQL's form: a message of one line, then detail, hint and context.
///
/// The message is a fact in one line: lower-case first letter, no full stop. Detail and hint are
/// whole sentences. Passwords never appear in any of them, nor do values of rows, unless people's own
/// queries return them.
public struct Diagnostic: Hashable, Sendable {
  /// The severity of a diagnostic.
  public enum Severity: String, Hashable, Sendable {
    case error
    case warning
  }

  /// The severity.
  public var severity: Severity
  /// The message, in one line.
  public var message: String
  /// More facts, in whole sentences.
  public var detail: String? {
    get { detailSentences?.text }
    set { detailSentences = newValue.map { Sentences($0) } }
  }
  /// The remedy, in whole sentences.
  public var hint: String? {
    get { hintSentences?.text }
    set { hintSentences = newValue.map { Sentences($0) } }
  }
  /// The detail with its calls.
  package var detailSentences: Sentences?
  /// The hint with its calls.
  package var hintSentences: Sentences?
  /// The context: the operation and its statement.
  public var context: String?
  /// The place in a file that this is about.
  public var location: SourceLocation?
  /// The server's five-character error code.
  public var sqlState: String?
  /// The message with the values of rows that it had, for who asks for them; none if it had none.
  public var wholeMessage: String?

  /// Creates a diagnostic.
  public init(
    _ severity: Severity,
    _ message: String,
    detail: String? = nil,
    hint: String? = nil,
    context: String? = nil,
    location: SourceLocation? = nil,
    sqlState: String? = nil
  ) {
    self.severity = severity
    self.message = message
    detailSentences = detail.map { Sentences($0) }
    hintSentences = hint.map { Sentences($0) }
    self.context = context
    self.location = location
    self.sqlState = sqlState
  }

  /// Creates a diagnostic of an error.
  public init(
    _ message: String,
    detail: String? = nil,
    hint: String? = nil,
    context: String? = nil,
    location: SourceLocation? = nil,
    sqlState: String? = nil
  ) {
    self.init(
      .error,
      message,
      detail: detail,
      hint: hint,
      context: context,
      location: location,
      sqlState: sqlState
    )
  }
}

extension Diagnostic {
  /// Creates a diagnostic whose hint has calls of the command line.
  package init(
    _ severity: Severity,
    _ message: String,
    detail: String? = nil,
    advice: Sentences,
    location: SourceLocation? = nil
  ) {
    self.init(severity, message, detail: detail, location: location)
    hintSentences = advice
  }

  /// Creates a diagnostic of an error whose hint has calls of the command line.
  package init(_ message: String, detail: String? = nil, advice: Sentences) {
    self.init(.error, message, detail: detail, advice: advice)
  }

  /// The diagnostic as an error, whatever it was.
  package var asError: Diagnostic {
    var error = self
    error.severity = .error
    return error
  }
}

extension Diagnostic: CustomStringConvertible {
  /// The diagnostic as `psql` prints one, or as a compiler does if it has a location.
  public var description: String {
    var lines: [String] = []
    let message = message.shownInLine
    if let location {
      lines.append("\("\(location)".shownInLine): \(severity.rawValue): \(message)")
    } else {
      lines.append("\(severity.rawValue.uppercased()):  \(message)")
    }
    for (label, text) in [("DETAIL", detail), ("HINT", hint), ("CONTEXT", context)] {
      guard let text, !text.isEmpty else { continue }
      lines.append("\(label):  \(Self.indented(text.shown))")
    }
    return lines.joined(separator: "\n")
  }

  private static func indented(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\n    ")
  }
}
