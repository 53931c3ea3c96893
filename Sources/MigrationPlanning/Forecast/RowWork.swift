internal import ObjectModel
package import SQLSyntax

/// The work of a statement on the rows of a table, as far as its duration depends on them.
package enum RowWork: Hashable, Sendable {
  /// Every row is read.
  case read(QualifiedName)
  /// Rewrites the rows, and then the indexes.
  case rewrite(QualifiedName)
  /// Rows are changed one by one; all of them, if nothing else is known.
  case change(QualifiedName)
  /// Rows are deleted one by one; all of them, if nothing else is known.
  case delete(QualifiedName)
  /// An index is made of all rows.
  case index(QualifiedName, IndexKey)
  /// Rows of the first table are looked for in the second.
  case checkReferences(from: QualifiedName, to: QualifiedName)
  /// A table gets a row for each of another, at most.
  case fill(QualifiedName, from: QualifiedName, Route)
  /// Creates an empty table.
  case create(QualifiedName)
  /// A table gets another name.
  case rename(QualifiedName, to: QualifiedName)
  /// Drops a table.
  case drop(QualifiedName)

  /// The tables whose rows it reads.
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

  /// What an index orders rows by, as far as the time depends on it.
  package enum IndexKey: Hashable, Sendable {
    case number, uuid, text
    /// Ranges, in a GiST index.
    case ranges
    /// Ranges in a GiST index, where the server looks for those that overlap row by row.
    case exclusiveRanges
  }

  /// Returns the making of an index of some columns.
  static func indexing(
    _ columns: [SQLIdentifier],
    of table: SQLIdentifier,
    in schema: DatabaseSchema
  ) -> RowWork {
    let types = columns.compactMap { schema.tables[table]?.column($0)?.type }
    return .index(schema.qualified(table), IndexKey(types))
  }

  /// Returns the making of an index.
  static func indexing(
    _ index: Index,
    of table: SQLIdentifier,
    in schema: DatabaseSchema
  ) -> RowWork {
    index.method == .gist
      ? .index(schema.qualified(table), .ranges)
      : .indexing(index.columns, of: table, in: schema)
  }

  /// How rows get from one table to another.
  package enum Route: Hashable, Sendable {
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

  /// Returns the work of a single statement that does several kinds of work.
  ///
  /// One ALTER TABLE scans a table once, whatever its clauses need.
  static func merged(_ works: [RowWork]) -> [RowWork] {
    var merged: [RowWork] = []
    for work in works where !merged.contains(work) { merged.append(work) }
    return merged.filter { work in
      guard case .read(let table) = work else { return true }
      return !merged.contains(.rewrite(table))
    }
  }
}

extension RowWork.IndexKey {
  /// Creates what an index over columns of some types is like; one of expressions is taken for one of
  /// texts.
  init(_ types: [SQLTypeName]) {
    let numbers: Set<SQLTypeName.Family> = [
      .integer, .floating, .boolean, .date, .time, .timestamp, .interval,
    ]
    let families = Set(types.map(\.family))
    if families.isEmpty {
      self = .text
    } else if families.isSubset(of: numbers) {
      self = .number
    } else {
      self = families == [.uuid] ? .uuid : .text
    }
  }
}
