extension SQLFragment {
  /// Creates a fragment of SQL that people wrote over the columns of a table; what names one of them
  /// is an identifier, so that it can be told and renamed.
  ///
  /// - Parameters:
  ///   - text: The SQL as it stands there.
  ///   - columns: The names of the columns.
  public init(written text: String, columns: Set<SQLIdentifier>) {
    self.init()
    var scanner = WrittenScanner(text)
    while let token = scanner.next() {
      if let column = token.name.map({ SQLIdentifier($0) }), columns.contains(column) {
        segments.append(.identifier(column))
      } else if case .syntax(let before)? = segments.last {
        segments[segments.count - 1] = .syntax(before + token.text)
      } else {
        segments.append(.syntax(token.text))
      }
    }
  }
}

extension SQLFragment {
  /// A Boolean value that indicates whether it may give another value for each row: it calls a
  /// function that is not known to give one value per statement.
  public var mayBeVolatile: Bool {
    segments.contains { segment in
      guard case .syntax(let text) = segment else { return false }
      return Self.calls(in: text).contains { !Self.steadyCalls.contains($0) }
    }
  }

  /// A Boolean value that indicates whether it gives the same value whenever it is asked, as far as
  /// can be told: it calls nothing.
  public var isConstant: Bool {
    segments.allSatisfy { segment in
      guard case .syntax(let text) = segment else { return true }
      var scanner = WrittenScanner(text)
      while let token = scanner.next() {
        let word = token.text.lowercased()
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
    var calls: [String] = []
    var word = ""
    var scanner = WrittenScanner(text)
    while let token = scanner.next() {
      if token.text == "(" { calls.append(word) }
      if token.text.allSatisfy(\.isWhitespace) { continue }
      let isWord = token.text.first.map { $0.isLetter || $0 == "_" } ?? false
      word = isWord ? token.text.lowercased() : ""
    }
    return calls
  }
}

/// Takes SQL apart as far as one has to for finding names.
struct WrittenScanner {
  /// A piece of the text, and the name that it may be.
  struct Token {
    var text: String
    var name: String?
  }

  private let scalars: [Unicode.Scalar]
  private var position = 0
  /// What came before but for white space: a word in lower case, or the last characters.
  private var previous = ""

  init(_ text: String) {
    scalars = Array(text.unicodeScalars)
  }

  private func scalar(at index: Int) -> Unicode.Scalar? {
    index < scalars.count ? scalars[index] : nil
  }

  mutating func next() -> Token? {
    guard let first = scalar(at: position) else { return nil }
    let start = position
    var name: String?
    switch first {
    case " ", "\n", "\r", "\t", "\u{B}", "\u{C}":
      position += 1
      return Token(text: text(from: start))
    case "-" where scalar(at: position + 1) == "-":
      while let next = scalar(at: position), next != "\n" { position += 1 }
      return Token(text: text(from: start))
    case "/" where scalar(at: position + 1) == "*":
      skipComment()
      return Token(text: text(from: start))
    case "'":
      skip(until: "'", escapes: previous == "e'")
    case "\"":
      skip(until: "\"", escapes: false)
      let quoted = text(from: start).dropFirst().dropLast()
      name = isReference ? Self.unquoted(quoted) : nil
    case "$": skipDollarQuote()
    case _ where Self.beginsWord(first):
      while let next = scalar(at: position), Self.continuesWord(next) { position += 1 }
      let word = text(from: start).lowercased()
      if scalar(at: position) == "'", word == "e" {
        previous = "e'"
        return Token(text: text(from: start))
      }
      name = isReference && !Self.keywords.contains(word) ? word : nil
      previous = word
      return Token(text: text(from: start), name: name)
    default:
      position += 1
      // "::" comes in two.
      previous = first == ":" && previous == ":" ? "::" : String(first)
      return Token(text: text(from: start))
    }
    previous = ""
    return Token(text: text(from: start), name: name)
  }

  /// Whether a name that ends here stands for a column: not for a type, a function or a qualifier.
  private var isReference: Bool {
    if ["::", ".", "as", "collate"].contains(previous) { return false }
    var index = position
    while let next = scalar(at: index), " \n\r\t".unicodeScalars.contains(next) { index += 1 }
    guard let next = scalar(at: index) else { return true }
    return !"(.'".unicodeScalars.contains(next)
  }

  private func text(from start: Int) -> String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars[start..<min(position, scalars.count)])
    return String(text)
  }

  private static func unquoted(_ text: Substring) -> String {
    var result = ""
    var isDoubled = false
    for character in text.unicodeScalars {
      if character == "\"", !isDoubled {
        isDoubled = true
        continue
      }
      isDoubled = false
      result.unicodeScalars.append(character)
    }
    return result
  }

  private mutating func skipComment() {
    var depth = 0
    while let first = scalar(at: position) {
      if first == "/", scalar(at: position + 1) == "*" {
        depth += 1
        position += 2
      } else if first == "*", scalar(at: position + 1) == "/" {
        depth -= 1
        position += 2
        if depth == 0 { return }
      } else {
        position += 1
      }
    }
  }

  private mutating func skip(until quote: Unicode.Scalar, escapes: Bool) {
    position += 1
    while let next = scalar(at: position) {
      position += 1
      if escapes, next == "\\" {
        position += 1
      } else if next == quote {
        guard scalar(at: position) == quote else { return }
        position += 1
      }
    }
  }

  private mutating func skipDollarQuote() {
    var end = position + 1
    while let next = scalar(at: end), next != "$", Self.continuesWord(next) { end += 1 }
    guard scalar(at: end) == "$" else {
      position += 1
      return
    }
    let tag = scalars[position...end]
    position = end + 1
    while position + tag.count <= scalars.count {
      if scalars[position..<(position + tag.count)].elementsEqual(tag) {
        position += tag.count
        return
      }
      position += 1
    }
    position = scalars.count
  }

  private static func beginsWord(_ scalar: Unicode.Scalar) -> Bool {
    ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || scalar == "_"
      || scalar.value >= 0x80
  }

  private static func continuesWord(_ scalar: Unicode.Scalar) -> Bool {
    beginsWord(scalar) || ("0"..."9").contains(scalar)
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
