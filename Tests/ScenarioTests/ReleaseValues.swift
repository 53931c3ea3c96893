import RemodelKit
import SQLSyntax
import TestSupport

@testable import MigrationPlanning

/// Rows of a table, and values by which others can be made that its constraints may allow.
struct ReleaseValues {
  /// The values of a row, without those that cannot be written.
  typealias Row = [SQLIdentifier: SQLFragment]

  let table: Table
  private let projection: ModelProjection
  /// Some rows that are there.
  private(set) var rows: [Row] = []
  /// One row of each entity, made up where there is none.
  private(set) var samples: [Row] = []
  /// Some values of each column.
  private var known: [SQLIdentifier: [SQLFragment]] = [:]
  /// Some keys of what columns refer to.
  private var targets: [SQLIdentifier: [SQLFragment]] = [:]

  init(
    of table: Table,
    in projection: ModelProjection,
    _ connection: borrowing PostgresConnection
  ) throws {
    self.table = table
    self.projection = projection
    let owner = projection.schema.qualified(table.name)
    let written = table.columns.filter { $0.generation == nil }
    let texts = written.map { "\($0.name)::text AS \($0.name)" as SQLFragment }
    let key = table.constraints.first(where: \.isPrimaryKey)?.columns ?? []
    let found = try connection.query(
      "SELECT \(texts.joined(separator: ", ")) FROM \(owner) ORDER BY \(key) LIMIT 12"
    )
    for row in found {
      var values: Row = [:]
      for column in written {
        values[column.name] =
          row[column.name.name].map { "\(SQLLiteral.typed($0, column.type))" } ?? "NULL"
      }
      rows.append(values)
      for (column, value) in values where value != "NULL" {
        if !known[column, default: []].contains(value) { known[column, default: []].append(value) }
      }
    }
    for constraint in table.constraints {
      guard let foreignKey = constraint.foreignKey,
        let type = table.column(foreignKey.column)?.type
      else { continue }
      let place = projection.schema.qualified(foreignKey.references)
      let reference = ColumnReference(table: table.name, column: foreignKey.column)
      let members = projection.targetEntities(of: reference).sorted()
      let condition = projection.membership(of: members, in: foreignKey.references) ?? "true"
      let keys = try connection.query(
        "SELECT \(foreignKey.key)::text AS value FROM \(place) WHERE \(condition) ORDER BY 1 LIMIT 12"
      )
      targets[foreignKey.column] = keys.compactMap { $0["value"] }.map {
        "\(SQLLiteral.typed($0, type))"
      }
    }
    var seen: Set<SQLFragment> = []
    for row in rows where seen.insert(row[StorageNames.discriminator] ?? "").inserted {
      samples.append(row)
    }
    for entity in entities where seen.insert(entity).inserted { samples.append(madeUp(entity)) }
    if samples.isEmpty { samples.append(madeUp("")) }
  }

  /// The values of the discriminator.
  private var entities: [SQLFragment] {
    guard table.column(StorageNames.discriminator) != nil else { return [] }
    return listed(StorageNames.discriminator)
  }

  private func madeUp(_ entity: SQLFragment) -> Row {
    var row: Row = [:]
    for column in table.columns where column.generation == nil {
      row[column.name] =
        column.name == StorageNames.discriminator
        ? entity
        : targets[column.name]?.first ?? listed(column.name).first
          ?? Self.constant(7, of: column.type)
    }
    return row
  }

  /// The constants that a condition over a column alone lists.
  private func listed(_ column: SQLIdentifier) -> [SQLFragment] {
    let type = table.column(column)?.type ?? "text"
    for clause in table.conditions.clauses where clause.count == 1 {
      if case .anyOf(column.quoted, let values)? = clause.first {
        let texts = values.map { value in
          switch value {
          case .number(let number): "\(number)"
          case .quoted(let text, _): text
          }
        }
        return texts.sorted().map { "\(SQLLiteral.typed($0, type))" }
      }
    }
    return []
  }

  // MARK: - Columns

