internal import SQLSyntax

/// What all passes over a step read: both versions, what they have in common, and the settings.
struct StepContext {
  let match: SchemaMatch
  let planner: MigrationPlanner
  let names: CurrentNames
  /// The name of the version that is led to.
  let versionName: String

  /// Returns what the key of a table of the source is called after all renames.
  func currentKey(of table: SQLIdentifier) -> SQLIdentifier {
    names.current(ColumnReference(table: table, column: match.source.key(of: table)))
  }

  /// Returns what makes a column required that is there already; nothing if it is not.
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

  /// Returns what something retained was in the source.
  ///
  /// - Parameters:
  ///   - content: What is retained.
  ///   - table: The table, as the source calls it.
  ///   - columns: The columns, as the source calls them; if none are named, all that the version had
  ///     before others were put back.
  /// - Returns: What it was.
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

  /// Returns what binds a table or column again that is bound to nothing while it is retained.
  func restoration(of constraints: [Constraint], _ required: [Column]) -> [String] {
    required.map { ("ALTER COLUMN \($0.name) SET NOT NULL" as SQLFragment).text }
      + constraints.map { ("ADD \($0.clause(in: match.source.schema.name))" as SQLFragment).text }
  }
}

/// What the tables and columns of the source are called after all renames.
struct CurrentNames {
  /// The names of the tables, where they may be others.
  let tables: [SQLIdentifier: SQLIdentifier]
  /// The names of the columns of tables that stay, by the tables' old names.
  private(set) var columns: [SQLIdentifier: [SQLIdentifier: SQLIdentifier]] = [:]

  /// Names what stays as the destination does, and what goes so that it is in nobody's way.
  init(_ match: SchemaMatch, _ removals: RemovalPolicy, _ retained: inout RetainedNames) {
    // Whatever is done to what goes is done under that name, so that it is never taken for what has
    // the name now.
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
