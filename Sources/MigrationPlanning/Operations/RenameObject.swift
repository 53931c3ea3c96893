internal import SQLSyntax

/// Gives a table, a column or a part of a table another name.
///
/// ```sql
/// ALTER TABLE "s"."t" RENAME TO "u"
/// ALTER TABLE "s"."t" RENAME COLUMN "c" TO "d"
/// ALTER TABLE "s"."t" RENAME CONSTRAINT "t_c_key" TO "t_d_key"
/// ALTER INDEX "s"."t_c_idx" RENAME TO "t_d_idx"
/// ALTER SEQUENCE "s"."t__id_seq" RENAME TO "u__id_seq"
/// ```
struct RenameObject: SchemaOperation {
  /// The kinds of renamed objects.
  enum Kind: Hashable, Sendable {
    case table
    case column(of: SQLIdentifier)
    /// A constraint; its index is renamed with it.
    case constraint(of: SQLIdentifier, hasIndex: Bool)
    /// The NOT NULL constraint of a column, whose name the server keeps from version 18 on.
    case notNull(of: SQLIdentifier, column: SQLIdentifier, isNamed: Bool)
    case index(of: SQLIdentifier)
    case sequence(of: SQLIdentifier, column: SQLIdentifier)
    /// Something retained, which has a name that is needed again.
    case retainedTable
    /// A retained index or sequence, which ALTER TABLE renames as well.
    case retainedPart
    case retainedColumn(of: SQLIdentifier)
  }

  var kind: Kind
  var name: SQLIdentifier
  var newName: SQLIdentifier
  /// Whether the name is a temporary one, which two names in a circle need.
  var isFromTemporary = false

  var table: SQLIdentifier {
    switch kind {
    case .table: newName
    case .retainedTable, .retainedPart: name
    case .column(let table), .constraint(let table, _), .notNull(let table, _, _),
      .index(let table), .sequence(let table, _), .retainedColumn(let table):
      table
    }
  }

  /// Whether a table gets another name.
  var isOfTable: Bool { kind == .table || kind == .retainedTable }

  var summary: String {
    let object =
      switch kind {
      case .table: "table \"\(name)\""
      case .column(let table): "column \"\(name)\" of table \"\(table)\""
      case .constraint(let table, _), .notNull(let table, _, _):
        "constraint \"\(name)\" of table \"\(table)\""
      case .index: "index \"\(name)\""
      case .sequence: "sequence \"\(name)\""
      case .retainedTable: "retained table \"\(name)\""
      case .retainedPart: "retained relation \"\(name)\""
      case .retainedColumn: "retained column \"\(name)\""
      }
    return "rename \(object) to \"\(newName)\""
  }

  var dependencies: OperationDependencies {
    var dependencies = OperationDependencies()
    func exchange(_ slot: (SQLIdentifier) -> OperationDependencies.NameSlot) {
      dependencies.claims.insert(slot(newName))
      // Nothing else waits for a temporary name.
      if !isFromTemporary { dependencies.releases.insert(slot(name)) }
    }
    func provide(_ resource: (SQLIdentifier) -> OperationDependencies.Resource) {
      dependencies.provides.insert(resource(newName))
      if isFromTemporary { dependencies.requires.insert(resource(name)) }
    }
    switch kind {
    case .table: provide { .table($0) }
    case .column(let table), .retainedColumn(let table):
      dependencies.requires.insert(.table(table))
      provide { .columnName(table, $0) }
      provide { .formerColumn(table, $0) }
    case .constraint(let table, _), .notNull(let table, _, _), .index(let table),
      .sequence(let table, _):
      dependencies.requires.insert(.table(table))
      provide { .objectName(table, $0) }
    case .retainedTable, .retainedPart: break
    }
    switch kind {
    case .table, .index, .sequence, .retainedTable, .retainedPart: exchange { .relation($0) }
    case .column(let table), .retainedColumn(let table): exchange { .column(table, $0) }
    case .constraint(let table, let hasIndex):
      exchange { .constraint(table, $0) }
      if hasIndex { exchange { .relation($0) } }
    case .notNull(let table, let column, _):
      exchange { .constraint(table, $0) }
      dependencies.requires.insert(.columnName(table, column))
    }
    return dependencies
  }

  var rank: OperationRank { .names }
  var traits: OperationTraits {
    switch kind {
    case .table, .index, .sequence, .retainedTable, .retainedPart, .retainedColumn:
      [.needsOwnership, .makesObjects]
    case .column, .constraint, .notNull: [.needsOwnership]
    }
  }
  var speaksOldNames: Bool { isOfTable && !isFromTemporary }