  /// Returns whether INSERT has to name a column.
  func isRequired(_ name: SQLIdentifier) -> Bool {
    guard let column = table.column(name) else { return false }
    return !column.isNullable && column.defaultExpression == nil && column.sequence == nil
      && !isComputed(name)
  }

  func isComputed(_ name: SQLIdentifier) -> Bool {
    table.column(name)?.generation != nil
      || projection.derivations[ColumnReference(table: table.name, column: name)] != nil
  }

  func isWritable(_ name: SQLIdentifier) -> Bool {
    table.column(name)?.sequence?.kind != .identityAlways
  }

  func isKey(_ name: SQLIdentifier) -> Bool {
    table.constraints.first(where: \.isPrimaryKey)?.columns.contains(name) ?? false
  }

  func isOfKey(_ name: SQLIdentifier) -> Bool {
    table.keys.contains { $0.columns.contains(name) }
  }

  /// Returns keys of rows that a column may refer to.
  func targetKeys(of name: SQLIdentifier) -> [SQLFragment] { targets[name] ?? [] }

  /// Returns a key that no row has.
  func nobody(_ name: SQLIdentifier) -> SQLFragment {
    Self.constant(9777, of: table.column(name)?.type ?? "bigint")
  }

  /// Returns values that a column may have, or not.
  func candidates(of name: SQLIdentifier) -> [SQLFragment] {
    guard let column = table.column(name), !isKey(name) else { return [] }
    let listed = listed(name)
    if !listed.isEmpty { return listed }
    if let targets = targets[name] { return Array(targets.prefix(3)) }
    return Array((known[name] ?? []).prefix(3)) + Self.extremes(of: column.type)
  }

  // MARK: - Rows

  /// Returns a row with another key, and other values in unique columns.
  func fresh(_ row: Row, _ number: Int) -> Row {
    var fresh = row
    for (name, value) in row {
      guard let column = table.column(name), value != "NULL", isWritable(name),
        name != StorageNames.discriminator
      else { continue }
      if let targets = targets[name] {
        guard isOfKey(name), !targets.isEmpty else { continue }
        // The last ones are most likely free.
        fresh[name] = targets[targets.count - 1 - number % targets.count]
      } else if isKey(name) || isOfKey(name) || listed(name).isEmpty {
        guard !isComputed(name) else { continue }
        fresh[name] =
          listed(name).isEmpty ? Self.constant(9000 + number, of: column.type) : value
      }
    }
    for name in row.keys where !isWritable(name) { fresh[name] = nil }
    return fresh
  }

  /// Returns rows of all sorts that the constraints may allow: with and without values, with values at the
  /// ends of what their types have, with the values of others.
  func oddRows() -> [Row] {
    var odd: [Row] = []
    var number = 100
    func next(_ row: Row) -> Row {
      number += 1
      return fresh(row, number)
    }
    for row in samples {
      var nulls = next(row)
      for column in table.columns where column.isNullable && nulls[column.name] != nil {
        nulls[column.name] = "NULL"
      }
      odd.append(nulls)
      for column in row.keys.sorted() where !isKey(column) && isWritable(column) {
        var values = candidates(of: column)
        if table.column(column)?.isNullable ?? false { values.append("NULL") }
        if table.column(column)?.type == "text" { values.append(Self.longText) }
        for value in values {
          var other = next(row)
          other[column] = value
          odd.append(other)
        }
      }
      // Two rows that agree in all that they may.
      for isWhole in [true, false] {
        var (first, second) = (next(row), next(row))
        for column in second.keys where !isKey(column) && (isWhole || !isOfKey(column)) {
          second[column] = first[column]
        }
        odd += [first, second]
        for column in second.keys where table.column(column)?.isNullable ?? false {
          first[column] = "NULL"
        }
        odd.append(first)
      }
    }
    // Links of several with several.
    let key = table.constraints.first(where: \.isPrimaryKey)?.columns ?? []
    if key.count == 2, let row = samples.first {
      for first in targetKeys(of: key[0]).prefix(4) {
        for second in targetKeys(of: key[1]).prefix(4) {
          var link = next(row)
          (link[key[0]], link[key[1]]) = (first, second)
          odd.append(link)
        }
      }
    }
    return odd
  }

