internal import ObjectModel
internal import SQLSyntax

/// Puts rows and links that were retained in tables of their own back where they were.
///
/// ```sql
/// SET CONSTRAINTS ALL DEFERRED;
/// INSERT INTO "s"."t" ("_id", …) SELECT "_id", … FROM "s"."remodel_retained_1_u";
/// DROP TABLE "s"."remodel_retained_1_u";
/// SET CONSTRAINTS ALL IMMEDIATE
/// ```
struct ReinstateRows: SchemaOperation {
  /// The objects to put back into one table.
  struct Return: Hashable {
    /// The way to put them back.
    enum Way: Hashable {
      /// Rows that are not there.
      case rows
      /// Links of existing rows, in a column, with their positions.
      case links(column: SQLIdentifier)
      /// Links that are rows.
      case pairs
    }

    var way: Way
    var table: SQLIdentifier
    var retainedTable: SQLIdentifier
    /// The columns, with the names of the retained ones.
    var columns: [Pair]
    /// The key of the table.
    var key: SQLIdentifier = StorageNames.key
    /// The OVERRIDING clause for values of a column with a sequence.
    var overriding: SQLFragment = ""
    /// The columns which stay retained in the table, whose values come back as well.
    var companions: [Companion] = []
    /// The references of the columns.
    var references: [SQLIdentifier: ForeignKey]
    /// The columns with links of which no two rows may have the same.
    var soleLinks: Set<SQLIdentifier> = []

    /// The tables that columns refer to.
    var referencedTables: Set<SQLIdentifier> { Set(references.values.map(\.references)) }

    /// The tables of others that are read from end to end.
    var scans: Set<SQLIdentifier> {
      switch way {
      case .rows where !soleLinks.isEmpty: referencedTables.union([table])
      case .rows, .pairs: referencedTables
      case .links: referencedTables.union([table])
      }
    }

    /// The name of the key in the retained rows.
    var retainedKey: SQLIdentifier {
      columns.first { $0.column.name == key }?.retainedName ?? key
    }

    struct Companion: Hashable {
      var name: SQLIdentifier
      var retainedName: SQLIdentifier
    }

    struct Pair: Hashable {
      var column: Column
      var retainedName: SQLIdentifier
    }
  }

  var returns: [Return]

  var table: SQLIdentifier { returns.first?.table ?? "" }
  var summary: String {
    let tables = Set(returns.map(\.table)).sorted().map { "\"\($0)\"" }.joined(separator: ", ")
    return "put retained rows back to table \(tables)"
  }

  var dependencies: OperationDependencies {
    var dependencies = OperationDependencies()
    for item in returns {
      dependencies.requires.formUnion([
        .table(item.table), .rows(item.table), .reads(item.table), .quiet(item.table),
        .freedom(item.table, StorageNames.discriminator),
        .values(item.table, StorageNames.discriminator),
      ])
      for column in item.columns.map(\.column.name) {
        dependencies.requires.formUnion([
          .columnName(item.table, column), .columnType(item.table, column),
          .freedom(item.table, column),
        ])
      }
      // Links that come from elsewhere are newer.
      if case .links(let column) = item.way {
        dependencies.requires.insert(.movedLinks(item.table, column))
      }
      for column in item.companions.map(\.name) {
        dependencies.requires.insert(.columnName(item.table, column))
      }
      for referenced in item.referencedTables { dependencies.requires.insert(.table(referenced)) }
      dependencies.provides.insert(.returned(item.table))
    }
    return dependencies
  }

  var rank: OperationRank { .indexes }
  var traits: OperationTraits { [] }
  var rowChange: RowChange { .returns }

  var impact: OperationImpact {
    var locks: [SQLIdentifier: LockMode] = [:]
    for item in returns {
      for referenced in item.referencedTables {
        locks[referenced] = max(locks[referenced] ?? .rowShare, .rowShare)
      }
    }
    for item in returns {
      locks[item.table] = .rowExclusive
      locks[item.retainedTable] = .accessExclusive
    }
    return OperationImpact(
      locks: locks,
      scans: returns.reduce(into: []) { $0.formUnion($1.scans) },
      hazards: [.failsOnData]
    )
  }

  /// The objects that each statement puts back.
  ///
  /// A foreign key that cannot be deferred holds at the end of each statement, so that rows which may refer to
  /// one another come back by one, before everything that refers to them.
  private var groups: [[Return]] {
    let references = returns.flatMap(\.references.values)
    guard references.contains(where: { $0.deferrability == .notDeferrable }) else {
      return returns.map { [$0] }
    }
    let rows = returns.filter { $0.way == .rows }
    return (rows.isEmpty ? [] : [rows]) + returns.filter { $0.way != .rows }.map { [$0] }
  }

  func impact(ofStatement index: Int) -> OperationImpact {
    let position = index - 1
    let groups = groups
    if groups.indices.contains(position) {
      return groups[position].reduce(into: OperationImpact(hazards: [.failsOnData])) {
        impact,
        item in
        var locks: [SQLIdentifier: LockMode] = [item.retainedTable: .accessShare]
        for referenced in item.referencedTables { locks[referenced] = .rowShare }
        locks[item.table] = .rowExclusive
        impact.formUnion(OperationImpact(locks: locks, scans: item.scans))
      }
    }
    let drop = position - groups.count
    guard returns.indices.contains(drop) else { return OperationImpact() }
    return OperationImpact(locks: [returns[drop].retainedTable: .accessExclusive])
  }

