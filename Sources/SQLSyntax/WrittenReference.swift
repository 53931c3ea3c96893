/// Something that SQL of people's names and the server has to know: a function, a type or a relation.
package struct WrittenReference: Hashable, Sendable {
  /// The kinds of references.
  package enum Kind: String, Hashable, Sendable {
    case function, type, relation
  }

  /// The kind of the reference.
  package let kind: Kind
  /// The schema; `nil` if the name is unqualified.
  package let schema: SQLIdentifier?
  /// The name.
  package let name: SQLIdentifier
  /// The name as the SQL spells it.
  package let spelling: String
}

extension WrittenReference {
  /// Returns the names in an expression or in statements, each once, in the order of the text.
  ///
  /// It leaves out names that could be a column, an alias or syntax.
  ///
  /// - Parameter text: An expression, queries, or statements that write rows.
  /// - Returns: The names.
  package static func all(in text: String) -> [WrittenReference] {
    var reader = ReferenceReader(text)
    return reader.references()
  }

  /// Returns the names in the name of a type.
  package static func all(inType text: String) -> [WrittenReference] {
    all(in: "NULL::\(text)")
  }
}

/// Finds out from the surrounding tokens what a name refers to.
private struct ReferenceReader {
  private enum Lexeme: Equatable {
    case word(String)
    case quoted(String)
    case string
    case symbol(String)

    var name: String? {
      switch self {
      case .word(let name), .quoted(let name): name
      case .string, .symbol: nil
      }
    }

    func isWord(_ words: Set<String>) -> Bool {
      guard case .word(let word) = self else { return false }
      return words.contains(word)
    }
  }

  /// A level of parentheses.
  private struct Level {
    /// The word before the parenthesis.
    var owner: String?
    /// Whether it is a statement, whose FROM is about relations.
    var isStatement = false
    /// Whether commas are between relations.
    var listsRelations = false
  }

  private var lexemes: [(lexeme: Lexeme, spelling: String)] = []
  private var levels = [Level()]
  private var expectsRelation = false
  /// The names that the SQL itself defines with AS (…).
  private var ownNames: Set<String> = []

  init(_ text: String) {
    let lexer = SQLLexer(text)
    for token in lexer {
      let spelling = lexer.text(of: token)
      let lexeme: Lexeme
      switch token.kind {
      case .space, .comment: continue
      case .word: lexeme = .word(lexer.name(of: token) ?? spelling)
      case .quotedName: lexeme = lexer.name(of: token).map(Lexeme.quoted) ?? .string
      case .string, .dollarQuoted, .parameter: lexeme = .string
      case .number, .symbol: lexeme = .symbol(spelling)
      }
      lexemes.append((lexeme, spelling))
    }
    ownNames = definedNames
  }

  private func lexeme(_ index: Int) -> Lexeme? {
    lexemes.indices.contains(index) ? lexemes[index].lexeme : nil
  }

  mutating func references() -> [WrittenReference] {
    var found: [WrittenReference] = []
    var index = 0
    while index < lexemes.count {
      let end = nameEnd(index)
      if end > index, let reference = reference(index..<end) {
        if !found.contains(reference) { found.append(reference) }
      }
      for position in index..<max(end, index + 1) { follow(position) }
      index = max(end, index + 1)
    }
    return found
  }

  /// Returns the end of the name that begins at a place; the place itself if none does.
  private func nameEnd(_ start: Int) -> Int {
    guard lexeme(start)?.name != nil, lexeme(start - 1) != .symbol(".") else { return start }
    var end = start + 1
    while lexeme(end) == .symbol("."), lexeme(end + 1)?.name != nil { end += 2 }
    return end
  }

  private func reference(_ range: Range<Int>) -> WrittenReference? {
    let parts = range.compactMap { lexeme($0)?.name }
    // A name with a star or more parts is a column.
    guard parts.count < 3, lexeme(range.upperBound) != .symbol("."), let kind = kind(of: range)
    else { return nil }
    let isQualified = parts.count == 2
    return WrittenReference(
      kind: kind,
      schema: isQualified ? SQLIdentifier(parts[0]) : nil,
      name: SQLIdentifier(parts[parts.count - 1]),
      spelling: range.map { lexemes[$0].spelling }.joined()
    )
  }

