internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

/// The preconditions on the rows of an entity mapping, checked before anything is copied.
///
/// Values that depend on new keys are left to the server's own constraints.
struct RowQuestions {
  private let request: CopyRequest
  private let rows: MappedRows
  /// Values that the server gives, which are not known before.
  private let givenValues: Set<SQLFragment>

  init(_ request: CopyRequest, _ rows: MappedRows, givenValues: Set<SQLFragment> = []) {
    self.request = request
    self.rows = rows
    self.givenValues = givenValues
  }

  /// Returns the questions about the values of a table's columns.
  func about(
    _ values: [SQLFragment],
    of columns: [Column],
    in table: Table
  ) -> [PlannedPrecondition] {
    // The policy decides later which rows there are.
    if rows.mapping.countsRowsInCode { return [] }
    let named = Dictionary(
      zip(columns.map(\.name), values),
      uniquingKeysWith: { first, _ in first }
    )
    return aboutPresence(of: values, columns) + aboutAgreement(of: values) + aboutSizes()
      + aboutUniqueness(of: named, in: table)
  }

  // MARK: - Presence

  private func aboutPresence(
    of values: [SQLFragment],
    _ columns: [Column]
  ) -> [PlannedPrecondition] {
    zip(columns, values).compactMap { column, value in
      let origin = request.destination.columnOrigins[rows.targetTable]?[column.name]
      guard !column.isNullable, let property = property(at: origin),
        !isAlwaysThere(value, property)
      else { return nil }
      if case .reference = origin, rows.mapping.makesWrittenLinks { return nil }
      return question(
        "property \"\(property)\" of entity \"\(rows.target.name)\" is required, so entity mapping "
          + "\"\(rows.mapping.name)\" has to give every row a value",
        remedy: "Change the rows, or give the expression another value where it has none: "
          + "coalesce(…, …).",
        property,
        isEnforced: true,
        offenders: offenders("(\(value)) IS NULL")
      )
    }
  }

  private func property(at origin: ColumnOrigin?) -> String? {
    switch origin {
    case .attribute(_, let name, _), .reference(_, let name): name
    case .key, .discriminator, .position, .joinedDestination, .joinedSource, nil: nil
    }
  }

  /// Returns whether a value is known only when the row is copied.
  private func isUnknown(_ value: SQLFragment) -> Bool {
    request.readsStaged(value) || rows.isMade(value)
      || givenValues.contains(value)
  }

  private func isAlwaysThere(_ value: SQLFragment, _ property: String) -> Bool {
    if isUnknown(value) || rows.isRequiredColumn(value, in: request.source) { return true }
    let present = ConditionClauses("\(value) IS NOT NULL")
    if ConditionClauses(allOf: rows.conditions).implies(present) { return true }
    let mapping = rows.propertyMapping(of: property)
    switch mapping?.valueExpression {
    case .sourceAttribute, nil: return mapping?.fallback != nil
    case .destinationInstances: return false
    case .expression(let expression): return expression.isAlwaysPresent { isAlwaysThere($0) }
    }
  }

  /// Returns whether a path is to an attribute of the row itself that is required.
  private func isAlwaysThere(_ path: KeyPathExpression) -> Bool {
    guard path.base == .row || path.base == .variable(RowExpression.sourceVariable),
      path.aggregate == nil, path.names.count == 1
    else { return false }
    let source = request.source
    let family = Set(source.model.lineage(of: rows.entity).map(\.name))
    return source.schema.tables[rows.table]?.columns.contains { column in
      guard
        case .attribute(let entity, let name, []) = source.columnOrigins[rows.table]?[column.name]
      else { return false }
      return name == path.names[0] && family.contains(entity) && rows.isRequired(column, in: source)
    } ?? false
  }

  private func offenders(_ condition: SQLFragment) -> SQLFragment {
    """
    SELECT \(Rows.named(rows.sourceKey)) FROM \(rows.sourceOrigin) \
    WHERE \((rows.conditions + [condition]).joined(separator: " AND "))
    """
  }

  // MARK: - Rows that become one

  /// Returns the precondition on the sizes of distinct keys, since an index refuses long values.
  private func aboutSizes() -> [PlannedPrecondition] {
    let values = (rows.map?.values ?? []).filter { value in
      value.type.isUnbounded && value.type.longestValue == nil && !isUnknown(value.value)
    }
    guard !values.isEmpty else { return [] }
    let sizes = values.map { "coalesce(pg_column_size(\($0.value)), 0)" as SQLFragment }
    let limit = SQLLiteral.integer(PreconditionQueries.longestIndexedValue)
    return [
      question(
        "an index takes values of up to 2696 bytes, so entity mapping \"\(rows.mapping.name)\" may "
          + "not tell rows apart by longer ones",
        remedy: "Shorten the values before, or tell the rows apart by others.",
        isEnforced: true,
        offenders: offenders("\(sizes.joined(separator: " + ")) > \(limit)")
      )
    ]
  }

