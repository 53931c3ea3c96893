internal import SQLSyntax

/// What has to be computed for a release on the version before and one on the new version to write the same rows,
/// before the names that columns have in the end are known.
///
/// A value of one version is an expression over the row of the other, by the name `source`. A column that both
/// versions have, and that others are computed from, is kept for the version before, so that a changed value
/// tells which of them has written it.
struct BridgeDraft: Hashable, Sendable {
  /// A column whose values are kept for the version before.
  struct KeptColumn: Hashable, Sendable {
    /// The column of the version before.
    let column: Column
    /// The name that it is kept under.
    let name: SQLIdentifier
  }

  /// A value that rows of some entities have in place of NULL.
  struct Fallback: Hashable, Sendable {
    /// The value, over the row of the new version.
    let value: SQLFragment
    /// The entities; `nil` if all in the table have the value.
    var entities: [String]?
  }

  /// The table before.
  let oldName: SQLIdentifier
  /// The table afterwards.
  let newName: SQLIdentifier
  /// The columns that are kept for the version before.
  let kept: [KeptColumn]
  /// The values of columns of the new version.
  let values: [SQLIdentifier: SQLFragment]
  /// The values of columns of the version before.
  let formerValues: [SQLIdentifier: SQLFragment]
  /// The values that columns of the new version have in place of NULL.
  let fallbacks: [SQLIdentifier: Fallback]
  /// The columns whose values can only be compared as text.
  let comparedAsText: Set<SQLIdentifier>
  /// A Boolean value that indicates whether values depend on how a session writes dates and the like as text.
  let readsFormats: Bool
  /// The conditions on the names of entities alone, which translated ones meet.
  let entityConditions: Set<SQLIdentifier>
  /// The names of the columns that stay, by those before.
  let columns: [SQLIdentifier: SQLIdentifier]

  /// The column that says which version a row is inserted for.
  static let writer: SQLIdentifier = "remodel_writer"

  /// The names of the columns that the table has besides those of the new version.
  ///
  /// Which version a row is inserted for matters only if columns follow from each other.
  var extraColumns: [SQLIdentifier] {
    kept.map(\.name) + (values.isEmpty && formerValues.isEmpty ? [] : [Self.writer])
  }

  /// Returns the operations that keep the columns' values, under the names that columns have by then.
  func operations(_ names: CurrentNames) -> [MigrationOperation] {
    var operations = kept.map { column in
      MigrationOperation.addColumn(
        AddColumn(table: newName, column: Column(name: column.name, type: column.column.type))
      )
    }
    if extraColumns.contains(Self.writer) {
      let writer = Column(name: Self.writer, type: "boolean")
      operations.append(.addColumn(AddColumn(table: newName, column: writer)))
    }
    guard !kept.isEmpty else { return operations }
    let assignments = kept.map { column in
      let place = ColumnReference(table: oldName, column: column.column.name)
      return UpdateRows.Assignment(column: column.name, value: "\(names.current(place))")
    }
    operations.append(
      .updateRows(UpdateRows(table: newName, purpose: .keepValues, assignments: assignments))
    )
    return operations
  }

  /// The kept columns as a fill of the table has them.
  var filledColumns: [FilledColumn] {
    kept.map { column in
      FilledColumn(
        temporaryName: StorageNames.temporary(column.name),
        place: ColumnReference(table: newName, column: column.name),
        type: column.column.type,
        value: "\(FilledTable.row).\(column.column.name)",
        isRequired: false,
        isComparedAsText: comparedAsText.contains(column.column.name),
        mayFail: false
      )
    }
  }

  /// Returns the records of the columns that the table has besides those of a version.
  func retainedObjects(of version: String) -> [RetainedObject] {
    extraColumns.map { RetainedObject(table: newName, column: $0, version: version) }
  }

  /// Returns whether the version before does not notice a breakage.
  func bridges(_ obstacle: ReleaseTable.Obstacle) -> Bool {
    switch obstacle {
    case .valuesChanged(let column): isKept(column)
    case .breakage(.typeChanged(let column, _, _, _)): isKept(column)
    case .breakage(.valueRequired(let column, _)):
      values[columns[column] ?? column] != nil || fallbacks[columns[column] ?? column] != nil
    case .breakage(.entitiesRenamed): isKept(StorageNames.discriminator)
    case .breakage(.conditionRequired(let constraint, _)): entityConditions.contains(constraint)
    // The values of an attribute that becomes several are moved by the bridge as well.
    case .columnMoved(let column):
      formerValues[column] != nil || values.values.contains { $0.identifiers.contains(column) }
    case .breakage, .rowsMoved, .unbridged, .conflict: false
    }
  }

  private func isKept(_ column: SQLIdentifier) -> Bool {
    kept.contains { $0.column.name == column }
  }
}
