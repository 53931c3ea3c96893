internal import SQLSyntax

/// Something that a transaction holds locks on, as the server's table of locks counts it: an entry for
/// each object, however many locks the transaction has on it.
enum LockedObject: Hashable, Sendable {
  /// A table, an index or a sequence.
  case relation(SQLIdentifier)
  /// The table that holds the large values of a table, with its index.
  case toast(of: SQLIdentifier)
  /// What a table is written anew into: itself, its row types, the table of its large values.
  case rewrite(of: SQLIdentifier)
  /// An index that is built anew.
  case rebuiltIndex(SQLIdentifier)
  /// The row types of a table that is dropped, or made: that locks one from version 18 on. A column
  /// that gives the rows values, or another type, locks them from 15.20 on.
  case rowTypes(of: SQLIdentifier)
  /// A constraint that is dropped, or made: that locks it from version 18 on.
  case constraint(SQLIdentifier, of: SQLIdentifier)
  /// The constraint of a required column that goes: there is one from version 18 on.
  case notNull(SQLIdentifier, of: SQLIdentifier)
  /// The default of a column, or the expression that makes its values, which goes, if only for another.
  case columnDefault(SQLIdentifier, of: SQLIdentifier)
  /// The triggers that keep a foreign key, which is dropped.
  case keyTriggers(SQLIdentifier, of: SQLIdentifier)
  /// A trigger that is dropped, with its function.
  case trigger(SQLIdentifier)
  /// The function of a trigger that is made: that locks it from version 18 on.
  case triggerFunction(of: SQLIdentifier)
  /// A dependent object with its parts.
  case dependent(String)

  /// The entries, as measured on the served versions.
  var entries: Int {
    switch self {
    case .relation, .rebuiltIndex, .constraint, .notNull, .columnDefault, .triggerFunction: 1
    case .toast, .rowTypes, .trigger: 2
    case .keyTriggers: 4
    case .rewrite: 5
    case .dependent: 6
    }
  }
}

extension MigrationOperation {
  /// Returns what the operation locks.
  ///
  /// - Parameter tables: The tables of the version that the operation leads to.
  /// - Returns: The objects.
  func lockedObjects(_ tables: [SQLIdentifier: Table]) -> Set<LockedObject> {
    var objects = Set(base.impact.locks.keys.map { LockedObject.relation($0) })
    switch self {
    case .createTable(let creation): objects.formUnion(creation.contents.lockedWhole)
    case .installTable(let installation): objects.formUnion(installation.contents.lockedWhole)
    case .dropTable(let drop):
      objects.formUnion(drop.contents.lockedWhole)
      for column in drop.contents.columns {
        if !column.isNullable { objects.insert(.notNull(column.name, of: drop.table)) }
        if column.hasExpression { objects.insert(.columnDefault(column.name, of: drop.table)) }
      }
    case .dropColumn(let drop):
      objects.insert(.notNull(drop.column, of: drop.table))
      objects.insert(.columnDefault(drop.column, of: drop.table))
    case .dropNotNull(let drop): objects.insert(.notNull(drop.column, of: drop.table))
    case .retainColumn(let retention):
      objects.insert(.notNull(retention.column.name, of: retention.table))
      objects.insert(.columnDefault(retention.column.name, of: retention.table))
    case .changeColumnType(let change):
      objects.insert(.rowTypes(of: change.table))
      objects.insert(.columnDefault(change.column, of: change.table))
      guard !change.impact.scans.isEmpty, let table = tables[change.table] else { break }
      objects.formUnion(table.lockedParts)
      objects.insert(.rewrite(of: table.name))
      for index in table.indexNames { objects.insert(.rebuiltIndex(index)) }
      for constraint in table.constraints {
        objects.insert(.constraint(constraint.name, of: table.name))
      }
    case .createIndex:
      if let table = tables[base.table] { objects.formUnion(table.lockedParts) }
    case .addColumn(let addition):
      if addition.givesValues { objects.insert(.rowTypes(of: addition.table)) }
      if !addition.impact.rewrites.isEmpty { objects.insert(.rewrite(of: addition.table)) }
      if addition.looksAtRows, let table = tables[addition.table] {
        objects.formUnion(table.lockedParts)
      }
      if let reference = addition.reference {
        objects.insert(.constraint(reference.name, of: addition.table))
      }
    case .retainRows(let retention):
      objects.formUnion(lockedRows(of: tables))
      objects.formUnion(Self.madeForRetained(retention.newTable))
    case .cutLinks(let cut):
      objects.formUnion(lockedRows(of: tables))
      if let table = cut.retainedTable { objects.formUnion(Self.madeForRetained(table)) }
    case .updateRows, .computeValues, .copyRows, .deleteRows, .cutDanglingLinks, .reinstateRows,
      .moveLinks, .numberLinks:
      objects.formUnion(lockedRows(of: tables))
    case .addConstraint(let addition):
      // What checks the rows looks at all indexes of both tables.
      for name in [addition.table, addition.constraint.referencedTable].compactMap({ $0 }) {
        if let table = tables[name] { objects.formUnion(table.lockedParts) }
      }
      objects.insert(.constraint(addition.constraint.name, of: addition.table))
      if addition.constraint.hasIndex { objects.insert(.relation(addition.constraint.name)) }
    case .dropConstraint(let drop):
      objects.insert(.constraint(drop.constraint.name, of: drop.table))
      if drop.constraint.hasIndex { objects.insert(.relation(drop.constraint.name)) }
      if drop.constraint.referencedTable != nil {
        objects.insert(.keyTriggers(drop.constraint.name, of: drop.table))
      }
    case .dropIndex(let drop): objects.insert(.relation(drop.index))
    case .renameIndex(let rename): objects.insert(.relation(rename.name))
    case .renameSequence(let rename): objects.insert(.relation(rename.name))
    case .renameConstraint(let rename): objects.insert(.relation(rename.name))
    case .renameRetained(let rename):
      if rename.kind == .part { objects.insert(.relation(rename.name)) }
    case .dropTrigger(let drop): objects.insert(.trigger(drop.trigger))
    case .createTrigger(let creation):
      objects.insert(.triggerFunction(of: creation.trigger.name))
    case .dropDependent(let drop): objects.insert(.dependent(drop.object.name))
    case .createDependent(let creation): objects.insert(.dependent(creation.object.name))
    case .setDefault(let setting):
      objects.insert(.columnDefault(setting.column, of: setting.table))
    case .dropExpression(let drop): objects.insert(.columnDefault(drop.column, of: drop.table))
    case .renameTable, .retainTable, .renameColumn, .setNotNull: break
    }
    return objects
  }

