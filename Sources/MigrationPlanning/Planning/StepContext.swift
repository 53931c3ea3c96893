internal import SQLSyntax

/// The common input of all passes over a step: both versions, their match, and the settings.
struct StepContext {
  let match: SchemaMatch
  let planner: MigrationPlanner
  let names: CurrentNames
  /// The name of the version that is led to.
  let versionName: String

  /// The kinds of the tables before, under their new names.
  var kinds: TableKinds { planner.kinds.renamed(match.tables, columns: names.columns) }

  /// Returns whether the rows of a table that stays are spread over nodes by the step.
  ///
  /// - Parameter table: The table of the destination.
  /// - Returns: Whether they are.
  func isDistributed(_ table: SQLIdentifier) -> Bool {
    guard let new = match.destination.schema.tables[table], let name = match.oldTables[table],
      let old = match.source.schema.tables[name]
    else { return false }
    return DistributeTable(of: old, into: new, kinds) != nil
  }

  /// Returns the name of a source table's key after all renames.
  func currentKey(of table: SQLIdentifier) -> SQLIdentifier {
    names.current(ColumnReference(table: table, column: match.source.key(of: table)))
  }

  /// Returns the operation that makes an existing column required; `nil` if it is not.
  func requirement(
    of column: Column,
    in table: Table,
    by found: NotNullConstraint? = nil
  ) -> MigrationOperation? {
    column.notNullConstraint.map { constraint in
      .setNotNull(
        SetNotNull(
          table: table.name,
          column: column.name,
          constraint: constraint,
          isNamed: planner.serverMajor >= 18,
          found: found
        )
      )
    }
  }

  // MARK: - What is retained

  /// Returns the origin of a retained object in the source.
  ///
  /// - Parameters:
  ///   - content: The retained part.
  ///   - table: The table, by its name in the source.
  ///   - columns: The columns, by their names in the source; by default all that the version had
  ///     before others were put back.
  /// - Returns: The origin.
  func origin(
    _ content: RetainedObject.Origin.Content,
    of table: SQLIdentifier,
    _ columns: Set<SQLIdentifier>? = nil
  ) -> RetainedObject.Origin {
    let all = match.source.schema.tables[table]?.columns ?? []
    let columns =
      columns
      ?? Set(all.map(\.name))
      .subtracting(planner.reinstatement?.columns[table] ?? [])
    return RetainedObject.Origin(
      content: content,
      table: table.name,
      columns: all.filter { columns.contains($0.name) }.map { column in
        RetainedObject.Origin.Column(
          name: column.name.name,
          type: column.type.text,
          retainedName: names.current(ColumnReference(table: table, column: column.name)).name
        )
      }
    )
  }

  /// Returns the clauses that restore the constraints of a table or column, which has none while it
  /// is retained.
  func restoration(of constraints: [Constraint], _ required: [Column]) -> [String] {
    required.map { ("ALTER COLUMN \($0.name) SET NOT NULL" as SQLFragment).text }
      + constraints.map { ("ADD \($0.clause(in: match.source.schema.name))" as SQLFragment).text }
  }
}

/// The names of the source's tables and columns after all renames.
struct CurrentNames {
  /// The names of the tables, where they may be others.
  let tables: [SQLIdentifier: SQLIdentifier]
  /// The names of the columns of tables that stay, by the tables' old names.
  private(set) var columns: [SQLIdentifier: [SQLIdentifier: SQLIdentifier]] = [:]

  /// Names remaining objects as the destination does, and removed ones so that they are in nobody's
  /// way.
  init(_ match: SchemaMatch, _ removals: RemovalPolicy, _ retained: inout RetainedNames) {
    // Operations on a removed object use that name, so that it is never taken for the object that
    // has the name now.
    func nameOutOfTheWay(_ name: SQLIdentifier) -> SQLIdentifier {
      switch removals {
      case .drop: StorageNames.temporary(name)
      case .retain, .refuse: retained.freeName(for: name)
      }
    }
    var tables = match.tables
    for table in match.source.schema.sortedTables
    where tables[table.name] == nil && retained.neededRelations.contains(table.name) {
      tables[table.name] = nameOutOfTheWay(table.name)
    }
    self.tables = tables
    retained.tablesRenamed(tables)
    for (old, new) in match.keptTables {
      var names = match.columns[old.name] ?? [:]
      for column in old.columns.map(\.name) where names[column] == nil {
        names[column] = new.column(column) == nil ? column : nameOutOfTheWay(column)
      }
      columns[old.name] = names
    }
  }

  func current(_ table: SQLIdentifier) -> SQLIdentifier { tables[table] ?? table }

  func current(_ column: ColumnReference) -> SQLIdentifier {
    columns[column.table]?[column.column] ?? column.column
  }
}
