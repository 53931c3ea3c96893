internal import MigrationPlanning
internal import PostgresClient
internal import SQLSyntax

/// The parts that new tables get from those that they replace, before they replace them.
extension CopyContext {
  /// A part that a table has got.
  private struct Carried {
    let id: Int
    let creation: String
    let removal: String
  }

  /// Updates the parts to those of the plan, in a transaction of its own if they differ.
  func carry(in state: CopyJob.State, _ connection: borrowing PostgresConnection) throws {
    let carried = try carriedParts(connection)
    guard Set(carried.map(\.creation)) != Set(plan.carriedParts.map(\.creation)) else { return }
    try transact("carry", in: state, as: Style(isExclusive: true), connection) { connection in
      try carryParts(connection)
    }
  }

  /// Removes the parts that the plan does not have, and creates missing ones, in the current
  /// transaction.
  ///
  /// A new plan may have other parts.
  func carryParts(
    _ connection: borrowing PostgresConnection,
    onlyBeforeRows: Bool = false
  ) throws {
    let wanted = plan.carriedParts.filter { !onlyBeforeRows || $0.comesBeforeRows }
    let carried = try carriedParts(connection)
    for part in carried.reversed() where !wanted.contains(where: { $0.creation == part.creation }) {
      try run(SQLFragment(deparsed: part.removal), connection)
      try run(jobs.dropping(part.id), connection)
    }
    for part in wanted where !carried.contains(where: { $0.creation == part.creation }) {
      for statement in part.statements {
        try run(statement.sql, at: "carry.statement", connection)
      }
      try run(jobs.carrying(by: jobID, part.creation, removal: part.removalText), connection)
    }
  }

  private func carriedParts(_ connection: borrowing PostgresConnection) throws -> [Carried] {
    try connection.query(jobs.carried(by: jobID)).map { row in
      Carried(
        id: row.integer("id") ?? 0,
        creation: row["creation"] ?? "",
        removal: row["removal"] ?? ""
      )
    }
  }
}

extension CarriedPart {
  /// The identity of the part.
  fileprivate var creation: String { statements.map(\.sql.text).joined(separator: ";\n") }

  fileprivate var removalText: String { removal.map(\.text).joined(separator: ";\n") }
}
