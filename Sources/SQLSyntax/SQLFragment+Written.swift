extension SQLFragment {
  /// Creates a fragment of SQL that people wrote over the columns of a table; the names of these
  /// columns become identifiers, so that they can be found and renamed.
  ///
  /// - Parameters:
  ///   - text: The SQL.
  ///   - columns: The names of the columns.
  package init(written text: String, columns: Set<SQLIdentifier>) {
    self.init()
    for (text, name) in WrittenReferences(text) {
      if let column = name.map({ SQLIdentifier($0) }), columns.contains(column) {
        segments.append(.identifier(column))
      } else if case .syntax(let before)? = segments.last {
        segments[segments.count - 1] = .syntax(before + text)
      } else {
        segments.append(.syntax(text))
      }
    }
  }
}

extension SQLFragment {
  /// Returns whether it has a keyword, in small letters, outside of names in quotes, constants and comments.
  package func hasKeyword(_ keyword: String) -> Bool {
    let lexer = SQLLexer(text)
    return lexer.contains { $0.kind == .word && lexer.name(of: $0) == keyword }
  }

  /// A Boolean value that indicates whether it may give another value for each row: it calls a
  /// function that is not known to give one value per statement.
  package var mayBeVolatile: Bool {
    segments.contains { segment in
      guard case .syntax(let text) = segment else { return false }
      return Self.calls(in: text).contains { !Self.steadyCalls.contains($0) }
    }
  }

  /// A Boolean value that indicates whether the value is always the same; this is certain if the
  /// expression calls nothing.
  package var isConstant: Bool {
    segments.allSatisfy { segment in
      guard case .syntax(let text) = segment else { return true }
      let lexer = SQLLexer(text)
      for token in lexer where token.kind == .word {
        let word = lexer.name(of: token) ?? ""
        if word.hasPrefix("current_") || word.hasPrefix("localtime") || word.hasPrefix("session_")
          || word == "user"
        {
          return false
        }
      }
      return Self.calls(in: text).allSatisfy { Self.typesWithModifiers.contains($0) }
    }
  }

  private static let typesWithModifiers: Set<String> = [
    "", "numeric", "decimal", "varying", "varchar", "character", "char", "bpchar", "bit", "varbit",
    "timestamp", "time", "timestamptz", "timetz", "interval", "float", "coalesce", "nullif", "cast",
  ]

  /// Functions of one value per statement, and types with something in parentheses.
  private static let steadyCalls: Set<String> = [
    "", "now", "transaction_timestamp", "statement_timestamp", "current_setting",
    "current_timestamp", "current_time", "localtime", "localtimestamp", "numeric", "decimal",
    "varying", "varchar", "character", "char", "bpchar", "bit", "varbit", "timestamp", "time",
    "timestamptz", "timetz", "interval", "float", "coalesce", "nullif", "cast", "array", "row",
  ]

  /// Returns the words before parentheses.
  private static func calls(in text: String) -> [String] {
    let lexer = SQLLexer(text)
    var calls: [String] = []
    var word = ""
    for token in lexer where token.kind != .space {
      if lexer.text(of: token) == "(" { calls.append(word) }
      word = token.kind == .word ? lexer.name(of: token) ?? "" : ""
    }
    return calls
  }
}

/// The pieces of SQL that people wrote, each with the name of the column that it may refer to.
private struct WrittenReferences: Sequence, IteratorProtocol {
  private let lexer: SQLLexer
  private let tokens: [SQLLexer.Token]
  private var index = 0
  /// The last two pieces before but for spaces and comments, in small letters.
  private var previous = ""
  private var beforePrevious = ""

  init(_ text: String) {
    lexer = SQLLexer(text)
    tokens = Array(lexer)
  }

  mutating func next() -> (text: String, name: String?)? {
    guard index < tokens.count else { return nil }
    let token = tokens[index]
    index += 1
    let text = lexer.text(of: token)
    guard !token.isSkipped else { return (text, nil) }
    let name = lexer.name(of: token)
    let isWord = token.kind == .word
    defer { (beforePrevious, previous) = (previous, isWord ? name ?? text : text) }
    guard let name, isReference, !isWord || !isKeyword(name) else { return (text, nil) }
    return (text, name)
  }

  /// The next token that is not a space or a comment.
  private var following: SQLLexer.Token? { tokens[index...].first { !$0.isSkipped } }

  /// Whether a name that ends here is a column rather than a type, a function or a qualifier.
  private var isReference: Bool {
    if ["::", ".", "as", "collate"].contains(previous) { return false }
    guard let following else { return true }
    switch following.kind {
    case .string: return false
    case .symbol: return !["(", "."].contains(lexer.text(of: following))
    case .space, .comment, .word, .quotedName, .dollarQuoted, .parameter, .number: return true
    }
  }

  /// Whether an unquoted word is a keyword, always or in its context.
  private func isKeyword(_ word: String) -> Bool {
    let next = following.flatMap(lexer.name) ?? ""
    switch word {
    case "at": return next == "time"
    case "time": return next == "zone"
    case "zone": return previous == "time"
    case "precision": return previous == "double"
    case "varying": return ["character", "char", "nchar", "bit"].contains(previous)
    default: break  // Words are no closed set.
    }
    return Self.keywords.contains(word)
      || next == "from" && previous == "(" && beforePrevious == "extract"
  }

  /// Words that are no column unless they are quoted.
  private static let keywords: Set<String> = [
    "all", "analyse", "analyze", "and", "any", "array", "as", "asc", "asymmetric",
    "authorization", "binary", "both", "case", "cast", "check", "collate", "collation", "column",
    "concurrently", "constraint", "create", "cross", "current_catalog", "current_date",
    "current_role", "current_schema", "current_time", "current_timestamp", "current_user",
    "default", "deferrable", "desc", "distinct", "do", "else", "end", "except", "false", "fetch",
    "for", "foreign", "freeze", "from", "full", "grant", "group", "having", "ilike", "in",
    "initially", "inner", "intersect", "into", "is", "isnull", "join", "lateral", "leading",
    "left", "like", "limit", "localtime", "localtimestamp", "natural", "not", "notnull", "null",
    "offset", "on", "only", "or", "order", "outer", "overlaps", "placing", "primary",
    "references", "returning", "right", "select", "session_user", "similar", "some", "symmetric",
    "system_user", "table", "tablesample", "then", "to", "trailing", "true", "union", "unique",
    "user", "using", "variadic", "verbose", "when", "where", "window", "with",
  ]
}
