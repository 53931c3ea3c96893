extension SQLFragment {
  /// Returns the fragment with other names of tables and columns, each column by the table that it is of.
  ///
  /// A column stands after the name of its table or after another one that the query around it gives the
  /// table; alone, it is of the table of that query.
  ///
  /// - Parameters:
  ///   - tables: The new names of the tables in a schema.
  ///   - columns: The new names of the columns, by the former names of their tables.
  ///   - schema: The schema that the tables are in.
  /// - Returns: The fragment.
  package func renaming(
    tables: [SQLIdentifier: SQLIdentifier],
    columns: [SQLIdentifier: [SQLIdentifier: SQLIdentifier]],
    in schema: SQLIdentifier
  ) -> SQLFragment {
    let reading = Reading(segments, tables: Set(tables.keys), schema)
    var renamed = self
    for (index, segment) in segments.enumerated() {
      guard case .identifier(let name) = segment else { continue }
      let newName: SQLIdentifier? =
        switch reading.roles[index] {
        case .table: tables[name]
        case .column(let qualifier):
          reading.table(of: qualifier, at: index).flatMap { columns[$0]?[name] }
        case nil: nil
        }
      if let newName { renamed.segments[index] = .identifier(newName) }
    }
    return renamed
  }

  /// The meanings of a fragment's identifiers.
  private struct Reading {
    enum Role {
      case table
      /// A column, with its qualifier.
      case column(SQLIdentifier?)
    }

    /// The contents of two parentheses.
    private struct Scope {
      var parent: Int?
      /// The table that it reads first.
      var table: SQLIdentifier?
      /// The tables by the names that they have there.
      var aliases: [SQLIdentifier: SQLIdentifier] = [:]
    }

    private(set) var roles: [Int: Role] = [:]
    private var scopes = [Scope()]
    private var scopeOfSegment: [Int: Int] = [:]

    init(_ segments: [Segment], tables: Set<SQLIdentifier>, _ schema: SQLIdentifier) {
      var scope = 0
      var lastTable: SQLIdentifier?
      for (index, segment) in segments.enumerated() {
        switch segment {
        case .literal: break
        case .syntax(let text): scope = enter(text, from: scope)
        case .identifier(let name):
          scopeOfSegment[index] = scope
          let previous = index > 0 ? segments[index - 1] : nil
          let isQualifier = index + 1 < segments.count && segments[index + 1] == .syntax(".")
          if previous == .syntax("."), index > 1,
            case .identifier(let qualifier) = segments[index - 2]
          {
            if qualifier == schema, tables.contains(name) {
              roles[index] = .table
              roles[index - 2] = nil
              lastTable = name
              if scopes[scope].table == nil { scopes[scope].table = name }
            } else {
              roles[index] = .column(qualifier)
            }
          } else if case .syntax(let text)? = previous, text.hasSuffix(" AS ") {
            scopes[scope].aliases[name] = lastTable
          } else if isQualifier {
            roles[index] = .table
          } else {
            roles[index] = .column(nil)
          }
        }
      }
    }

    /// Returns the table of a column.
    func table(of qualifier: SQLIdentifier?, at index: Int) -> SQLIdentifier? {
      var next = scopeOfSegment[index]
      while let position = next {
        guard let qualifier else { return scopes[position].table }
        if let table = scopes[position].aliases[qualifier] { return table }
        next = scopes[position].parent
      }
      return qualifier
    }

    /// Follows the parentheses of some syntax.
    private mutating func enter(_ text: String, from start: Int) -> Int {
      var scope = start
      let lexer = SQLLexer(text)
      for token in lexer where token.kind == .symbol {
        switch lexer.text(of: token) {
        case "(":
          scopes.append(Scope(parent: scope))
          scope = scopes.count - 1
        case ")": scope = scopes[scope].parent ?? scope
        default: break
        }
      }
      return scope
    }
  }
}