  private func kind(of range: Range<Int>) -> WrittenReference.Kind? {
    let before = lexeme(range.lowerBound - 1)
    let isQualified = range.count > 1
    if before == .symbol("::") { return .type }
    if before == .word("as"), levels.last?.owner == "cast" { return .type }
    let isCalled = lexeme(range.upperBound) == .symbol("(")
    if isCalled, before != .word("into") {
      let isSyntax = lexeme(range.lowerBound)?.isWord(Self.wordsBeforeExpressions) ?? false
      if isSyntax, !isQualified { return nil }
      return isQualified || (beginsExpression(after: before) && !isOwn(range)) ? .function : nil
    }
    guard expectsRelation, isQualified || !isOwn(range) else { return nil }
    // UPDATE is a word of clauses, too.
    return lexeme(range.lowerBound)?.isWord(Self.notRelations) ?? true ? nil : .relation
  }

  private func isOwn(_ range: Range<Int>) -> Bool {
    range.count == 1 && lexeme(range.lowerBound)?.name.map(ownNames.contains) ?? false
  }

  /// Whether a name here is no alias.
  private func beginsExpression(after before: Lexeme?) -> Bool {
    switch before {
    case nil: true
    case .word(let word): Self.wordsBeforeExpressions.contains(word)
    case .symbol(let symbol): ![")", "]", ".", "}"].contains(symbol)
    case .quoted, .string: false
    }
  }

  /// Keeps count of where in a statement a place is.
  private mutating func follow(_ index: Int) {
    guard let current = lexeme(index) else { return }
    let last = levels.count - 1
    switch current {
    case .symbol("("):
      var owner: String?
      if case .word(let word)? = lexeme(index - 1) { owner = word }
      levels.append(Level(owner: owner))
      expectsRelation = false
    case .symbol(")"):
      if last > 0 { levels.removeLast() }
      expectsRelation = false
    case .symbol(";"):
      levels = [Level()]
      expectsRelation = false
    case .symbol(","): expectsRelation = levels[last].listsRelations
    case .word("select"), .word("delete"), .word("insert"), .word("merge"):
      levels[last].isStatement = true
      levels[last].listsRelations = false
      expectsRelation = false
    case .word("from") where levels[last].isStatement && lexeme(index - 1) != .word("distinct"):
      levels[last].listsRelations = true
      expectsRelation = true
    case .word("join"): expectsRelation = true
    case .word("using") where levels[last].isStatement: expectsRelation = true
    case .word("into") where levels[last].isStatement: expectsRelation = true
    case .word("update")
    where !(lexeme(index - 1)?.isWord(["for", "do", "key", "then", "no"]) ?? false):
      levels[last].isStatement = true
      expectsRelation = true
    case .word("only"), .word("lateral"): break
    case .word(let word):
      expectsRelation = false
      if Self.wordsAfterRelations.contains(word) { levels[last].listsRelations = false }
    case .quoted, .string, .symbol: expectsRelation = false
    }
  }

  /// The names before AS (…), with or without a list of columns between.
  private var definedNames: Set<String> {
    var names: Set<String> = []
    for index in lexemes.indices where lexeme(index) == .word("as") {
      var next = index + 1
      if lexeme(next) == .word("not") { next += 1 }
      if lexeme(next) == .word("materialized") { next += 1 }
      guard lexeme(next) == .symbol("(") else { continue }
      var start = index - 1
      if lexeme(start) == .symbol(")") {
        var depth = 0
        while start >= 0 {
          if lexeme(start) == .symbol(")") { depth += 1 }
          if lexeme(start) == .symbol("(") { depth -= 1 }
          start -= 1
          if depth == 0 { break }
        }
      }
      if let name = lexeme(start)?.name { names.insert(name) }
    }
    return names
  }

  private static let wordsBeforeExpressions: Set<String> = [
    "all", "and", "any", "between", "by", "case", "cast", "distinct", "else", "except", "from",
    "having",
    "ilike", "in", "intersect", "is", "join", "lateral", "like", "limit", "not", "offset", "on",
    "or",
    "return", "returning", "select", "some", "then", "to", "union", "values", "when", "where",
  ]

  private static let wordsAfterRelations: Set<String> = [
    "where", "group", "having", "order", "limit", "offset", "fetch", "window", "union", "intersect",
    "except", "for", "returning", "set", "when", "values",
  ]

  private static let notRelations: Set<String> = [
    "only", "lateral", "select", "set", "of", "values", "rows", "table",
  ]
}
