internal import SQLSyntax

/// A parser of conditions, which fails on syntax that it does not know.
struct ConditionParser {
  private enum Token: Hashable {
    case word(String)
    case symbol(String)
    case identifier(String)
    case constant(ConditionConstant)
  }

  /// The maximum number of clauses in a parsed condition.
  private static let limit = 64

  private var tokens: [Token] = []
  private var position = 0
  private let isReadable: Bool

  init(_ text: String) {
    if let tokens = Self.tokens(of: text) {
      self.tokens = tokens
      // AND has another meaning in these.
      isReadable = !tokens.contains { [.word("BETWEEN"), .word("CASE")].contains($0) }
    } else {
      isReadable = false
    }
  }

  mutating func parse() -> Set<ConditionClauses.Clause>? {
    guard isReadable, let clauses = disjunction(), position == tokens.count,
      clauses.count <= Self.limit
    else { return nil }
    return clauses
  }

  // MARK: - Grammar

  private mutating func disjunction() -> Set<ConditionClauses.Clause>? {
    guard var clauses = conjunction() else { return nil }
    while skip(.word("OR")) {
      guard let others = conjunction(), clauses.count * others.count <= Self.limit else {
        return nil
      }
      clauses = Set(clauses.flatMap { clause in others.map { clause.union($0) } })
    }
    return clauses
  }

  private mutating func conjunction() -> Set<ConditionClauses.Clause>? {
    guard var clauses = part() else { return nil }
    while skip(.word("AND")) {
      guard let others = part() else { return nil }
      clauses.formUnion(others)
    }
    return clauses
  }

  private mutating func part() -> Set<ConditionClauses.Clause>? {
    let start = position
    if skip(.symbol("(")) {
      if let inside = disjunction(), skip(.symbol(")")), isAtEndOfPart { return inside }
      position = start
    }
    return atom().map { [[$0]] }
  }

  private var isAtEndOfPart: Bool {
    guard position < tokens.count else { return true }
    return [.word("AND"), .word("OR"), .symbol(")")].contains(tokens[position])
  }

  private mutating func atom() -> ConditionAtom? {
    var depth = 0
    let start = position
    while position < tokens.count {
      if depth == 0, isAtEndOfPart { break }
      if tokens[position] == .symbol("(") { depth += 1 }
      if tokens[position] == .symbol(")") { depth -= 1 }
      position += 1
    }
    guard depth == 0, position > start else { return nil }
    return Self.atom(Array(tokens[start..<position]))
  }

  private static func atom(_ tokens: [Token]) -> ConditionAtom {
    let whole = ConditionAtom.other(text(tokens))
    // NOT, operators and the like before the comparison give it another meaning.
    guard let length = termLength(tokens) else { return whole }
    let term = text(tokens[..<length])
    let rest = tokens[length...]
    switch rest.first {
    case .word("IS") where rest.dropFirst() == [.word("NOT"), .word("NULL")]:
      return .present(term)
    case .word("IN"): return list(rest.dropFirst()).map { .anyOf(term, $0) } ?? whole
    case .word("NOT") where rest.dropFirst().first == .word("IN"):
      return list(rest.dropFirst(2)).map { .anyBut(term, $0) } ?? whole
    case .symbol(let comparison):
      guard let value = constant(rest.dropFirst()) else { return whole }
      return atom(term, comparison, value) ?? whole
    case .word, .identifier, .constant, nil: return whole
    }
  }

  private static func atom(
    _ term: String,
    _ comparison: String,
    _ value: ConditionConstant
  ) -> ConditionAtom? {
    switch (comparison, value) {
    case ("<>", _): .anyBut(term, [value])
    case ("=", _): .anyOf(term, [value])
    case (">=", .number(let bound)): .above(term, bound, isStrict: false)
    case (">", .number(let bound)): .above(term, bound, isStrict: true)
    case ("<=", .number(let bound)): .below(term, bound, isStrict: false)
    case ("<", .number(let bound)): .below(term, bound, isStrict: true)
    default: nil  // How texts compare is up to their collation.
    }
  }

  /// Returns how many tokens at the beginning are a column, or a function of one.
  private static func termLength(_ tokens: [Token]) -> Int? {
    switch tokens.first {
    case .identifier: return 1
    case .word(let word) where !keywords.contains(word):
      guard tokens.count > 1, tokens[1] == .symbol("(") else { return 1 }
      guard tokens.count > 3, tokens[3] == .symbol(")") else { return nil }
      if case .identifier = tokens[2] { return 4 }
      return nil
    case .word, .symbol, .constant, nil: return nil
    }
  }

  /// Returns a constant, with a sign or in parentheses.
  private static func constant(_ tokens: ArraySlice<Token>) -> ConditionConstant? {
    if tokens.first == .symbol("("), tokens.last == .symbol(")"), tokens.count > 2 {
      return constant(tokens.dropFirst().dropLast())
    }
    if tokens.first == .symbol("-"), tokens.count == 2 {
      guard case .number(let value)? = constant(tokens.dropFirst()) else { return nil }
      return .number(0 - value)
    }
    guard tokens.count == 1, case .constant(let value)? = tokens.first else { return nil }
    return value
  }

