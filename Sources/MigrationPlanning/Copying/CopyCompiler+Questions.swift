internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

/// What the rows of the source are asked before anything is copied. Values that depend on keys which
/// are given only then are left to the server's own constraints.
extension CopyCompiler {
  mutating func askForValues(_ values: [SQLFragment], of columns: [Column], _ rows: MappedRows) {
    for (column, value) in zip(columns, values) where !column.isNullable {
      guard let property = property(of: column, rows), !isAlwaysThere(value, property, rows),
        !(rows.mapping.makesWrittenLinks && isReference(column, rows))
      else { continue }
      ask(
        "property \"\(property)\" of entity \"\(rows.target.name)\" is required, so entity mapping "
          + "\"\(rows.mapping.name)\" has to give every row a value",
        remedy: "Change the rows, or give the expression another value where it has none: "
          + "coalesce(…, 0).",
        about: rows,
        property,
        isEnforced: true,
        offenders: offenders(rows, "(\(value)) IS NULL")
      )
    }
  }

  /// Returns whether a value is there only when rows are made.
  private func isUnknown(_ value: SQLFragment, _ rows: MappedRows) -> Bool {
    value.identifiers.contains(plan.stagingSchema) || rows.isMade(value)
      || givenValues.contains(value)
  }

  private func property(of column: Column, _ rows: MappedRows) -> String? {
    switch destination.table(of: rows.target).flatMap({
      destination.columnOrigins[$0]?[column.name]
    }) {
    case .attribute(_, let name, _), .reference(_, let name): name
    case .key, .discriminator, .position, .joinedDestination, .joinedSource, nil: nil
    }
  }

  private func isReference(_ column: Column, _ rows: MappedRows) -> Bool {
    let origin = destination.table(of: rows.target).flatMap {
      destination.columnOrigins[$0]?[column.name]
    }
    if case .reference = origin { return true }
    return false
  }

  private func isAlwaysThere(_ value: SQLFragment, _ property: String, _ rows: MappedRows) -> Bool {
    if isUnknown(value, rows) || isRequiredColumn(value, rows) { return true }
    let present = ConditionClauses("\(value) IS NOT NULL")
    if ConditionClauses(allOf: rows.conditions).implies(present) { return true }
    switch rows.mapping(of: property)?.valueExpression {
    case .sourceAttribute where rows.mapping(of: property)?.fallback != nil: return true
    case .sourceAttribute, .destinationInstances:
      // A plain column that was required before always has a value.
      let column = value.identifiers.last
      let before = column.flatMap { source.schema.tables[rows.table]?.column($0) }
      return value == "\(MappedRows.sourceAlias).\(column ?? "")" && !(before?.isNullable ?? true)
    case .expression(let expression):
      return expression.isAlwaysPresent { isAlwaysThere($0, rows) }
    case nil: return rows.mapping(of: property)?.fallback != nil
    }
  }

  /// Returns whether a value is that of a column which is required.
  private func isRequiredColumn(_ value: SQLFragment, _ rows: MappedRows) -> Bool {
    let owners = [
      (alias: MappedRows.sourceAlias, table: rows.table),
      (alias: MappedRows.eachAlias, table: rows.each?.table ?? rows.table),
    ]
    return owners.contains { owner in
      (source.schema.tables[owner.table]?.columns ?? []).contains {
        !$0.isNullable && value == "\(owner.alias).\($0.name)"
      }
    }
  }

  /// Returns whether a way is to an attribute of the row itself that is required.
  private func isAlwaysThere(_ path: KeyPathExpression, _ rows: MappedRows) -> Bool {
    guard path.base == .row || path.base == .variable(RowExpression.sourceVariable),
      path.aggregate == nil, path.names.count == 1
    else { return false }
    let family = Set(source.model.lineage(of: rows.entity).map(\.name))
    return source.schema.tables[rows.table]?.columns.contains { column in
      guard !column.isNullable,
        case .attribute(let entity, let name, let parts) = source.columnOrigins[rows.table]?[
          column.name
        ]
      else { return false }
      return parts.isEmpty && name == path.names[0] && family.contains(entity)
    } ?? false
  }

  private func offenders(_ rows: MappedRows, _ condition: SQLFragment) -> SQLFragment {
    let conditions = rows.conditions + [condition]
    return """
      SELECT \(Rows.named("\(MappedRows.sourceAlias).\(rows.key)")) FROM \(rows.sourceOrigin(in: schema)) \
      WHERE \(conditions.joined(separator: " AND "))
      """
  }

  /// What tells rows apart is in an index, which takes no long values.
  mutating func askForIndexable(_ rows: MappedRows) {
    let values = (rows.map?.values ?? []).filter { value in
      (["text", "bytea", "jsonb"].contains(value.type.text) || value.type.text.hasSuffix("[]"))
        && !isUnknown(value.value, rows)
    }.map(\.value)
    guard !values.isEmpty else { return }
    let sizes = values.map { "coalesce(pg_column_size(\($0)), 0)" as SQLFragment }
    let limit = SQLLiteral.integer(PreconditionQueries.longestIndexedValue)
    ask(
      "an index takes values of up to 2696 bytes, so entity mapping \"\(rows.mapping.name)\" may not "
        + "tell rows apart by longer ones",
      remedy: "Shorten the values before, or tell the rows apart by others.",
      about: rows,
      nil,
      isEnforced: true,
      offenders: offenders(rows, "\(sizes.joined(separator: " + ")) > \(limit)")
    )
  }

