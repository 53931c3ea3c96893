internal import ObjectModel
internal import SQLSyntax

/// The columns of a table that a bridge computes, as they are found.
struct BridgedColumns {
  let old: Table
  let new: Table
  /// The names of the columns that stay.
  let names: [SQLIdentifier: SQLIdentifier]
  let currentValues: RowValues
  let formerValues: RowValues
  private(set) var kept: [SQLIdentifier] = []
  private(set) var values: [SQLIdentifier: SQLFragment] = [:]
  private var former: [SQLIdentifier: SQLFragment] = [:]
  private var fallbacks: [SQLIdentifier: BridgeDraft.Fallback] = [:]

  init(
    _ old: Table,
    _ new: Table,
    _ names: [SQLIdentifier: SQLIdentifier],
    _ currentValues: RowValues,
    _ formerValues: RowValues
  ) {
    self.old = old
    self.new = new
    self.names = names
    self.currentValues = currentValues
    self.formerValues = formerValues
  }

  mutating func compute(current column: Column) throws(FillObstacle) {
    values[column.name] = try currentValues.value(of: column.name)
  }

  mutating func compute(former column: Column) throws(FillObstacle) {
    former[column.name] = try formerValues.value(of: column.name)
  }

  /// Returns whether the value of a column of the new version follows from others of the version before.
  func readsRow(current column: Column) throws(FillObstacle) -> Bool {
    let read = try currentValues.value(of: column.name).identifiers
    return old.columns.contains {
      $0.name != StorageNames.discriminator && read.contains($0.name)
    }
  }

  /// Returns whether the value of a column of the version before follows from others of the new version.
  func readsRow(former column: Column) throws(FillObstacle) -> Bool {
    let read = try formerValues.value(of: column.name).identifiers
    return new.columns.contains {
      $0.name != StorageNames.discriminator && read.contains($0.name)
    }
  }

  mutating func keep(_ before: Column, as after: Column) throws(FillObstacle) {
    let constraint = old.constraints.first { constraint in
      if case .check = constraint.definition { return false }
      return constraint.columns.contains(before.name)
    }
    if let name = constraint?.name
      ?? old.indexes.first(where: { $0.isUnique && $0.readColumns.contains(before.name) })?.name
    {
      throw FillObstacle(
        reason: "column \"\(before.name)\" is in key \"\(name)\", which only one version would have"
      )
    }
    try compute(current: after)
    try compute(former: before)
    kept.append(before.name)
  }

  /// Has a column of the new version get its default where the version before writes NULL.
  mutating func addFallback(
    of before: Column,
    as after: Column,
    default fallback: BridgeDraft.Fallback?
  ) throws(FillObstacle) {
    if let fallback {
      fallbacks[after.name] = fallback
      return
    }
    let value = try currentValues.value(of: after.name)
    fallbacks[after.name] = BridgeDraft.Fallback(
      value: value.renaming(
        tables: [:],
        columns: [FilledTable.row: [before.name: after.name]],
        in: ""
      )
    )
  }

  /// Keeps the columns of both versions that others are computed from.
  ///
  /// - Parameter origins: What the columns of the version before are of.
  /// - Throws: That one of them cannot be kept.
  mutating func keepInputs(_ origins: [SQLIdentifier: ColumnOrigin]) throws(FillObstacle) {
    let shared = old.columns.filter { names[$0.name] != nil }
    var isFound = true
    while isFound {
      isFound = false
      for before in shared where !kept.contains(before.name) {
        guard let after = names[before.name].flatMap({ new.column($0) }),
          values.values.contains(where: { $0.identifiers.contains(before.name) })
            || former.values.contains(where: { $0.identifiers.contains(after.name) })
        else { continue }
        switch origins[before.name] {
        // They never change.
        case .key, .discriminator: continue
        case .attribute:
          try keep(before, as: after)
          isFound = true
        case .reference, .position, .joinedDestination, .joinedSource, nil:
          throw FillObstacle(
            reason: "values are computed from column \"\(before.name)\", which holds links"
          )
        }
      }
    }
  }

  private var entityConditions: Set<SQLIdentifier> {
    guard kept.contains(StorageNames.discriminator) else { return [] }
    return Set(
      new.constraints.filter { constraint in
        guard case .check(_, let columns) = constraint.definition else { return false }
        return columns == [StorageNames.discriminator]
      }.map(\.name)
    )
  }

  /// Returns what has to be computed; `nil` if nothing has.
  ///
  /// - Parameter retained: The columns that the table has besides.
  /// - Returns: The bridge.
  /// - Throws: Why there can be none.
  func draft(besides retained: [SQLIdentifier]) throws(FillObstacle) -> BridgeDraft? {
    guard !values.isEmpty || !former.isEmpty || !fallbacks.isEmpty else { return nil }
    if let trigger = new.triggers.first(where: { trigger in
      trigger.columns.contains { values[$0] != nil || fallbacks[$0] != nil }
    }) {
      throw FillObstacle(
        reason: "trigger \"\(trigger.name)\" runs before columns that it reads have their values"
      )
    }
    let own = Set(old.columns.map(\.name) + new.columns.map(\.name))
    if own.contains(BridgeDraft.writer), !values.isEmpty || !former.isEmpty {
      throw FillObstacle(
        reason: "column \"\(BridgeDraft.writer)\" has the name of one that triggers would need"
      )
    }
    var taken = own.union(retained)
    let columns = kept.compactMap { old.column($0) }.map { column in
      let base = "remodel_kept_\(column.name.name)"
      var name = StorageNames.fitted(base)
      var count = 1
      while !taken.insert(name).inserted {
        count += 1
        name = StorageNames.fitted("\(base)_\(count)")
      }
      return BridgeDraft.KeptColumn(column: column, name: name)
    }
    let expressions = [values, former].flatMap(\.values) + fallbacks.values.map(\.value)
    let computed = Set(kept).union([values, former].flatMap(\.keys)).union(fallbacks.keys)
      .union(expressions.flatMap(\.identifiers))
    return BridgeDraft(
      oldName: old.name,
      newName: new.name,
      kept: columns,
      values: values,
      formerValues: former,
      fallbacks: fallbacks,
      comparedAsText: Set(
        (old.columns + new.columns).filter { !$0.type.hasEquality }.map(\.name)
      ),
      readsFormats: (old.columns + new.columns).contains {
        computed.contains($0.name) && !$0.type.isIndependentOfFormats
      } || !expressions.allSatisfy(\.isIndependentOfFormats),
      entityConditions: entityConditions,
      columns: names
    )
  }
}
