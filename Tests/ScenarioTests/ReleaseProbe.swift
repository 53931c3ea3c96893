import RemodelKit
import SQLSyntax

/// Statements of a release that are tried before a migration and after it, and undone each time.
struct ReleaseProbe: Sendable {
  /// A statement with how many rows it has to be about at least.
  struct Statement: Sendable {
    var sql: SQLFragment
    var rowCount = 0
  }

  /// The table that it is about.
  var table: SQLIdentifier
  /// What it does, in a few words.
  var name: String
  /// The statements, in one transaction.
  var statements: [Statement]

  init(_ table: SQLIdentifier, _ name: String, _ statements: SQLFragment..., rowCount: Int = 0) {
    self.table = table
    self.name = name
    self.statements = statements.map { Statement(sql: $0, rowCount: rowCount) }
  }

  /// Tries it.
  ///
  /// - Parameter connection: A connection outside a transaction.
  /// - Returns: What is wrong; nothing if all went well.
  /// - Throws: What the server says to the end of the transaction.
  func fault(_ connection: borrowing PostgresConnection) throws -> String? {
    try connection.execute("BEGIN")
    var fault: String?
    do {
      for statement in statements {
        let count = try connection.execute(statement.sql)
        guard count < statement.rowCount else { continue }
        fault = "finds no row"
        break
      }
      // What is put off to the end of a transaction is looked at, too.
      if fault == nil { try connection.execute("SET CONSTRAINTS ALL IMMEDIATE") }
    } catch {
      fault = error.description
    }
    try connection.execute("ROLLBACK")
    return fault
  }
}
