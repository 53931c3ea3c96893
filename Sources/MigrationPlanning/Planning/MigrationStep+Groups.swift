internal import SQLSyntax

extension MigrationStep {
  /// The most statements in a group, so that progress shows and a signal is noticed.
  private static let largestGroup = 100

  /// The statements of each transaction, in groups that the server gets in one round trip.
  ///
  /// A statement that works on rows is alone in its group, and so is authored SQL.
  package var groups: [[Range<Int>]] {
    let isQuick = quickStatements
    return transactions.map { transaction in
      var groups: [Range<Int>] = []
      for index in transaction {
        if isQuick[index], let last = groups.last, isQuick[last.lowerBound],
          last.count < Self.largestGroup
        {
          groups[groups.count - 1] = last.lowerBound..<index + 1
        } else {
          groups.append(index..<index + 1)
        }
      }
      return groups
    }
  }

  /// Whether each statement is one of our own that takes as little time for tables of any size.
  private var quickStatements: [Bool] {
    var emptyTables: Set<QualifiedName> = []
    return statements.map { statement in
      let readsRows = statement.rowWork.contains { !emptyTables.isSuperset(of: $0.tables) }
      for work in statement.rowWork { work.note(in: &emptyTables) }
      // The server refuses a text of several statements only where it is sent by itself.
      return !readsRows && statement.rowPolicy == nil && !statement.isWritten
        && statement.isTransactional && statement.impact.scans.isEmpty
        && statement.impact.rewrites.isEmpty && !statement.sql.text.utf8.contains(UInt8(ascii: ";"))
    }
  }
}

extension RowWork {
  /// Notes which tables have no rows after the work.
  fileprivate func note(in emptyTables: inout Set<QualifiedName>) {
    switch self {
    case .create(let table): emptyTables.insert(table)
    case .fill(let table, _, _): emptyTables.remove(table)
    case .rename(let table, let name):
      if emptyTables.remove(table) != nil { emptyTables.insert(name) }
    case .drop(let table): emptyTables.remove(table)
    case .read, .rewrite, .change, .delete, .index, .checkReferences: break
    }
  }
}
