internal import SQLSyntax

/// SQL that people wrote, as far as one has to know it to run it: where its statements begin and end.
///
/// Strings, quoted names, dollar quotes and comments are passed over as the server passes over them.
package struct WrittenSQL: Hashable, Sendable {
  /// The reasons why SQL cannot run in a migration.
  package enum Fault: Hashable, Sendable {
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
  package private(set) var statements: [String] = []
  /// The first word of each statement, in capitals; empty if it begins with something else.
  package private(set) var firstWords: [String] = []
  /// The first fault.
  package private(set) var fault: Fault?

  /// Reads statements.
  package init(_ text: String) {
    let lexer = SQLLexer(text)
    var start = 0
    var words: [String] = []
    var isEmpty = true
    var depth = StatementDepth()
    func end(at position: Int) {
      guard !isEmpty else { return }
      firstWords.append(words.first ?? "")
      statements.append(lexer.text(in: start..<position))
    }
    for token in lexer {
      if !token.isTerminated { fault = fault ?? .unterminated }
      let piece = lexer.text(of: token)
      switch token.kind {
      case .space, .comment: continue
      case .symbol where piece == ";" && depth.isOutermost:
        end(at: token.range.lowerBound)
        start = token.range.upperBound
        words = []
        isEmpty = true
        depth = StatementDepth()
        continue
      case .symbol: depth.add(symbol: piece)
      case .word:
        let word = piece.uppercased()
        if isEmpty, Self.transactionCommands.contains(word), fault == nil {
          fault = .transactionCommand(word)
        }
        if isEmpty || !words.isEmpty, words.count < 4 { words.append(word) }
        depth.add(word: word, after: words)
      case .quotedName, .string, .dollarQuoted, .parameter, .number: break
      }
      isEmpty = false
    }
    end(at: lexer.scalars.count)
    if statements.isEmpty { fault = fault ?? .empty }
  }

  private static let transactionCommands: Set<String> = [
    "ABORT", "BEGIN", "COMMIT", "END", "PREPARE", "RELEASE", "ROLLBACK", "SAVEPOINT", "START",
  ]
}

extension WrittenSQL.Fault {
  /// The fault, as the end of a sentence that begins with the name of the part with the SQL.
  var phrase: String {
    switch self {
    case .unterminated: "has a string, a quoted name or a comment without an end"
    case .transactionCommand(let word): "has a statement that begins with \(word)"
    case .empty: "has no statement"
    case .severalStatements: "has several statements"
    }
  }

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

/// Whether a semicolon ends a statement: not within parentheses, as of CREATE RULE, nor in the body of a
/// routine, `BEGIN ATOMIC … END`, in which CASE has an END as well.
private struct StatementDepth {
  private var parentheses = 0
  private var blocks = 0

  var isOutermost: Bool { parentheses == 0 && blocks == 0 }

  mutating func add(symbol: String) {
    switch symbol {
    case "(": parentheses += 1
    case ")": parentheses = max(0, parentheses - 1)
    case _: break
    }
  }

  mutating func add(word: String, after words: [String]) {
    let routine = words.filter { $0 != "OR" && $0 != "REPLACE" }
    guard parentheses == 0, routine.first == "CREATE", routine.count > 1,
      ["FUNCTION", "PROCEDURE"].contains(routine[1])
    else { return }
    switch word {
    case "BEGIN": blocks += 1
    case "CASE" where blocks > 0: blocks += 1
    case "END" where blocks > 0: blocks -= 1
    case _: break
    }
  }
}
