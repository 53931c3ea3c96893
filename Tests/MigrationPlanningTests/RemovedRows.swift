import ObjectModel
import PostgresClient
import SQLSyntax

@testable import MigrationPlanning

/// The rows of entities that go while their table stays, which are retained in tables of their own.
struct RemovedRows {
  private let projection: ModelProjection
  private let removals: [RetainRows]

  init(_ step: MigrationStep, from source: PlannedVersion) {
    projection = source.projection
    removals = step.operations.compactMap {
      if case .retainRows(let removal) = $0 { removal } else { nil }
    }
  }

  /// Returns the keys of the rows, before they go.
  func keys(_ connection: borrowing PostgresConnection) throws -> [Set<String>] {
    var keys: [Set<String>] = []
    for removal in removals {
      guard let entity = projection.model.entity(named: removal.entityName),
        let table = projection.table(of: entity)
      else { continue }
      let condition = projection.membership(of: [entity.name], in: table) ?? "true"
      keys.append(try read(table, condition, connection))
    }
    return keys
  }

  /// Returns the faults of the retained rows.
  func faults(
    _ before: [Set<String>],
    _ connection: borrowing PostgresConnection
  ) throws -> [String] {
    var faults: [String] = []
    for (removal, keys) in zip(removals, before) {
      let retained = try read(removal.newTable, "true", connection)
      if retained != keys {
        faults.append(
          "\(removal.entityName) had rows \(keys.sorted()) and \(retained.sorted()) are retained"
        )
      }
    }
    return faults
  }

  private func read(
    _ table: SQLIdentifier,
    _ condition: SQLFragment,
    _ connection: borrowing PostgresConnection
  ) throws -> Set<String> {
    let name = projection.schema.qualified(table)
    let rows = try connection.query("SELECT \(StorageNames.key) FROM \(name) WHERE \(condition)")
      .rows
    return Set(rows.map { $0[0] ?? "" })
  }
}
