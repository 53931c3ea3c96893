import PostgresClient
import SQLSyntax
import TestSupport

@testable import MigrationPlanning

/// The rows and values that two versions both have.
struct KeptRows {
  /// A table that both versions have, with the columns that both have, those of the key first.
  private struct KeptTable {
    var source: SQLIdentifier
    var destination: SQLIdentifier
    var columns: [(source: Column, destination: Column)]
  }

  private let tables: [KeptTable]
  private let schema: DatabaseSchema

  init(_ match: SchemaMatch, _ source: PlannedVersion, _ destination: PlannedVersion) {
    schema = destination.projection.schema
    tables = destination.projection.schema.sortedTables.compactMap { table in
      guard let before = match.oldTables[table.name],
        let old = source.projection.schema.tables[before]
      else { return nil }
      let columns = table.columns.compactMap { column -> (source: Column, destination: Column)? in
        let reference = ColumnReference(table: table.name, column: column.name)
        guard let name = match.oldColumns[reference]?.column, let column = old.column(name) else {
          return nil
        }
        return table.column(reference.column).map { (column, $0) }
      }
      let isKey = Set(table.constraints.first(where: \.isPrimaryKey)?.columns ?? [])
      let sorted =
        columns.filter { isKey.contains($0.destination.name) }
        + columns.filter { !isKey.contains($0.destination.name) }
      return KeptTable(source: before, destination: table.name, columns: sorted)
    }
  }

  /// Returns the rows by table, each as the values in the order of the columns.
  func rows(
    isMigrated: Bool,
    _ connection: borrowing PostgresConnection
  ) throws -> [[[String?]]] {
    var rows: [[[String?]]] = []
    for table in tables {
      let columns = table.columns.map { isMigrated ? $0.destination.name : $0.source.name }
      let name = isMigrated ? table.destination : table.source
      let rowsOfTable = try connection.query(
        "SELECT \(columns) FROM \(schema.qualified(name))"
      ).rows
      rows.append(rowsOfTable.sorted { $0.description < $1.description })
    }
    return rows
  }

  func differences(_ before: [[[String?]]], _ after: [[[String?]]]) -> [String] {
    var differences: [String] = []
    for (table, (old, new)) in zip(tables, zip(before, after)) {
      if old.count != new.count {
        differences.append("\(table.destination) had \(old.count) rows and has \(new.count)")
      }
      for (first, second) in zip(old, new) {
        for (index, column) in table.columns.enumerated() {
          let isFilled = first[index] == nil && column.source.isNullable && second[index] != nil
          guard !isFilled, !Self.isSame(first[index], second[index]) else { continue }
          differences.append(
            "\(table.destination).\(column.destination.name) had \(first[index] ?? "null") "
              + "and has \(second[index] ?? "null")"
          )
        }
      }
    }
    return differences
  }

  /// Returns whether two texts mean the same, of the same type or of two numeric ones.
  private static func isSame(_ first: String?, _ second: String?) -> Bool {
    guard first != second else { return true }
    guard let first, let second else { return false }
    let truth = ["t": 1.0, "f": 0.0]
    guard let before = Double(first) ?? truth[first], let after = Double(second) else {
      return false
    }
    return before == after
  }
}

extension Constraint {
  fileprivate var isPrimaryKey: Bool {
    if case .primaryKey = definition { true } else { false }
  }
}
