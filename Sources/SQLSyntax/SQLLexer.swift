/// Takes SQL apart as PostgreSQL's own scanner does.
///
/// Every scalar of the text belongs to one token, so that the tokens one after the other are the text.
package struct SQLLexer: Sequence, IteratorProtocol {
  /// A piece of the text.
  package struct Token: Hashable, Sendable {
    /// The kinds of tokens.
    package enum Kind: Hashable, Sendable {
      /// Spaces and line breaks.
      case space
      /// A comment: `--` up to the end of the line, or `/* … */` with others in it.
      case comment
      /// A keyword or a name without quotes.
      case word
      /// A name in double quotes.
      case quotedName(isUnicode: Bool)
      /// A constant in single quotes, or one in a later line that continues it.
      case string(StringPrefix, isContinuation: Bool)
      /// A constant between two delimiters of a given length: `$$` or `$tag$`.
      case dollarQuoted(delimiter: Int)
      /// A parameter, as `$1`.
      case parameter
      /// A number.
      case number
      /// Another character, `::` or `..`.
      case symbol
    }

    /// The prefix of a string.
    package enum StringPrefix: Hashable, Sendable {
      /// Nothing.
      case none
      /// `E`: a backslash escapes the next character.
      case escapes
      /// `U&`: code points stand after backslashes.
      case unicode
      /// `B`, `X` or `N`.
      case other
    }

    /// The kind of the token.
    package let kind: Kind
    /// Its range in the scalars of the text.
    package let range: Range<Int>
    /// A Boolean value that indicates whether a string, a quoted name or a comment has its end.
    package let isTerminated: Bool

    /// A Boolean value that indicates whether the server skips it.
    package var isSkipped: Bool { kind == .space || kind == .comment }
  }

  /// The scalars of the text.
  package let scalars: [Unicode.Scalar]
  private var position = 0
  /// The string before, which another one continues after a line break.
  private var continued: (prefix: Token.StringPrefix, hasBreak: Bool)?

  /// Creates a lexer of a text.
  package init(_ text: String) {
    scalars = Array(text.unicodeScalars)
  }

  /// Returns the next token; none at the end of the text.
  package mutating func next() -> Token? {
    guard let first = scalar() else { return nil }
    let start = position
    let (kind, isTerminated) = scan(first)
    switch kind {
    case .string(let prefix, _): continued = (prefix, false)
    case .space:
      if scalars[start..<position].contains(where: \.isNewlineOfSQL) { continued?.hasBreak = true }
    case .comment where first == "-": break
    case .comment, .word, .quotedName, .dollarQuoted, .parameter, .number, .symbol: continued = nil
    }
    return Token(kind: kind, range: start..<position, isTerminated: isTerminated)
  }

  /// Returns a piece of the text.
  package func text(in range: Range<Int>) -> String {
    String(String.UnicodeScalarView(scalars[range]))
  }

  /// Returns the text of a token.
  package func text(of token: Token) -> String { text(in: token.range) }

  /// Returns the name that the server reads: unquoted words in lowercase, and the contents of
  /// quoted names; `nil` for other tokens, and for names with code points.
  package func name(of token: Token) -> String? {
    switch token.kind {
    case .word:
      var name = String.UnicodeScalarView()
      for scalar in scalars[token.range] {
        let isCapital = ("A"..."Z").contains(scalar)
        name.append(isCapital ? Unicode.Scalar(UInt8(scalar.value) + 32) : scalar)
      }
      return String(name)
    case .quotedName(isUnicode: false):
      guard token.isTerminated else { return nil }
      var name = String.UnicodeScalarView()
      var isDoubled = false
      for scalar in scalars[token.range].dropFirst().dropLast() {
        isDoubled = scalar == "\"" && !isDoubled
        if !isDoubled { name.append(scalar) }
      }
      return String(name)
    case .space, .comment, .quotedName(isUnicode: true), .string, .dollarQuoted, .parameter,
      .number, .symbol:
      return nil
    }
  }

  // MARK: - Tokens

  private func scalar(_ distance: Int = 0) -> Unicode.Scalar? {
    position + distance < scalars.count ? scalars[position + distance] : nil
  }

  private mutating func skip(while isPart: (Unicode.Scalar) -> Bool) {
    while let next = scalar(), isPart(next) { position += 1 }
  }

  private mutating func scan(_ first: Unicode.Scalar) -> (Token.Kind, isTerminated: Bool) {
    switch first {
    case _ where first.isSpaceOfSQL:
      skip(while: \.isSpaceOfSQL)
      return (.space, true)
    case "-" where scalar(1) == "-":
      skip { !$0.isNewlineOfSQL }
      return (.comment, true)
    case "/" where scalar(1) == "*": return (.comment, skipComment())
    case "'": return scanString(.none)
    case "\"": return (.quotedName(isUnicode: false), skipQuoted("\"", escapes: false))
    case "$": return scanDollar()
    case "." where scalar(1)?.isDigitOfSQL == true, _ where first.isDigitOfSQL:
      skipNumber()
      return (.number, true)
    case _ where first.beginsWord: return scanWord()
    case _:
      position += (first == ":" || first == ".") && scalar(1) == first ? 2 : 1
      return (.symbol, true)
    }
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

  /// Skips a quoted token; a doubled quote is part of it.
  private mutating func skipQuoted(_ quote: Unicode.Scalar, escapes: Bool) -> Bool {
    position += 1
    while let next = scalar() {
      position += 1
      if escapes, next == "\\" {
        position = Swift.min(position + 1, scalars.count)
      } else if next == quote {
        guard scalar() == quote else { return true }
        position += 1
      }
    }
    return false
  }

  private mutating func scanString(_ prefix: Token.StringPrefix) -> (Token.Kind, isTerminated: Bool)
  {
    guard prefix == .none, let continued, continued.hasBreak else {
      let isTerminated = skipQuoted("'", escapes: prefix == .escapes)
      return (.string(prefix, isContinuation: false), isTerminated)
    }
    let isTerminated = skipQuoted("'", escapes: continued.prefix == .escapes)
    return (.string(continued.prefix, isContinuation: true), isTerminated)
  }

  /// Skips a number, with the letters after it, which the server refuses: `1..10` are two with dots between.
  private mutating func skipNumber() {
    skip { $0.isDigitOfSQL || $0 == "_" }
    if scalar() == ".", scalar(1) != "." {
      position += 1
      skip { $0.isDigitOfSQL || $0 == "_" }
    }
    if scalar() == "e" || scalar() == "E", let sign = scalar(1), sign == "-" || sign == "+",
      scalar(2)?.isDigitOfSQL == true
    {
      position += 2
    }
    skip(while: \.continuesWord)
  }

  /// Scans a word, which may be the prefix of a string or of a quoted name.
  private mutating func scanWord() -> (Token.Kind, isTerminated: Bool) {
    let start = position
    skip(while: \.continuesName)
    guard position == start + 1 else { return (.word, true) }
    switch (scalars[start], scalar(), scalar(1)) {
    case ("e", "'", _), ("E", "'", _): return scanString(.escapes)
    case ("b", "'", _), ("B", "'", _), ("x", "'", _), ("X", "'", _), ("n", "'", _), ("N", "'", _):
      return scanString(.other)
    case ("u", "&", "'"), ("U", "&", "'"):
      position += 1
      return scanString(.unicode)
    case ("u", "&", "\""), ("U", "&", "\""):
      position += 1
      return (.quotedName(isUnicode: true), skipQuoted("\"", escapes: false))
    case _: return (.word, true)
    }
  }

  /// Scans a parameter, or a string between `$tag$`; else the dollar stands alone.
  private mutating func scanDollar() -> (Token.Kind, isTerminated: Bool) {
    let start = position
    position += 1
    if scalar()?.isDigitOfSQL == true {
      skip(while: \.isDigitOfSQL)
      return (.parameter, true)
    }
    if scalar()?.beginsWord == true { skip(while: \.continuesWord) }
    guard scalar() == "$" else {
      position = start + 1
      return (.symbol, true)
    }
    position += 1
    let delimiter = scalars[start..<position]
    let kind = Token.Kind.dollarQuoted(delimiter: delimiter.count)
    while position + delimiter.count <= scalars.count {
      if scalars[position] == "$",
        scalars[position..<(position + delimiter.count)].elementsEqual(delimiter)
      {
        position += delimiter.count
        return (kind, true)
      }
      position += 1
    }
    position = scalars.count
    return (kind, false)
  }
}

extension Unicode.Scalar {
  fileprivate var isSpaceOfSQL: Bool {
    switch self {
    case " ", "\n", "\r", "\t", "\u{B}", "\u{C}": true
    case _: false
    }
  }

  fileprivate var isNewlineOfSQL: Bool { self == "\n" || self == "\r" }

  fileprivate var isDigitOfSQL: Bool { ("0"..."9").contains(self) }

  /// Whether a word can begin with it: to the server, all that is not ASCII is a letter.
  var beginsWord: Bool {
    ("a"..."z").contains(self) || ("A"..."Z").contains(self) || self == "_" || value >= 0x80
  }

  /// Whether it can continue a word or the tag of a dollar-quoted string.
  var continuesWord: Bool { beginsWord || isDigitOfSQL }

  /// Whether it can continue a name.
  var continuesName: Bool { continuesWord || self == "$" }
}