  var impact: OperationImpact {
    switch kind {
    case .table, .retainedTable: .accessExclusive(name)
    case .column(let table), .retainedColumn(let table), .constraint(let table, _),
      .notNull(let table, _, true):
      .accessExclusive(table)
    case .notNull(_, _, false), .index, .sequence, .retainedPart: OperationImpact()
    }
  }

  func lockedParts(in schema: DatabaseSchema) -> Set<LockedObject> {
    switch kind {
    case .table, .column, .retainedTable, .retainedColumn: []
    case .constraint, .notNull, .index, .sequence, .retainedPart: [.relation(name)]
    }
  }

  var replacedSequences: Set<SQLIdentifier> {
    switch kind {
    case .sequence, .retainedPart: [name]
    case .table, .column, .index, .constraint, .notNull, .retainedTable, .retainedColumn: []
    }
  }

  func rowWork(in schema: DatabaseSchema) -> [[RowWork]] {
    isOfTable ? [[.rename(schema.qualified(name), to: schema.qualified(newName))]] : []
  }

  var subjects: [OperationSubject] {
    switch kind {
    case .column: [OperationSubject(column: newName)]
    case .table, .constraint, .notNull, .index, .sequence: [OperationSubject()]
    case .retainedTable, .retainedPart, .retainedColumn: []
    }
  }

  var outcome: OperationOutcome {
    guard case .notNull(_, let column, _) = kind else { return OperationOutcome() }
    return OperationOutcome(settledNotNull: column)
  }

  func relevance(to finding: ReleaseComparison.Finding) -> Int? {
    switch kind {
    case .table, .retainedTable:
      guard case .table = finding.cause else { return nil }
      return name == finding.breakage.table ? 0 : nil
    case .column, .retainedColumn:
      guard case .columnRenamed = finding.breakage, case .column(name, _, table) = finding.cause
      else { return nil }
      return isFromTemporary ? nil : 0
    case .sequence(_, let column):
      guard case .nameRemoved = finding.breakage, finding.isAbout(column, of: table) else {
        return nil
      }
      return isFromTemporary ? nil : 0
    case .constraint, .notNull, .index:
      if finding.cause == .object(newName, table: table) { return 1 }
      return finding.cause == .formerObject(name, table: table) ? 0 : nil
    case .retainedPart: return nil
    }
  }

  func sql(in schema: SQLIdentifier) -> OperationSQL {
    let owner = QualifiedName(schema: schema, name: table)
    let own = QualifiedName(schema: schema, name: name)
    return switch kind {
    case .table, .retainedTable, .retainedPart:
      .statements(["ALTER TABLE \(own) RENAME TO \(newName)"])
    case .column, .retainedColumn:
      .statements(["ALTER TABLE \(owner) RENAME COLUMN \(name) TO \(newName)"])
    case .constraint, .notNull(_, _, true):
      .statements(["ALTER TABLE \(owner) RENAME CONSTRAINT \(name) TO \(newName)"])
    case .notNull(_, _, false): .statements([])
    case .index: .statements(["ALTER INDEX \(own) RENAME TO \(newName)"])
    case .sequence: .statements(["ALTER SEQUENCE \(own) RENAME TO \(newName)"])
    }
  }

  func apply(to schema: inout DatabaseSchema) {
    switch kind {
    case .table:
      guard var table = schema.tables.removeValue(forKey: name) else { return }
      table.name = newName
      schema.tables[newName] = table
      schema.renameReferences([name: newName])
    case .column(let table):
      schema.tables[table]?.renameColumns([name: newName])
      schema.renameReferences(keys: [table: [name: newName]])
    case .constraint(let table, _):
      let constraints = schema.tables[table]?.constraints ?? []
      guard let index = constraints.firstIndex(where: { $0.name == name }) else { return }
      schema.tables[table]?.constraints[index].name = newName
    case .notNull(let table, let column, _):
      schema.tables[table]?.withColumn(column) { $0.notNullConstraint = newName }
    case .index(let table):
      let indexes = schema.tables[table]?.indexes ?? []
      guard let index = indexes.firstIndex(where: { $0.name == name }) else { return }
      schema.tables[table]?.indexes[index].name = newName
    case .sequence(let table, let column):
      schema.tables[table]?.withColumn(column) { $0.identitySequence = newName }
    case .retainedTable, .retainedPart, .retainedColumn: break  // No part of the schema.
    }
  }
}

extension DatabaseSchema {
  fileprivate mutating func renameReferences(
    _ names: [SQLIdentifier: SQLIdentifier] = [:],
    keys: [SQLIdentifier: [SQLIdentifier: SQLIdentifier]] = [:]
  ) {
    for table in tables.keys { tables[table]?.renameReferences(names, keys: keys) }
  }
}
