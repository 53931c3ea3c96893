public import MigrationPlanning
public import PostgresClient
internal import SQLSyntax

/// Fills the tables of a schema with rows that all their constraints allow.
///
/// Every table gets the same number of rows, those of entities with the keys from 1 on. Columns that
/// may be null are null now and then. The same seed gives the same rows.
public struct RowFiller {
  /// How many rows each table gets.
  public let rowCount: Int
  private let schema: DatabaseSchema
  private var random: SeededGenerator

  /// Creates a filler.
  ///
  /// - Parameters:
  ///   - schema: The tables, as a model's projection has them.
  ///   - rowCount: How many rows each table gets.
  ///   - seed: Makes one set of rows differ from another.
  public init(_ schema: DatabaseSchema, rowCount: Int = 4, seed: UInt64 = 1) {
    self.schema = schema
    self.rowCount = rowCount
    random = SeededGenerator(seed: seed)
  }

  /// Inserts the rows in one transaction.
  ///
  /// - Parameter connection: The connection.
  /// - Throws: What the server says.
  public mutating func fill(_ connection: borrowing PostgresConnection) throws(PostgresError) {
    var statements: [SQLFragment] = ["BEGIN", "SET CONSTRAINTS ALL DEFERRED"]
    for table in schema.sortedTables {
      for number in 1...rowCount { statements.append(insertion(number, into: table)) }
      for column in table.columns {
        guard let sequence = column.identitySequence else { continue }
        let name = SQLLiteral.text(schema.qualified(sequence).quoted)
        let last = SQLLiteral.integer(Int64(rowCount))
        statements.append("SELECT setval(\(name)::regclass, \(last))")
      }
    }
    statements.append("COMMIT")
    try connection.execute(statements.joined(separator: ";\n"))
  }

  // MARK: - Rows

  private mutating func insertion(_ number: Int, into table: Table) -> SQLFragment {
    let owner = schema.qualified(table.name)
    var names: [SQLIdentifier] = []
    var values: [SQLFragment] = []
    for (position, column) in table.columns.enumerated() {
      names.append(column.name)
      values.append(value(number, of: column, at: position, in: table))
    }
    return "INSERT INTO \(owner) (\(names)) VALUES (\(values.joined(separator: ", ")))"
  }

  private mutating func value(
    _ number: Int,
    of column: Column,
    at position: Int,
    in table: Table
  ) -> SQLFragment {
    if column.name == "_id" { return key(number, of: column.type) }
    if column.isNullable, !isCheckedWithOthers(column, in: table), random.once(in: 4) {
      return "NULL"
    }
    if let referenced = reference(of: column, in: table) {
      // The second column of a join table runs ahead of the first, so that pairs differ.
      let isKey = table.columns.first?.name != "_id"
      let target = isKey && position == 1 ? number % rowCount + 1 : number
      return key(target, of: referenced)
    }
    let listed = listedValues(of: column, in: table)
    if !listed.isEmpty { return "\(SQLLiteral.text(listed[number % listed.count]))" }
    return Self.constant(number, of: column.type)
  }

  private func key(_ number: Int, of type: SQLTypeName) -> SQLFragment {
    guard type.text == "uuid" else { return "\(SQLLiteral.integer(Int64(number)))" }
    return "\(SQLLiteral.typed(Self.uuid(number), "uuid"))"
  }

  private static func uuid(_ number: Int) -> String {
    let digits = String(number)
    return "00000000-0000-0000-0000-" + String(repeating: "0", count: 12 - digits.count) + digits
  }

  /// Returns the type of the key that a column refers to.
  private func reference(of column: Column, in table: Table) -> SQLTypeName? {
    for constraint in table.constraints {
      guard case .foreignKey(column.name, let referenced, _) = constraint.definition else {
        continue
      }
      return schema.tables[referenced]?.column("_id")?.type
    }
    return nil
  }

  // MARK: - Checks

  /// Returns whether a condition over several columns may ask for a value.
  private func isCheckedWithOthers(_ column: Column, in table: Table) -> Bool {
    table.constraints.contains {
      if case .check(_, let columns) = $0.definition {
        columns.count > 1 && columns.contains(column.name)
      } else {
        false
      }
    }
  }

  /// Returns the texts that a condition over the column alone lists.
  private func listedValues(of column: Column, in table: Table) -> [String] {
    for constraint in table.constraints {
      guard case .check(let condition, [column.name]) = constraint.definition else { continue }
      return Self.literals(in: condition.text)
    }
    return []
  }

  private static func literals(in text: String) -> [String] {
    let pieces = text.split(separator: "'", omittingEmptySubsequences: false)
    var literals: [String] = []
    var index = 1
    while index < pieces.count {
      var literal = String(pieces[index])
      // A doubled quote leaves an empty piece between two literals.
      while index + 2 < pieces.count, pieces[index + 1].isEmpty {
        index += 2
        literal += "'" + pieces[index]
      }
      literals.append(literal)
      index += 2
    }
    return literals
  }

  // MARK: - Constants

  /// Returns a constant that is another one for each number, where the type has enough of them.
  private static func constant(_ number: Int, of type: SQLTypeName) -> SQLFragment {
    let text: String =
      switch type.text {
      case "smallint", "integer", "bigint": String(number)
      case "double precision", "real": "\(number)"
      case "boolean": number.isMultiple(of: 2) ? "true" : "false"
      case "timestamp with time zone": "2024-02-29 12:00:0\(number % 10)+00"
      case "date": "2024-02-0\(number % 9 + 1)"
      case "time without time zone": "12:00:0\(number % 10)"
      case "interval": "\(number) days"
      case "inet": "10.0.0.\(number % 256)"
      case "uuid": uuid(number)
      case "jsonb": "{\"n\": \(number)}"
      case "bytea": "\\x0\(number % 10)"
      case let name where name.hasSuffix("[]"): "{\(number)}"
      case let name where name.hasPrefix("numeric"): "\(number).25"
      default: "value \(number)"
      }
    return "\(SQLLiteral.typed(text, type))"
  }
}