  /// Who reads or writes rows locks all indexes of their tables.
  private func lockedRows(of tables: [SQLIdentifier: Table]) -> Set<LockedObject> {
    Set(base.impact.locks.keys.compactMap { tables[$0] }.flatMap(\.lockedParts))
  }

  /// What there is of a table of retained rows that is made.
  private static func madeForRetained(_ table: SQLIdentifier) -> Set<LockedObject> {
    [.relation(table), .toast(of: table), .rowTypes(of: table)]
  }
}

extension AddColumn {
  /// Whether the server goes through the rows, or through the indexes for a key to be referred to.
  fileprivate var looksAtRows: Bool {
    reference != nil || !impact.rewrites.isEmpty
      || !column.isNullable && column.defaultExpression == nil
  }

  /// Whether the rows that are there have values in the column.
  fileprivate var givesValues: Bool {
    column.defaultExpression != nil || !impact.rewrites.isEmpty
  }
}

extension Table {
  fileprivate var indexNames: [SQLIdentifier] {
    indexes.map(\.name) + constraints.filter(\.hasIndex).map(\.name)
  }

  /// The table and everything that comes and goes with it.
  fileprivate var lockedWhole: Set<LockedObject> {
    var objects = lockedParts
    objects.insert(.rowTypes(of: name))
    for constraint in constraints { objects.insert(.constraint(constraint.name, of: name)) }
    return objects
  }

  /// The table and everything that has storage of its own.
  fileprivate var lockedParts: Set<LockedObject> {
    var parts = Set(relationNames.map { LockedObject.relation($0) })
    if columns.contains(where: \.mayBeLarge) { parts.insert(.toast(of: name)) }
    return parts
  }
}

extension Column {
  /// A Boolean value that indicates whether it has a default or is computed.
  fileprivate var hasExpression: Bool { defaultExpression != nil || generation != nil }

  /// A Boolean value that indicates whether values may be so large that they are stored apart.
  fileprivate var mayBeLarge: Bool {
    let fixed = [
      "bigint", "integer", "smallint", "boolean", "double precision", "real", "uuid", "date",
      "timestamp", "time",
    ]
    return !fixed.contains { type.text.hasPrefix($0) } || type.text.hasSuffix("[]")
  }
}