  /// Returns rows that have some words in their texts.
  func rows(having words: [String]) -> [Row] {
    guard let sample = samples.first else { return [] }
    let texts = table.columns.filter { $0.type == "text" && !isComputed($0.name) }.map(\.name)
    var number = 50
    return texts.flatMap { column in
      words.map { word in
        number += 1
        var row = fresh(sample, number)
        row[column] = "\(SQLLiteral.text(word))"
        return row
      }
    }
  }

  /// More than an index takes, however it is compressed.
  private static let longText: SQLFragment =
    "(SELECT string_agg(md5(n::text), '') FROM generate_series(1, 300) AS n)"

  func insertion(_ row: Row) -> SQLFragment {
    let owner = projection.schema.qualified(table.name)
    let names = table.columns.map(\.name).filter { row[$0] != nil }
    guard !names.isEmpty else { return "INSERT INTO \(owner) DEFAULT VALUES" }
    let values = names.compactMap { row[$0] }.joined(separator: ", ")
    return "INSERT INTO \(owner) (\(names)) VALUES (\(values))"
  }

  func deletion(of row: Row) -> SQLFragment? {
    condition(of: row).map { "DELETE FROM \(projection.schema.qualified(table.name)) WHERE \($0)" }
  }

  /// Returns what finds a row: its key and its entity.
  func condition(of row: Row) -> SQLFragment? {
    let names =
      (table.constraints.first(where: \.isPrimaryKey)?.columns ?? [])
      + (table.column(StorageNames.discriminator) == nil ? [] : [StorageNames.discriminator])
    let parts = names.compactMap { name in row[name].map { "\(name) = \($0)" as SQLFragment } }
    guard !parts.isEmpty, parts.count == names.count else { return nil }
    return parts.joined(separator: " AND ")
  }

  // MARK: - Constants

  private static func constant(_ number: Int, of type: SQLTypeName) -> SQLFragment {
    let text: String =
      switch type.text {
      case "smallint", "integer", "bigint", "double precision", "real": String(number)
      case "boolean": number.isMultiple(of: 2) ? "true" : "false"
      case "timestamp with time zone": "2024-03-01 12:\(number % 50 + 10):00+00"
      case "timestamp without time zone": "2024-03-01 12:\(number % 50 + 10):00"
      case "date": "2024-03-\(number % 20 + 10)"
      case "time without time zone": "12:\(number % 50 + 10):00"
      case "interval": "\(number) days"
      case "inet": "10.1.0.\(number % 256)"
      case "uuid": "00000000-0000-0000-0000-00000000\(number % 1000 + 9000)"
      case "jsonb", "json": "{\"n\": \(number)}"
      case "bytea": "\\x0\(number % 10)"
      case "boolean[]": "{true}"
      case let name where name.hasSuffix("[]"): "{\(number)}"
      case let name where name.hasPrefix("numeric"): String(number % 100)
      default: "v\(number)"
      }
    return "\(SQLLiteral.typed(text, type))"
  }

  private static func extremes(of type: SQLTypeName) -> [SQLFragment] {
    let texts: [String] =
      switch type.text {
      case "smallint": ["0", "1", "-5", "32000"]
      case "integer": ["0", "1", "-5", "100", "2000000000"]
      case "bigint": ["0", "1", "-5", "100", "9000000000000000000"]
      case "double precision", "real": ["0", "-5.5", "100", "1e30"]
      case "boolean": ["true", "false"]
      case "text[]": ["{}", "{a long text}"]
      case "double precision[]": ["{}", "{0.1234567890123}"]
      case "integer[]", "bigint[]": ["{}", "{2000000000}"]
      case let name where name.hasSuffix("[]"): ["{}"]
      case let name where name.hasPrefix("numeric"): ["0", "0.5", "-5", "99"]
      case "text": ["", "a", "Ab", String(repeating: "x", count: 60)]
      case let name where name.hasPrefix("character varying"): ["", "a", "Ab", "xxxxx"]
      default: []
      }
    return texts.map { "\(SQLLiteral.typed($0, type))" }
  }
}