  func rowWork(in schema: DatabaseSchema) -> [[RowWork]] {
    let work = groups.map { group in
      group.flatMap { item -> [RowWork] in
        let (name, origin) = (
          schema.qualified(item.table), schema.qualified(item.retainedTable)
        )
        return switch item.way {
        case .rows, .pairs: [.fill(name, from: origin, .rows)]
        case .links: [.read(origin), .change(name)]
        }
      }
    }
    return [[]] + work
  }

  var outcome: OperationOutcome { OperationOutcome(filledTables: Set(returns.map(\.table))) }

  func sql(in schema: SQLIdentifier) -> OperationSQL {
    .statements(
      ["SET CONSTRAINTS ALL DEFERRED"]
        + groups.map { statement(for: $0, in: schema) }
        + returns.map {
          "DROP TABLE \(QualifiedName(schema: schema, name: $0.retainedTable))"
        } + ["SET CONSTRAINTS ALL IMMEDIATE"]
    )
  }

  /// Returns one statement for several objects, at whose end foreign keys are checked.
  private func statement(for group: [Return], in schema: SQLIdentifier) -> SQLFragment {
    let statements = group.map { statement(for: $0, in: schema) }
    guard let last = statements.last, statements.count > 1 else { return statements.first ?? "" }
    let others = statements.dropLast().enumerated().map { index, statement -> SQLFragment in
      "\(SQLIdentifier("remodel_rows_\(index + 1)")) AS (\(statement))"
    }
    return "WITH \(others.joined(separator: ", "))\n\(last)"
  }

  private func statement(for item: Return, in schema: SQLIdentifier) -> SQLFragment {
    let target = QualifiedName(schema: schema, name: item.table)
    let origin = QualifiedName(schema: schema, name: item.retainedTable)
    func exists(_ pair: Return.Pair, _ foreignKey: ForeignKey) -> SQLFragment {
      let name = QualifiedName(schema: schema, name: foreignKey.references)
      let own = returns.filter { $0.way == .rows && $0.table == foreignKey.references }.map {
        """
        SELECT FROM \(QualifiedName(schema: schema, name: $0.retainedTable)) AS o \
        WHERE o.\($0.retainedKey) = r.\(pair.retainedName)
        """ as SQLFragment
      }
      let found: SQLFragment = """
        SELECT FROM \(name) AS o WHERE o.\(foreignKey.key) = r.\(pair.retainedName)
        """
      let all = ([found] + own).map { "EXISTS (\($0))" as SQLFragment }
      return "(\(all.joined(separator: " OR ")))"
    }
    /// A link to a removed row, or of a row with another link, is removed too unless it is
    /// required.
    func value(_ pair: Return.Pair) -> SQLFragment {
      guard let referenced = item.references[pair.column.name], pair.column.isNullable else {
        return "r.\(pair.retainedName)"
      }
      let isFree: SQLFragment =
        item.soleLinks.contains(pair.column.name)
        ? """
         AND r.\(pair.retainedName) NOT IN (SELECT t.\(pair.column.name) FROM \(target) AS t \
        WHERE t.\(pair.column.name) IS NOT NULL)
        """
        : ""
      return "CASE WHEN \(exists(pair, referenced))\(isFree) THEN r.\(pair.retainedName) END"
    }
    let names = item.columns.map { "\($0.column.name)" as SQLFragment }.joined(separator: ", ")
    switch item.way {
    case .rows:
      let columns = item.columns.map(\.column.name) + item.companions.map(\.name)
      let values =
        item.columns.map(value) + item.companions.map { "r.\($0.retainedName)" as SQLFragment }
      return """
        INSERT INTO \(target) (\(columns))\(item.overriding) \
        SELECT \(values.joined(separator: ", ")) FROM \(origin) AS r
        """
    case .pairs:
      let values = item.columns.map { "r.\($0.retainedName)" as SQLFragment }
        .joined(separator: ", ")
      let conditions = item.columns.compactMap { pair in
        item.references[pair.column.name].map { exists(pair, $0) }
      }
      let filter: SQLFragment =
        conditions.isEmpty ? "" : " WHERE \(conditions.joined(separator: " AND "))"
      return """
        INSERT INTO \(target) (\(names)) SELECT \(values) FROM \(origin) AS r\(filter) \
        ON CONFLICT DO NOTHING
        """
    case .links(let column):
      let changes = item.columns.filter { $0.column.name != item.key }
        .map { "\($0.column.name) = r.\($0.retainedName)" as SQLFragment }
      let found = item.columns.first { $0.column.name == column }
      let condition = found.flatMap { pair in
        item.references[column].map { " AND \(exists(pair, $0))" as SQLFragment }
      }
      return """
        UPDATE \(target) AS t SET \(changes.joined(separator: ", ")) FROM \(origin) AS r \
        WHERE t.\(item.key) = r.\(item.retainedKey) AND t.\(column) IS NULL\(condition ?? "")
        """
    }
  }

  func apply(to schema: inout DatabaseSchema) {
    // Rows are no part of the schema.
  }
}
