package import SQLSyntax

/// A source of random transactions on any tables.
///
/// What a transaction asks for may be refused by constraints; who runs it takes that for an answer.
package struct RandomWriter: Sendable {
  /// The statements of a transaction, and how it ends.
  package struct Transaction: Sendable {
    /// The statements, the first and the last of which begin and end it.
    package var statements: [SQLFragment]
    /// Whether its transactions are committed.
    package var isCommitted: Bool
    /// The name under which it is prepared before it is committed.
    package var preparedName: SQLLiteral?
  }

  private var random: SeededGenerator
  private let tables: [WritableTable]
  private let empties: Bool
  private var count = 0
  private let name: String

  /// Creates a writer.
  ///
  /// - Parameters:
  ///   - tables: The tables that it writes to.
  ///   - seed: The same seed gives the same transactions.
  ///   - empties: Whether it empties tables now and then.
  package init(_ tables: [WritableTable], seed: UInt64, empties: Bool) {
    random = SeededGenerator(seed: seed)
    self.tables = tables.filter { !$0.key.isEmpty }
    self.empties = empties
    // Names of prepared transactions are of the whole server.
    name = "writer \(UInt64.random(in: .min ... .max))"
  }

  /// Returns a transaction.
  package mutating func transaction() -> Transaction {
    count += 1
    var statements: [SQLFragment] = [
      random.once(in: 4) ? "BEGIN ISOLATION LEVEL REPEATABLE READ" : "BEGIN"
    ]
    if empties, random.once(in: 60), let table = random.pick(tables) {
      return Transaction(
        statements: statements + emptying(table) + ["COMMIT"],
        isCommitted: true
      )
    }
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      guard let table = random.pick(tables) else { break }
      let change = change(of: table)
      guard random.once(in: 5) else {
        statements += change
        continue
      }
      statements += ["SAVEPOINT s"] + change
      if random.once(in: 2) { statements.append("ROLLBACK TO SAVEPOINT s") }
    }
    switch Int.random(in: 0..<10, using: &random) {
    case 0: return Transaction(statements: statements + ["ROLLBACK"], isCommitted: false)
    case 1:
      let name = SQLLiteral.text("\(name), \(count)")
      return Transaction(
        statements: statements + ["PREPARE TRANSACTION \(name)"],
        isCommitted: !random.once(in: 3),
        preparedName: name
      )
    default: return Transaction(statements: statements + ["COMMIT"], isCommitted: true)
    }
  }

  // MARK: - Changes

  private mutating func change(of table: WritableTable) -> [SQLFragment] {
    switch Int.random(in: 0..<14, using: &random) {
    case 0: [deletion(from: table)]
    case 1: replacement(in: table)
    case 2, 3: [keyMove(in: table)]
    case 4: [groupMove(in: table)]
    case 5: [copy(into: table)]
    case 6, 7: [insertion(into: table)]
    case 8, 9: [doubling(in: table)]
    default: [update(of: table)]
    }
  }

  /// Other values for some columns of some rows.
  private mutating func update(of table: WritableTable) -> SQLFragment {
    let columns = table.columns.filter { !$0.isKey }
    guard !columns.isEmpty else { return keyMove(in: table) }
    let chosen = columns.shuffled(using: &random).prefix(random.once(in: 3) ? 3 : 1)
    let changes = chosen.map { "\($0.name) = \(value(of: $0, in: table))" as SQLFragment }
    let rows = rows(of: table, atMost: random.once(in: 4) ? 5 : 1)
    return "UPDATE \(table.qualified) SET \(changes.joined(separator: ", ")) WHERE \(rows)"
  }

  /// All rows that have one value get another one.
  private mutating func groupMove(in table: WritableTable) -> SQLFragment {
    let columns = table.columns.filter { !$0.isKey && ($0.target != nil || $0.type == "text") }
    guard let column = random.pick(columns) else { return deletion(from: table) }
    let (new, old) = (value(of: column, in: table), value(of: column, in: table))
    return """
      UPDATE \(table.qualified) SET \(column.name) = \(new) \
      WHERE \(column.name) IS NOT DISTINCT FROM \(old)
      """
  }

  private mutating func keyMove(in table: WritableTable) -> SQLFragment {
    guard let column = random.pick(table.columns.filter(\.isKey)) else { return "SELECT" }
    let new = column.target == nil ? newKey(column, table) : value(of: column, in: table)
    return """
      UPDATE \(table.qualified) SET \(column.name) = \(new) WHERE \(rows(of: table, atMost: 1))
      """
  }

  /// A free key, taken from the sequence only, since others may be set explicitly.
  private func newKey(_ column: WritableTable.Column, _ table: WritableTable) -> SQLFragment {
    guard column.type != "uuid" else { return "gen_random_uuid()" }
    let names = [SQLLiteral.text(table.qualified.quoted), .text(column.name.name)]
    return "nextval(pg_get_serial_sequence(\(names[0]), \(names[1])))"
  }

  private mutating func deletion(from table: WritableTable) -> SQLFragment {
    "DELETE FROM \(table.qualified) WHERE \(rows(of: table, atMost: random.once(in: 5) ? 3 : 1))"
  }

  /// A row is deleted, and another one with its key is inserted: a new one, or one that had another
  /// key.
  private mutating func replacement(in table: WritableTable) -> [SQLFragment] {
    guard let column = table.columns.first(where: \.isKey), table.key.count == 1 else {
      return [deletion(from: table), insertion(into: table)]
    }
    let key = column.name
    let type = SQLFragment(deparsed: column.type)
    let freed: SQLFragment = "nullif(current_setting('remodel.freed', true), '')::\(type)"
    let rows = rows(of: table, atMost: 1)
    return [
      """
      SELECT set_config('remodel.freed', (SELECT \(key)::text FROM \(table.qualified) \
      WHERE \(rows)), true)
      """,
      "DELETE FROM \(table.qualified) WHERE \(key) = \(freed)",
      random.once(in: 2)
        ? doubling(in: table, as: freed)
        : """
        UPDATE \(table.qualified) SET \(key) = \(freed) WHERE \(self.rows(of: table, atMost: 1)) \
        AND \(freed) IS NOT NULL
        """,
    ]
  }

  /// A row like another one, with other values in some columns.
  private mutating func doubling(
    in table: WritableTable,
    as id: SQLFragment? = nil
  ) -> SQLFragment {
    var names: [SQLIdentifier] = []
    var values: [SQLFragment] = []
    for column in table.columns {
      if column.isKey, column.target == nil {
        guard let id else { continue }
        values.append(id)
      } else if column.isKey || random.once(in: 3) {
        values.append(value(of: column, in: table))
      } else {
        values.append("\(column.name)")
      }
      names.append(column.name)
    }
    guard !names.isEmpty else { return insertion(into: table) }
    return """
      INSERT INTO \(table.qualified) (\(names)) SELECT \(values.joined(separator: ", ")) \
      FROM \(table.qualified) WHERE \(rows(of: table, atMost: 1)) ON CONFLICT DO NOTHING
      """
  }

  private mutating func insertion(into table: WritableTable) -> SQLFragment {
    let columns = table.columns.filter { !$0.isKey || $0.target != nil }
    guard !columns.isEmpty else { return "INSERT INTO \(table.qualified) DEFAULT VALUES" }
    let values = columns.map { value(of: $0, in: table) }
    return """
      INSERT INTO \(table.qualified) (\(columns.map(\.name))) \
      VALUES (\(values.joined(separator: ", "))) ON CONFLICT DO NOTHING
      """
  }

  /// A row inserted by COPY.
  private mutating func copy(into table: WritableTable) -> SQLFragment {
    let columns = table.columns.filter { !$0.isKey || $0.target != nil }
    guard !columns.isEmpty else { return insertion(into: table) }
    let fields = columns.map { column -> String in
      if column.isOptional, random.once(in: 5) { return "" }
      if column.target != nil { return String(Int.random(in: 1...12, using: &random)) }
      return (text(of: column) ?? "").filter { $0.isLetter || $0.isNumber || ".-:".contains($0) }
    }
    let program = SQLLiteral.text("echo \(fields.joined(separator: ","))")
    return """
      COPY \(table.qualified) (\(columns.map(\.name))) FROM PROGRAM \(program) WITH (FORMAT csv)
      """
  }

  /// The table is emptied with all that refer to it, and some of its rows come back.
  private func emptying(_ table: WritableTable) -> [SQLFragment] {
    [
      "CREATE TEMP TABLE kept ON COMMIT DROP AS TABLE \(table.qualified)",
      "TRUNCATE \(table.qualified) CASCADE",
      """
      INSERT INTO \(table.qualified) (\(table.columns.map(\.name))) OVERRIDING SYSTEM VALUE \
      SELECT \(table.columns.map(\.name)) FROM pg_temp.kept
      """,
    ]
  }

  // MARK: - Values

  private mutating func number(_ range: ClosedRange<Int64>) -> SQLFragment {
    "\(.integer(Int64.random(in: range, using: &random)))"
  }

  /// A condition for some rows.
  private mutating func rows(of table: WritableTable, atMost count: Int64) -> SQLFragment {
    guard let first = table.key.first else { return "false" }
    return """
      (\(table.key)) IN (SELECT \(table.key) FROM \(table.qualified) WHERE \(first) >= \
      \(number(1...60)) ORDER BY \(table.key) LIMIT \(.integer(count)))
      """
  }

  private mutating func value(
    of column: WritableTable.Column,
    in table: WritableTable
  ) -> SQLFragment {
    if column.isOptional, random.once(in: 5) { return "NULL" }
    if let target = column.target {
      let place = QualifiedName(schema: "public", name: target)
      let key = tables.first { $0.name == target }?.key.first ?? "_id"
      guard key == "_id" else {
        // Keys of any type have an order.
        return "(SELECT \(key) FROM \(place) ORDER BY \(key) OFFSET \(number(0...5)) LIMIT 1)"
      }
      return """
        (SELECT "_id" FROM \(place) WHERE "_id" >= \(number(1...40)) ORDER BY "_id" LIMIT 1)
        """
    }
    guard let text = text(of: column) else { return "NULL" }
    return "\(.text(text))::\(SQLFragment(deparsed: column.type))"
  }

  /// A value as text, often one that others have, too.
  private mutating func text(of column: WritableTable.Column) -> String? {
    // Which entity a row is of is one of few.
    let isGiven = column.name == "_entity"
    if isGiven || random.once(in: 3), let known = random.pick(column.known) { return known }
    let number = Int.random(in: 0...90, using: &random)
    let type = column.type.prefix { $0 != "(" }
    switch type {
    case "text", "character varying", "smallint", "integer", "bigint": return "\(number)"
    case "numeric", "double precision", "real": return "\(number / 4).\(number % 4 * 25)"
    case "boolean": return number.isMultiple(of: 2) ? "t" : "f"
    case "date": return "2024-01-\(10 + number % 20)"
    case "timestamp with time zone", "timestamp without time zone":
      return "2024-01-\(10 + number % 20)T00:00:00"
    default: return random.pick(column.known)
    }
  }
}
