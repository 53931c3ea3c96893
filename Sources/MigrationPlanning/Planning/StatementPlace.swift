internal import SQLSyntax

/// A table or column that an operation of a statement is about.
struct StatementPlace: Hashable, Sendable {
  /// A table, or a column of it.
  struct Location: Hashable, Sendable {
    var table: SQLIdentifier
    var column: SQLIdentifier?
  }

  /// Its name in the source.
  var before: Location?
  /// The name in the destination; `nil` if it is removed.
  var after: Location?
  /// Whether it is about an index, or a constraint that has one.
  var isOfKey = false
  /// The possible hazards of the operation.
  var hazards: Set<Hazard> = []
  /// What the operation deletes for good there.
  var loss: OperationLoss?
}

extension StatementPlace {
  /// Creates the place of a new table.
  init(made table: SQLIdentifier) {
    self.init(after: Location(table: table))
  }
}

/// The part of its table that an operation changes.
struct OperationSubject {
  /// The column; none for the table as a whole.
  var column: SQLIdentifier?
  /// Whether the destination no longer has it.
  var isGoing = false
  /// Whether it is about an index, or a constraint that has one.
  var isOfKey = false
  /// The name of the table in the destination, if it still has its old name.
  var newTable: SQLIdentifier?
}

extension Constraint {
  var subjects: [OperationSubject] {
    columns.map { OperationSubject(column: $0, isOfKey: hasIndex) }
  }
}

/// Finds the subjects of operations in the order in which they run, since names change in between.
struct StatementPlaces {
  /// The former names of tables, by their current names.
  private var formerTables: [SQLIdentifier: SQLIdentifier] = [:]
  /// The former names of columns, by their current names.
  private var formerColumns: [ColumnReference: SQLIdentifier] = [:]

  /// Returns the subjects of the next operation.
  mutating func places(of operation: MigrationOperation) -> [StatementPlace] {
    if let rename = operation.rename { follow(rename) }
    let base = operation.base
    let hazards = Set(base.impact.allHazards)
    return base.subjects.map { subject in
      var place = place(of: subject, on: base.table, hazards)
      place.loss = base.loss
      return place
    }
  }

  private mutating func follow(_ rename: RenameObject) {
    let (name, newName) = (rename.name, rename.newName)
    if rename.kind == .table {
      formerTables[newName] = formerTables.removeValue(forKey: name) ?? name
    }
    if case .column(let table) = rename.kind {
      let before = ColumnReference(table: table, column: name)
      formerColumns[ColumnReference(table: table, column: newName)] =
        formerColumns.removeValue(forKey: before) ?? name
    }
  }

  private func place(
    of subject: OperationSubject,
    on table: SQLIdentifier,
    _ hazards: Set<Hazard>
  ) -> StatementPlace {
    let formerColumn = subject.column.map {
      formerColumns[ColumnReference(table: table, column: $0)] ?? $0
    }
    return StatementPlace(
      before: .init(table: formerTables[table] ?? table, column: formerColumn),
      after: subject.isGoing
        ? nil : .init(table: subject.newTable ?? table, column: subject.column),
      isOfKey: subject.isOfKey,
      hazards: hazards
    )
  }
}

extension PlannedStatement {
  /// The tables that the statement is about, by the names that they have afterwards.
  package var tables: [String] {
    var names: [String] = []
    for place in places {
      guard let name = (place.after ?? place.before)?.table.name, !names.contains(name) else {
        continue
      }
      names.append(name)
    }
    return names
  }
}