  /// Returns the precondition that rows that become one agree, if the mapping requires it.
  private func aboutAgreement(of values: [SQLFragment]) -> [PlannedPrecondition] {
    guard rows.mapping.distinct?.conflict == .error, let map = rows.map else { return [] }
    let known = values.filter { !isUnknown($0) && $0 != rows.unit }
    guard !known.isEmpty else { return [] }
    let filter: SQLFragment =
      rows.conditions.isEmpty ? "" : " WHERE \(rows.conditions.joined(separator: " AND "))"
    return [
      question(
        "rows of entity \"\(rows.entity.name)\" that entity mapping \"\(rows.mapping.name)\" makes "
          + "one of have to agree in all values",
        remedy: "Change the rows, or say which one counts: conflict: first, with an order.",
        offenders: """
          SELECT (array_agg(\(rows.sourceKey) ORDER BY \(rows.sourceKey)))[1] AS \(StorageNames.key) \
          FROM \(rows.sourceOrigin)\(filter) \
          GROUP BY \(map.values.map(\.value).joined(separator: ", ")) \
          HAVING count(DISTINCT ROW(\(known.joined(separator: ", ")))::text) > 1
          """
      )
    ]
  }

  /// Returns the preconditions that the rows of the mapping differ in properties that become
  /// unique.
  private func aboutUniqueness(
    of values: [SQLIdentifier: SQLFragment],
    in table: Table
  ) -> [PlannedPrecondition] {
    guard rows.map == nil else { return [] }
    return table.constraints.compactMap { constraint in
      guard case .unique(let columns) = constraint.definition else { return nil }
      let unique = columns.compactMap { values[$0] }
      // Rows never share a key.
      guard unique.count == columns.count, rows.each != nil || !unique.contains(rows.sourceKey),
        !unique.contains(where: isUnknown)
      else { return nil }
      let conditions = rows.conditions + unique.map { "(\($0)) IS NOT NULL" }
      let properties = columns.compactMap {
        property(at: request.destination.columnOrigins[rows.targetTable]?[$0])
      }
      return question(
        "(\(properties.joined(separator: ", "))) of entity \"\(rows.target.name)\" is unique, so "
          + "entity mapping \"\(rows.mapping.name)\" may not give two rows the same",
        remedy: "Change or merge the rows before, or merge them with \"distinct\".",
        properties.count == 1 ? properties.first : nil,
        isEnforced: true,
        offenders: """
          SELECT \(StorageNames.key) FROM (SELECT \(Rows.named(rows.sourceKey)), count(*) OVER \
          (PARTITION BY \(unique.joined(separator: ", "))) AS n FROM \(rows.sourceOrigin) WHERE \
          \(conditions.joined(separator: " AND "))) AS counted WHERE n > 1
          """
      )
    }
  }

  // MARK: - Links

  /// Returns the questions whether a relationship that leads to one row finds several.
  func aboutOne(
    of links: LinkSource,
    _ property: String,
    where conditions: [SQLFragment] = []
  ) -> [PlannedPrecondition] {
    switch links {
    case .none, .keyed: return []
    case .path(let path, _):
      guard path.leadsToMany, !rows.mapping.countsRowsInCode else { return [] }
      let links = path.links(in: request.schema)
      let count: SQLFragment = "(SELECT count(*) FROM \(links) AS found) > 1"
      return [
        question(
          "relationship \"\(property)\" of entity \"\(rows.target.name)\" leads to one row, so "
            + "entity mapping \"\(rows.mapping.name)\" may not find several",
          remedy: "Remove the other links, or look up what leads to one row.",
          property,
          offenders: offenders((conditions + [count]).joined(separator: " AND "))
        )
      ]
    case .choice(let condition, let first, let second):
      let condition = condition.value
      return aboutOne(of: first, property, where: conditions + ["(\(condition)) IS TRUE"])
        + aboutOne(of: second, property, where: conditions + ["(\(condition)) IS NOT TRUE"])
    }
  }

  private func question(
    _ requirement: String,
    remedy: String,
    _ property: String? = nil,
    isEnforced: Bool = false,
    offenders: SQLFragment
  ) -> PlannedPrecondition {
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
  }
}
