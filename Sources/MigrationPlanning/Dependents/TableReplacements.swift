internal import SQLSyntax

/// The replaced tables, whose dependent objects move to the new ones.
struct TableReplacements: Hashable, Sendable {
  /// The schema of the tables.
  var schema: SQLIdentifier
  /// The replacements by the names of the old tables.
  var tables: [SQLIdentifier: Replacement] = [:]

  /// The table that takes the place of another.
  struct Replacement: Hashable, Sendable {
    /// The name of the new table.
    var name: SQLIdentifier
    /// The names of the columns of the new table by those of the old one.
    var columns: [SQLIdentifier: SQLIdentifier]
    /// The names of the constraints, indexes and sequences of the new table by those of the old one.
    var parts: [SQLIdentifier: SQLIdentifier]
    /// The storage parameters that the model sets on one of them.
    var storage: Set<String> = []
    /// A Boolean value that indicates whether the new table is partitioned, so that it has no storage of its
    /// own.
    var isPartitioned = false
  }

  /// Returns the replacement of a used object; `nil` if there is none.
  func replacement(of usage: DependentObject.Usage) -> DependentObject.Usage? {
    guard let new = tables[usage.table] else { return nil }
    switch usage {
    case .table: return .table(new.name)
    case .rowType: return .rowType(new.name)
    case .column(_, let column): return new.columns[column].map { .column(new.name, $0) }
    case .part(_, let part): return new.parts[part].map { .part(new.name, $0) }
    }
  }
}

extension TableReplacements.Replacement {
  /// Creates the replacement of one table by another.
  ///
  /// - Parameters:
  ///   - old: The old table.
  ///   - new: The new table.
  ///   - renamedColumns: The columns of the new table that have other names in it.
  init(
    of old: Table,
    by new: Table,
    renaming renamedColumns: [SQLIdentifier: SQLIdentifier]
  ) {
    name = new.name
    columns = renamedColumns
    storage = Set(old.storage.keys).union(new.storage.keys)
    isPartitioned = new.partitioning != nil
    let taken = Set(renamedColumns.values)
    for column in old.columns.map(\.name)
    where columns[column] == nil && !taken.contains(column) && new.column(column) != nil {
      columns[column] = column
    }
    parts = [:]
    let newParts = Set(new.relationNames + new.constraints.map(\.name))
    for part in old.relationNames.dropFirst() + old.constraints.map(\.name)
    where newParts.contains(part) {
      parts[part] = part
    }
    if let before = old.constraints.first(where: \.isPrimaryKey)?.name {
      parts[before] = new.constraints.first(where: \.isPrimaryKey)?.name
    }
    if let before = old.key.flatMap(old.column)?.identitySequence {
      parts[before] = new.key.flatMap(new.column)?.identitySequence
    }
  }

  /// Returns the subject of a setting with its new name.
  func subject(_ subject: TableSetting.Subject) -> TableSetting.Subject? {
    switch subject {
    case .table: .table
    case .column(let name): columns[name].map { .column($0) }
    case .constraint(let name): parts[name].map { .constraint($0) }
    case .index(let name): parts[name].map { .index($0) }
    case .sequence(let name): parts[name].map { .sequence($0) }
    }
  }
}