  /// Returns the constants of a list in parentheses; none if it has anything else.
  private static func list(_ tokens: ArraySlice<Token>) -> Set<ConditionConstant>? {
    guard tokens.first == .symbol("("), tokens.last == .symbol(")") else { return nil }
    var values: Set<ConditionConstant> = []
    for (index, token) in tokens.dropFirst().dropLast().enumerated() {
      switch token {
      case .constant(let value) where index.isMultiple(of: 2): values.insert(value)
      case .symbol(",") where !index.isMultiple(of: 2): continue
      case .word, .symbol, .identifier, .constant: return nil
      }
    }
    return values
  }

  private static func text(_ tokens: some Collection<Token>) -> String {
    tokens.map { token in
      switch token {
      case .word(let text), .symbol(let text): text
      case .identifier(let text): SQLIdentifier(text).quoted
      case .constant(let constant): constant.text
      }
    }.joined(separator: " ")
  }

  private mutating func skip(_ token: Token) -> Bool {
    guard position < tokens.count, tokens[position] == token else { return false }
    position += 1
    return true
  }

  // MARK: - Tokens

  private static func tokens(of text: String) -> [Token]? {
    var tokens: [Token] = []
    // As the server does, by code points: to it, all that is not ASCII is a letter.
    var rest = Substring(text).unicodeScalars
    while let first = rest.first {
      if first.properties.isWhitespace, first.isASCII {
        rest.removeFirst()
      } else if first == "\"" || first == "'" {
        guard let content = quoted(by: first, &rest) else { return nil }
        if first == "\"" {
          tokens.append(.identifier(content))
        } else {
          tokens.append(.constant(ConditionConstant(quoted: content, cast: cast(&rest))))
        }
      } else if isWordPart(first), !isDigit(first) {
        let word = Substring(rest.prefix(while: isWordPart))
        rest = rest.dropFirst(word.unicodeScalars.count)
        // Text of another kind than the usual one is not looked into.
        if rest.first == "'" { return nil }
        tokens.append(.word(keywords.contains(word.uppercased()) ? word.uppercased() : "\(word)"))
      } else if isDigit(first) {
        let number = rest.prefix { isDigit($0) || $0 == "." }
        rest = rest.dropFirst(number.count)
        guard let value = ConditionConstant(digits: String(number)) else { return nil }
        tokens.append(.constant(value))
      } else if let symbol = [">=", "<=", "<>", "::", "||"].first(where: { rest.begins(with: $0) })
      {
        rest = rest.dropFirst(symbol.unicodeScalars.count)
        tokens.append(.symbol(symbol))
      } else {
        guard first != "$", !rest.begins(with: "--"), !rest.begins(with: "/*") else { return nil }
        rest.removeFirst()
        tokens.append(.symbol("\(first)"))
      }
    }
    return tokens
  }

  private static let keywords: Set<String> = [
    "AND", "OR", "NOT", "IN", "IS", "NULL", "BETWEEN", "CASE",
  ]

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  private static func isWordPart(_ scalar: Unicode.Scalar) -> Bool {
    !scalar.isASCII || scalar.properties.isAlphabetic || isDigit(scalar) || scalar == "_"
  }

  private static func quoted(
    by quote: Unicode.Scalar,
    _ rest: inout Substring.UnicodeScalarView
  ) -> String? {
    rest.removeFirst()
    var content = String.UnicodeScalarView()
    while let scalar = rest.popFirst() {
      guard scalar == quote else {
        content.append(scalar)
        continue
      }
      guard rest.first == quote else { return String(content) }
      rest.removeFirst()
      content.append(quote)
    }
    return nil
  }

  /// Returns the type that a constant is read as; empty if it is left to the server.
  private static func cast(_ rest: inout Substring.UnicodeScalarView) -> String {
    guard rest.begins(with: "::") else { return "" }
    let start = rest
    rest = rest.dropFirst(2).drop { isWordPart($0) || $0 == "." }
    for words in [" precision", " with time zone", " without time zone", " varying"]
    where rest.begins(with: words) {
      rest = rest.dropFirst(words.unicodeScalars.count)
    }
    if rest.first == "(" {
      let modifiers = rest.prefix { $0 != ")" }
      if modifiers.dropFirst().allSatisfy({ isDigit($0) || $0 == "," }) {
        rest = rest.dropFirst(modifiers.count + 1)
      }
    }
    return String(start[..<rest.startIndex].dropFirst(2))
  }
}

extension Substring.UnicodeScalarView {
  /// Returns whether the code points of a text are at the beginning.
  fileprivate func begins(with text: String) -> Bool { starts(with: text.unicodeScalars) }
}
