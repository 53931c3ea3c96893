/// SQL that people wrote, as far as one has to know it to run it: where its statements begin and end.
///
/// Strings, quoted names, dollar quotes and comments are passed over as the server passes over them.
public struct WrittenSQL: Hashable, Sendable {
  /// What keeps SQL from being run as a part of a migration.
  public enum Fault: Hashable, Sendable {
    /// A string, quoted name or comment has no end.
    case unterminated
    /// A statement would end the transaction that it runs in, or begin another.
    case transactionCommand(String)
    /// There is nothing to run.
    case empty
    /// There may be one statement only.
    case severalStatements
  }

  /// The statements, without the semicolons between them.
  public private(set) var statements: [String] = []
  /// The first word of each statement, in capitals; empty if it begins with something else.
  public private(set) var firstWords: [String] = []
  /// The first fault.
  public private(set) var fault: Fault?

  /// Reads statements.
  public init(_ text: String) {
    let scalars = Array(text.unicodeScalars)
    var scanner = Scanner(scalars: scalars)
    var start = 0
    var firstWord: String?
    func end(at position: Int) {
      guard let firstWord else { return }
      firstWords.append(firstWord)
      var statement = String.UnicodeScalarView()
      statement.append(contentsOf: scalars[start..<position])
      statements.append(String(statement))
    }
    while let token = scanner.next() {
      switch token {
      case .word(let word):
        if firstWord == nil {
          firstWord = word
          if Self.transactionCommands.contains(word), fault == nil {
            fault = .transactionCommand(word)
          }
        }
      case .semicolon:
        end(at: scanner.position - 1)
        start = scanner.position
        firstWord = nil
      case .other: if firstWord == nil { firstWord = "" }
      case .unterminated: fault = fault ?? .unterminated
      }
    }
    end(at: scalars.count)
    if statements.isEmpty { fault = fault ?? .empty }
  }

  private static let transactionCommands: Set<String> = [
    "ABORT", "BEGIN", "COMMIT", "END", "PREPARE", "RELEASE", "ROLLBACK", "SAVEPOINT", "START",
  ]
}

extension WrittenSQL.Fault {
  /// What is wrong, for after the name of what has the SQL.
  var phrase: String {
    switch self {
    case .unterminated: "has a string, a quoted name or a comment without an end"
    case .transactionCommand(let word): "has a statement that begins with \(word)"
    case .empty: "has no statement"
    case .severalStatements: "has several statements"
    }
  }

  /// What to do about it.
  var remedy: String {
    switch self {
    case .unterminated: "End it."
    case .transactionCommand:
      "Leave it out: a migration has its transaction, and all of it is kept or none."
    case .empty: "Give it one, or leave the key out."
    case .severalStatements: "Give it a single query."
    }
  }
}

private struct Scanner {
  enum Token {
    case word(String)
    case semicolon
    case other
    case unterminated
  }

  let scalars: [Unicode.Scalar]
  var position = 0

  private func scalar(_ offset: Int = 0) -> Unicode.Scalar? {
    position + offset < scalars.count ? scalars[position + offset] : nil
  }

  mutating func next() -> Token? {
    while let first = scalar() {
      switch first {
      case " ", "\n", "\r", "\t", "\u{B}", "\u{C}": position += 1
      case "-" where scalar(1) == "-":
        while let next = scalar(), next != "\n" { position += 1 }
      case "/" where scalar(1) == "*":
        if !skipComment() { return .unterminated }
      case ";":
        position += 1
        return .semicolon
      case "'": return skip(until: "'", escapes: false)
      case "\"": return skip(until: "\"", escapes: false)
      case "$": return skipDollarQuote()
      case _ where Self.beginsWord(first): return word()
      default:
        position += 1
        return .other
      }
    }
    return nil
  }

  /// Comments nest.
  private mutating func skipComment() -> Bool {
    var depth = 0
    while let first = scalar() {
      if first == "/", scalar(1) == "*" {
        depth += 1
        position += 2
      } else if first == "*", scalar(1) == "/" {
        depth -= 1
        position += 2
        if depth == 0 { return true }
      } else {
        position += 1
      }
    }
    return false
  }

  private mutating func skip(until quote: Unicode.Scalar, escapes: Bool) -> Token {
    position += 1
    while let next = scalar() {
      position += 1
      if escapes, next == "\\" {
        position += 1
      } else if next == quote {
        guard scalar() == quote else { return .other }
        position += 1
      }
    }
    return .unterminated
  }

  private mutating func skipDollarQuote() -> Token {
    var end = position + 1
    while end < scalars.count, scalars[end] != "$" {
      let isFirst = end == position + 1
      guard isFirst ? Self.beginsWord(scalars[end]) : Self.continuesWord(scalars[end]) else {
        break
      }
      end += 1
    }
    guard end < scalars.count, scalars[end] == "$" else {
      position += 1
      return .other
    }
    let tag = scalars[position...end]
    position = end + 1
    while position + tag.count <= scalars.count {
      if scalars[position..<(position + tag.count)].elementsEqual(tag) {
        position += tag.count
        return .other
      }
      position += 1
    }
    position = scalars.count
    return .unterminated
  }

  private mutating func word() -> Token {
    let start = position
    while let next = scalar(), Self.continuesWord(next) || next == "$" { position += 1 }
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars[start..<position])
    let word = String(text).uppercased()
    // E'…' has backslashes; the other prefixes make no difference here.
    if word == "E", scalar() == "'" { return skip(until: "'", escapes: true) }
    return .word(word)
  }

  private static func beginsWord(_ scalar: Unicode.Scalar) -> Bool {
    ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || scalar == "_"
      || scalar.value >= 0x80
  }

  private static func continuesWord(_ scalar: Unicode.Scalar) -> Bool {
    beginsWord(scalar) || ("0"..."9").contains(scalar)
  }
}
