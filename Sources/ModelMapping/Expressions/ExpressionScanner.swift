internal import ObjectModel

/// A piece of an expression's text.
struct ExpressionToken: Equatable {
  enum Kind: Equatable {
    /// A word that is none of the language's.
    case name(String)
    case keyword(ExpressionKeyword)
    /// A function's name with its colons: `canonical:`.
    case selector(String)
    /// `@count`, whether or not the aggregate exists.
    case aggregate(String)
    /// `$source`, without the dollar sign.
    case variable(String)
    case number(String)
    case string(String)
    case symbol(String)
    case end
  }

  var kind: Kind
  /// The spelling in the text.
  var text: String
  var column: Int
}

/// Cuts the text of an expression into pieces.
struct ExpressionScanner {
  private let scalars: [Unicode.Scalar]
  private var position = 0
  private var column = 1

  /// Longer symbols first, so that `<=` is not read as `<`.
  private static let symbols = [
    "&&", "||", "==", "!=", "<>", "<=", "=<", ">=", "=>", "**", "=", "<", ">", "!", "+", "-", "*",
    "/", "(", ")", "{", "}", "[", "]", ",", ".",
  ]

  static func tokens(of text: String) throws(ExpressionError) -> [ExpressionToken] {
    guard text.utf8.count <= 10_000 else { throw ExpressionError(fact: .tooLarge, column: 1) }
    var scanner = ExpressionScanner(scalars: Array(text.unicodeScalars))
    var tokens: [ExpressionToken] = []
    while let token = try scanner.next() { tokens.append(token) }
    tokens.append(ExpressionToken(kind: .end, text: "", column: scanner.column))
    return tokens
  }

  private init(scalars: [Unicode.Scalar]) {
    self.scalars = scalars
  }

  private mutating func next() throws(ExpressionError) -> ExpressionToken? {
    while let scalar = peek(), scalar.properties.isWhitespace { advance() }
    guard let scalar = peek() else { return nil }
    let start = position
    let startColumn = column
    let kind: ExpressionToken.Kind
    if Self.isWordStart(scalar) || scalar == "#" {
      kind = try word()
    } else if Self.isDigit(scalar) {
      kind = try number()
    } else if scalar == "\"" || scalar == "'" {
      kind = try string(closedBy: scalar)
    } else if scalar == "@" {
      advance()
      kind = .aggregate("@" + takeWhile(Self.isWordPart))
    } else if scalar == "$" {
      advance()
      let name = takeWhile(Self.isWordPart)
      guard !name.isEmpty else {
        throw ExpressionError(fact: .expected("a name", found: "$"), column: startColumn)
      }
      kind = .variable(name)
    } else {
      kind = try symbol()
    }
    return ExpressionToken(kind: kind, text: text(from: start), column: startColumn)
  }

  // MARK: - Pieces

  private mutating func word() throws(ExpressionError) -> ExpressionToken.Kind {
    let isEscaped = peek() == "#"
    let start = column
    if isEscaped { advance() }
    guard let first = peek(), Self.isWordStart(first) else {
      throw ExpressionError(fact: .expected("a name", found: "#"), column: start)
    }
    var name = takeWhile(Self.isWordPart)
    guard !isEscaped else { return .name(name) }
    guard peek() == ":" else {
      return ExpressionKeyword(name).map { .keyword($0) } ?? .name(name)
    }
    while peek() == ":" {
      name += ":"
      advance()
      name += takeWhile(Self.isWordPart)
    }
    return .selector(name)
  }

  private mutating func number() throws(ExpressionError) -> ExpressionToken.Kind {
    let startColumn = column
    var text = takeWhile { Self.isWordPart($0) || $0 == "." }
    let isHexadecimal = text.lowercased().hasPrefix("0x")
    if let last = text.last, last == "e" || last == "E", !isHexadecimal,
      let sign = peek(), sign == "-" || sign == "+"
    {
      advance()
      text += String(sign) + takeWhile(Self.isDigit)
    }
    let radixes = ["0x": 16, "0o": 8, "0b": 2]
    if let radix = radixes[String(text.prefix(2)).lowercased()] {
      guard let value = Int64(text.dropFirst(2), radix: radix) else {
        throw ExpressionError(fact: .unusableNumber(text), column: startColumn)
      }
      return .number(String(value))
    }
    guard let digits = canonicalDecimal(text) else {
      throw ExpressionError(fact: .unusableNumber(text), column: startColumn)
    }
    // In Foundation 2.0 and 2e0 are no integers, which shows in divisions.
    let isInteger = !text.contains { $0 == "." || $0 == "e" || $0 == "E" }
    return .number(isInteger || digits.contains(".") ? digits : digits + ".0")
  }

  private mutating func string(
    closedBy quote: Unicode.Scalar
  ) throws(ExpressionError) -> ExpressionToken.Kind {
    let startColumn = column
    var content = String.UnicodeScalarView()
    advance()
    while let scalar = peek() {
      advance()
      if scalar == quote { return .string(String(content)) }
      guard scalar == "\\", let escaped = peek() else {
        content.append(scalar)
        continue
      }
      advance()
      switch escaped {
      case "n": content.append("\n")
      case "r": content.append("\r")
      case "t": content.append("\t")
      default: content.append(escaped)
      }
    }
    throw ExpressionError(fact: .unterminatedString, column: startColumn)
  }

  private mutating func symbol() throws(ExpressionError) -> ExpressionToken.Kind {
    let rest = String(String.UnicodeScalarView(scalars[position...].prefix(2)))
    guard let symbol = Self.symbols.first(where: { rest.hasPrefix($0) }) else {
      let found = rest.unicodeScalars.prefix(1).map { String($0) }.joined()
      throw ExpressionError(fact: .expected("a value or an operator", found: found), column: column)
    }
    for _ in symbol.unicodeScalars { advance() }
    return .symbol(symbol)
  }

  // MARK: - Scalars

  private func peek() -> Unicode.Scalar? {
    position < scalars.count ? scalars[position] : nil
  }

  private mutating func advance() {
    column += UTF8.width(scalars[position])
    position += 1
  }

  private mutating func takeWhile(_ isWanted: (Unicode.Scalar) -> Bool) -> String {
    let start = position
    while let scalar = peek(), isWanted(scalar) { advance() }
    return text(from: start)
  }

  private func text(from start: Int) -> String {
    String(String.UnicodeScalarView(scalars[start..<position]))
  }

  private static func isWordStart(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || scalar.properties.isAlphabetic
  }

  private static func isWordPart(_ scalar: Unicode.Scalar) -> Bool {
    // Marks are part of a letter that is written with more than one scalar.
    Self.isWordStart(scalar) || Self.isDigit(scalar)
      || scalar.properties.canonicalCombiningClass.rawValue > 0
      || scalar.properties.numericType != nil
  }

  /// Returns whether a text is one name, be it a word of the language.
  static func isName(_ text: some StringProtocol) -> Bool {
    text.unicodeScalars.first.map(isWordStart) ?? false
      && text.unicodeScalars.allSatisfy(isWordPart)
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }
}