  /// Rows that become one have to agree where the mapping says so.
  mutating func askForAgreement(_ values: [SQLFragment], _ rows: MappedRows) {
    guard rows.mapping.distinct?.conflict == .error, let map = rows.map else { return }
    let known = values.filter { value in
      !isUnknown(value, rows) && value != rows.unit
    }
    guard !known.isEmpty else { return }
    let filter: SQLFragment =
      rows.conditions.isEmpty ? "" : " WHERE \(rows.conditions.joined(separator: " AND "))"
    let key: SQLFragment = "\(MappedRows.sourceAlias).\(rows.key)"
    ask(
      "rows of entity \"\(rows.entity.name)\" that entity mapping \"\(rows.mapping.name)\" makes one "
        + "of have to agree in all values",
      remedy: "Change the rows, or say which one counts: conflict: first, with an order.",
      about: rows,
      nil,
      offenders: """
        SELECT (array_agg(\(key) ORDER BY \(key)))[1] AS \(StorageNames.key) \
        FROM \(rows.sourceOrigin(in: schema))\(filter) \
        GROUP BY \(map.values.map(\.value).joined(separator: ", ")) \
        HAVING count(DISTINCT ROW(\(known.joined(separator: ", ")))::text) > 1
        """
    )
  }

  /// A relationship that leads to one row cannot take several.
  mutating func askForOne(
    of links: LinkSource,
    _ property: String,
    _ rows: MappedRows,
    where conditions: [SQLFragment] = []
  ) {
    switch links {
    case .none, .keyed: break
    case .way(let way, _):
      guard way.leadsToMany else { break }
      let count: SQLFragment = "(SELECT count(*) FROM \(way.links(in: schema)) AS found) > 1"
      ask(
        "relationship \"\(property)\" of entity \"\(rows.target.name)\" leads to one row, so entity "
          + "mapping \"\(rows.mapping.name)\" may not find several",
        remedy: "Remove the other links, or look up what leads to one row.",
        about: rows,
        property,
        offenders: offenders(rows, (conditions + [count]).joined(separator: " AND "))
      )
    case .choice(let condition, let first, let second):
      askForOne(of: first, property, rows, where: conditions + ["(\(condition)) IS TRUE"])
      askForOne(of: second, property, rows, where: conditions + ["(\(condition)) IS NOT TRUE"])
    }
  }

  /// Rows of one mapping alone may not agree in what becomes unique.
  mutating func askForUniqueness(
    _ values: [SQLIdentifier: SQLFragment],
    of table: Table,
    _ rows: MappedRows
  ) {
    guard rows.map == nil else { return }
    for constraint in table.constraints {
      guard case .unique(let columns) = constraint.definition else { continue }
      let unique = columns.compactMap { values[$0] }
      // Rows never share a key.
      let key: SQLFragment = "\(MappedRows.sourceAlias).\(rows.key)"
      guard unique.count == columns.count, rows.each != nil || !unique.contains(key),
        !unique.contains(where: { isUnknown($0, rows) })
      else { continue }
      let conditions = rows.conditions + unique.map { "(\($0)) IS NOT NULL" as SQLFragment }
      let properties = columns.compactMap { table.column($0) }.compactMap { property(of: $0, rows) }
      ask(
        "(\(properties.joined(separator: ", "))) of entity \"\(rows.target.name)\" is unique, so "
          + "entity mapping \"\(rows.mapping.name)\" may not give two rows the same",
        remedy: "Change or merge the rows before, or merge them with \"distinct\".",
        about: rows,
        properties.count == 1 ? properties.first : nil,
        isEnforced: true,
        offenders: """
          SELECT \(StorageNames.key) FROM (SELECT \(Rows.named(key)), count(*) OVER (PARTITION BY \
          \(unique.joined(separator: ", "))) AS n FROM \(rows.sourceOrigin(in: schema)) WHERE \
          \(conditions.joined(separator: " AND "))) AS counted WHERE n > 1
          """
      )
    }
  }

  private mutating func ask(
    _ requirement: String,
    remedy: String,
    about rows: MappedRows,
    _ property: String?,
    isEnforced: Bool = false,
    offenders: SQLFragment
  ) {
    // Nobody knows yet which rows there will be.
    guard !rows.mapping.countsRowsInCode else { return }
    questions.append(
      PlannedPrecondition(
        requirement: requirement,
        remedy: remedy,
        entityName: rows.entity.name,
        propertyName: property,
        coreDataError: 134_110,
        failsSilently: false,
        isEnforced: isEnforced,
        query: Rows.counting(offenders)
      )
    )
  }
}
