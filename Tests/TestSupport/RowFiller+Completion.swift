internal import ObjectModel
package import PostgresClient
package import SQLSyntax

@testable internal import MigrationPlanning

extension RowFiller {
  /// Adds rows to empty tables, and values to empty columns, as far as all constraints allow it.
  ///
  /// - Parameters:
  ///   - connection: The connection.
  ///   - tables: Tables that get no rows.
  /// - Throws: The server's error about reading.
  package mutating func complete(
    _ connection: borrowing PostgresConnection,
    leavingOut tables: Set<SQLIdentifier> = []
  ) throws(PostgresError) {
    for table in schema.sortedTables {
      let name = schema.qualified(table.name)
      if try connection.query("SELECT FROM \(name) LIMIT 1").rows.isEmpty {
        guard !tables.contains(table.name) else { continue }
        for number in 1...rowCount {
          guard let insertion = insertion(number, into: table) else { continue }
          _ = try? connection.execute(insertion)
        }
        raiseSequences(of: table, connection)
      } else {
        for column in table.columns where column.isNullable && column.generation == nil {
          let filled = try connection.query(
            "SELECT FROM \(name) WHERE \(column.name) IS NOT NULL LIMIT 1"
          )
          if filled.rows.isEmpty { complete(column, of: table, connection) }
        }
      }
    }
  }

  private func raiseSequences(of table: Table, _ connection: borrowing PostgresConnection) {
    for column in table.columns {
      guard let sequence = column.identitySequence else { continue }
      let name = SQLLiteral.text(schema.qualified(sequence).quoted)
      _ = try? connection.execute("SELECT setval(\(name)::regclass, 1000)")
    }
  }

  private mutating func complete(
    _ column: Column,
    of table: Table,
    _ connection: borrowing PostgresConnection
  ) {
    let origin = projection.columnOrigins[table.name]?[column.name]
    guard let declaring = origin.flatMap({ projection.model.entity(named: $0.entityName) }),
      let key = table.key
    else { return }
    var condition: SQLFragment = "true"
    switch origin {
    case .attribute: break
    case .reference(_, let relationshipName):
      guard
        let relationship = declaring.relationships.first(where: { $0.name == relationshipName }),
        let target = projection.model.entity(named: relationship.destinationEntityName),
        let place = projection.table(of: target),
        let targetKey = schema.tables[place]?.key
      else { return }
      let members = projection.concreteFamily(of: target)
      let filter = projection.membership(of: members, in: place) ?? "true"
      condition =
        "v.value IN (SELECT \(targetKey) FROM \(schema.qualified(place)) WHERE \(filter))"
    case .key, .discriminator, .position, .joinedDestination, .joinedSource, nil: return
    }
    let members = projection.concreteFamily(of: declaring)
    let membership = projection.membership(of: members, in: table.name) ?? "true"
    let keyType = table.column(key)?.type ?? column.type
    for number in 1...rowCount {
      let value = value(number, of: column, in: table)
      guard value != "NULL" else { continue }
      _ = try? connection.execute(
        """
        UPDATE \(schema.qualified(table.name)) AS t SET \(column.name) = v.value \
        FROM (SELECT \(value)::\(column.type) AS value) AS v \
        WHERE t.\(key) = \(self.key(number, of: keyType)) AND \(condition) AND \(membership)
        """
      )
    }
  }
}
