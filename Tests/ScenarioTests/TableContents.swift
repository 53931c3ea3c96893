import RemodelKit
import TestSupport

/// All rows of all tables of the schema `public`, as text.
struct TableContents: Sendable {
  struct Table: Sendable {
    let description: WritableTable
    let rows: [[String?]]
  }

  var tables: [SQLIdentifier: Table] = [:]

  static func read(_ connection: borrowing PostgresConnection) throws -> TableContents {
    var contents = TableContents()
    for table in try WritableTable.all(connection) {
      let columns = table.columns.map { "\($0.name)::text" as SQLFragment }
      let rows = try connection.query(
        "SELECT \(columns.joined(separator: ", ")) FROM \(table.qualified)"
      )
      contents.tables[table.name] = Table(description: table, rows: rows.rows)
    }
    return contents
  }

  /// Puts the rows into the same tables of another database.
  func write(to url: String) throws {
    let connection = try PostgresConnection(to: .url(url))
    // Foreign keys are already enforced, in any order of rows.
    try connection.execute("SET session_replication_role = replica")
    for table in tables.values {
      let place = table.description.qualified
      // Columns that are being filled are no part of the version.
      let kept = table.description.columns.indices.filter {
        !table.description.columns[$0].name.name.hasPrefix("remodel_temporary_")
      }
      let columns = kept.map { table.description.columns[$0] }
      for row in table.rows {
        let values = zip(columns, kept.map { row[$0] }).map { column, value -> SQLFragment in
          guard let value else { return "NULL" }
          return "\(.text(value))::\(SQLFragment(deparsed: column.type))"
        }
        try connection.execute(
          """
          INSERT INTO \(place) (\(columns.map(\.name))) OVERRIDING SYSTEM VALUE \
          VALUES (\(values.joined(separator: ", ")))
          """
        )
      }
      if columns.contains(where: { $0.name == "_id" }) {
        try connection.execute(
          """
          SELECT setval(pg_get_serial_sequence(\(.text(place.quoted)), '_id'), \
          greatest((SELECT max("_id") FROM \(place)), 1))
          """
        )
      }
    }
  }

  /// Returns the differences, in words.
  ///
  /// - Parameters:
  ///   - other: The expected contents.
  ///   - given: The tables whose rows have arbitrary keys; their rows are compared by their values
  ///     and references.
  /// - Returns: The differences.
  func differences(
    from other: TableContents,
    whereKeysAreGiven given: Set<SQLIdentifier>
  ) -> [String] {
    guard Set(tables.keys) == Set(other.tables.keys) else {
      return ["tables \(tables.keys.sorted()) instead of \(other.tables.keys.sorted())"]
    }
    let (found, expected) = (images(given), other.images(given))
    var differences: [String] = []
    for name in tables.keys.sorted() {
      var counts: [String: Int] = [:]
      for image in found[name] ?? [] { counts[image, default: 0] += 1 }
      for image in expected[name] ?? [] { counts[image, default: 0] -= 1 }
      for (image, count) in counts.sorted(by: { $0.key < $1.key }) where count != 0 {
        differences.append("\(name.name): \(count > 0 ? "surplus" : "missing") \(image)")
      }
    }
    return differences
  }

  /// What the rows are, apart from keys that are given.
  private func images(_ given: Set<SQLIdentifier>) -> [SQLIdentifier: [String]] {
    var meanings: [SQLIdentifier: [String: String]] = [:]
    // A row may refer to one that refers to another one.
    for _ in 0..<3 {
      var next: [SQLIdentifier: [String: String]] = [:]
      for name in given {
        guard let table = tables[name],
          let key = table.description.columns.firstIndex(where: { $0.name == "_id" })
        else { continue }
        for row in table.rows {
          next[name, default: [:]][row[key] ?? ""] = image(of: row, table, meanings, given)
        }
      }
      meanings = next
    }
    return tables.mapValues { table in
      table.rows.map { image(of: $0, table, meanings, given) }
    }
  }

  private func image(
    of row: [String?],
    _ table: Table,
    _ meanings: [SQLIdentifier: [String: String]],
    _ given: Set<SQLIdentifier>
  ) -> String {
    zip(table.description.columns, row).sorted { $0.0.name < $1.0.name }
      .compactMap { column, value -> String? in
        if column.name == "_id", given.contains(table.description.name) { return nil }
        guard let value else { return "\(column.name.name) NULL" }
        guard let target = column.target, given.contains(target) else {
          return "\(column.name.name) \(value)"
        }
        return "\(column.name.name) (\(meanings[target]?[value] ?? ""))"
      }.joined(separator: ", ")
  }
}
