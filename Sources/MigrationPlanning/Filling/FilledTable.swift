package import SQLSyntax

/// A table with columns that are filled in place.
///
/// The columns are added under temporary names. From then on a trigger computes their values for
/// every row that is written; the other rows are filled range by range:
///
/// > For every snapshot and every row that was written since, or whose range is filled: the columns
/// > have the values that follow from the row.
package struct FilledTable: Hashable, Sendable {
  /// The table, by its name before the step.
  package var name: SQLIdentifier
  /// The column whose values divide the rows into ranges.
  package var key: SQLIdentifier
  /// The type of that column.
  package var keyType: SQLTypeName
  /// The name of the entity mapping, the first of several.
  package var mappingName: String
  /// The columns that are filled.
  package var columns: [FilledColumn]

  /// A Boolean value that indicates whether the server may fail to compute a value.
  package var mayFail: Bool { columns.contains(where: \.mayFail) }

  /// The name of the row in ``FilledColumn/value``.
  static let row = MappedRows.sourceAlias
}

/// A column that is filled in place.
package struct FilledColumn: Hashable, Sendable {
  /// The name that it has until the step ends.
  package var temporaryName: SQLIdentifier
  /// The table and the name that it has then.
  package var place: ColumnReference
  /// The type.
  package var type: SQLTypeName
  /// The value, over the columns of a row by the name `source`.
  package var value: SQLFragment
  /// A Boolean value that indicates whether every row must have a value.
  package var isRequired: Bool
  /// A Boolean value that indicates whether values can only be compared as text.
  package var isComparedAsText = false
  /// A Boolean value that indicates whether the server may fail to compute the value of a row.
  package var mayFail: Bool

  /// How the names of columns that are being filled begin, and those of proofs.
  package static var temporaryPrefix: String { StorageNames.temporaryPrefix }

  /// Returns whether something is named like a column that is being filled, or like a proof.
  package static func isTemporary(_ name: String) -> Bool { name.hasPrefix(temporaryPrefix) }

  /// The check that there are no nulls, by which the server need not look for them.
  var proof: SQLIdentifier {
    // A name that is cut otherwise may be that of another column.
    StorageNames.temporary(SQLIdentifier("\(place.table.name)_\(place.column.name)_filled"))
  }

  /// The condition that a row does not have the value.
  var differs: SQLFragment {
    let cast: SQLFragment = isComparedAsText ? "::text" : ""
    return "\(FilledTable.row).\(temporaryName)\(cast) IS DISTINCT FROM (\(value))::\(type)\(cast)"
  }
}

/// A reason why columns cannot be filled in place, which begins a sentence.
package struct FillObstacle: Error, Hashable {
  /// The reason.
  package let reason: String
}

/// Triggers, of anybody, with which a table cannot be filled.
extension FillObstacle {
  /// A fill updates every row, which is nothing that the application has done.
  package static func trigger(_ name: String, noticesFillsOf table: String) -> FillObstacle {
    FillObstacle(
      reason:
        "trigger \"\(name)\" of table \"\(table)\" would take every row that is filled for one that "
        + "was changed"
    )
  }

  /// The server runs the triggers before a row in the order of their names.
  package static func trigger(_ name: String, runsLaterOn table: String) -> FillObstacle {
    FillObstacle(
      reason:
        "the name of trigger \"\(name)\" of table \"\(table)\" sorts after "
        + "\"\(FillStatements.trigger.name)\", so it runs later and may change what columns are computed "
        + "from"
    )
  }
}

/// What keeps tables and columns of a database from being filled in place, in sentences.
package struct FillObstacles: Hashable, Sendable {
  /// What keeps tables from it.
  package var tables: [SQLIdentifier: String] = [:]
  /// What keeps columns from being replaced by others.
  package var columns: [ColumnReference: String] = [:]

  /// Creates a list without obstacles.
  package init() {}

  /// Returns the obstacles with those of tables whose rows are on other nodes.
  package func adding(_ kinds: TableKinds) -> FillObstacles {
    var obstacles = self
    for (table, kind) in kinds.tables where kind.placement != nil && tables[table] == nil {
      obstacles.tables[table] = "table \"\(table)\" is \(kind)"
    }
    return obstacles
  }
}
