public import SQLSyntax

/// What a statement does with the rows of a table, as far as it takes time that grows with them.
public enum RowWork: Hashable, Sendable {
  /// Every row is read.
  case read(QualifiedName)
  /// The rows are written anew, and the indexes after them.
  case rewrite(QualifiedName)
  /// Rows are changed one by one; all of them, if nothing else is known.
  case change(QualifiedName)
  /// Rows are deleted one by one; all of them, if nothing else is known.
  case delete(QualifiedName)
  /// An index is made of all rows.
  case index(QualifiedName, columns: [SQLTypeName])
  /// Rows of the first table are looked for in the second.
  case checkReferences(from: QualifiedName, to: QualifiedName)
  /// A table gets a row for each of another, at most.
  case fill(QualifiedName, from: QualifiedName, Route)
  /// A table comes that has no rows.
  case create(QualifiedName)
  /// A table gets another name.
  case rename(QualifiedName, to: QualifiedName)
  /// A table goes.
  case drop(QualifiedName)

  /// The tables whose rows it goes through.
  var tables: [QualifiedName] {
    switch self {
    case .read(let table), .rewrite(let table), .change(let table), .delete(let table),
      .index(let table, _):
      [table]
    case .checkReferences(let table, let referenced): [table, referenced]
    case .fill(_, let source, _): [source]
    case .create, .rename, .drop: []
    }
  }

  /// How rows get from one table to another.
  public enum Route: Hashable, Sendable {
    /// As rows of the same kind.
    case rows
    /// As pairs of keys.
    case links
    /// As rows that get keys which have to be looked up.
    case mappedRows
    /// As keys with the new ones that are given.
    case newKeys
    /// Through a policy in code, outside the server.
    case policy
  }

  /// Returns what one statement does that does all of some work.
  ///
  /// One ALTER TABLE goes through a table once, whatever its clauses ask for.
  static func merged(_ works: [RowWork]) -> [RowWork] {
    var merged: [RowWork] = []
    for work in works where !merged.contains(work) { merged.append(work) }
    return merged.filter { work in
      guard case .read(let table) = work else { return true }
      return !merged.contains(.rewrite(table))
    }
  }
}
