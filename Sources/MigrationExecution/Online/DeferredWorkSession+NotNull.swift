internal import MigrationPlanning
internal import PostgresClient
internal import SQLSyntax

extension DeferredWorkSession {
  /// Has a column be NOT NULL, whichever part of it has been done before.
  func setNotNull(
    _ requirement: NotNullRequirement,
    _ pending: PendingWork,
    _ connection: borrowing PostgresConnection
  ) throws {
    let statements = DeferredWork.setNotNull(requirement).statements(in: schema.name).map(\.sql)
    switch requirement.form {
    case .check(let name):
      let found = try constraint(name, of: requirement.table, connection)
      let isDone = try isNotNull(requirement, connection)
      if !isDone {
        if found == nil { try promise(requirement, connection) }
        if found?.isValid != true {
          try transact(patience, connection) { try runNoted(statements[0], $0) }
        }
      }
      // The time that the rows took is no time that a lock was waited for.
      try retryingLocks(of: requirement.table, connection) { connection in
        try transact(impatience, connection) { connection in
          if !isDone { try runNoted(statements[1], connection) }
          if !isDone || found != nil { try runNoted(statements[2], connection) }
          try end(pending, connection)
        }
      }
    case .notNull:
      let found = try constraint(requirement.constraint, of: requirement.table, connection)
      if found == nil { try promise(requirement, connection) }
      try transact(patience, connection) { connection in
        if found?.isValid != true { try runNoted(statements[0], connection) }
        try end(pending, connection)
      }
    }
  }

  private func isNotNull(
    _ requirement: NotNullRequirement,
    _ connection: borrowing PostgresConnection
  ) throws -> Bool {
    let relation = QualifiedName(schema: schema.name, name: requirement.table).quoted
    return try connection.query(
      """
      SELECT attnotnull FROM pg_attribute WHERE attrelid = \(SQLLiteral.text(relation))::regclass \
      AND attname = \(SQLLiteral.text(requirement.column.name))
      """
    ).first?.boolean("attnotnull") == true
  }

  /// Keeps nulls out again where somebody has taken away what did.
  private func promise(
    _ requirement: NotNullRequirement,
    _ connection: borrowing PostgresConnection
  ) throws {
    try transact(impatience, connection) { connection in
      try runNoted(requirement.promise(in: schema.name), connection)
    }
  }
}
