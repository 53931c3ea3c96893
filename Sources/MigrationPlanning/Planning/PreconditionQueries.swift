internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

/// Translates preconditions into queries over the tables of the rows.
struct PreconditionQueries {
  let source: ModelProjection
  private let match: SchemaMatch

  /// The longest value that a B-tree index takes, in bytes: 2704 with the header of its row.
  static let longestIndexedValue: Int64 = 2696

  init(_ match: SchemaMatch) {
    self.match = match
    source = match.source
  }

  /// Returns the queries for preconditions of entities that have a table which could have rows.
  func planned(_ preconditions: [DataPrecondition]) throws(PlanningError) -> [PlannedPrecondition] {
    var questions: [PlannedPrecondition] = []
    for precondition in preconditions {
      if let question = try planned(precondition) { questions.append(question) }
    }
    return questions
  }

  /// Returns the query for a precondition, or `nil` if the entity has no table that could have rows.
  func planned(_ precondition: DataPrecondition) throws(PlanningError) -> PlannedPrecondition? {
    guard let first = precondition.memberNames.first,
      let entity = source.model.entity(named: first),
      let table = source.table(of: entity)
    else { return nil }
    let rows = source.rows(of: precondition.memberNames, in: table)
    let about = "entity \"\(precondition.entityName)\""
    switch precondition.requirement {
    case .noRows(let property):
      return question(
        precondition,
        property,
        rows.offending("true"),
        "property \"\(property)\" is required and has no default, so \(about) may not have rows",
        "Give the property a default, make it optional, or supply a mapping model."
      )
    case .noRowsOfAbstract:
      return question(
        precondition,
        nil,
        of: [ColumnReference(table: table, column: StorageNames.discriminator)],
        rows.offending("true"),
        "\(about) becomes abstract, so it may not have rows of its own",
        "Delete the rows before, or supply a mapping model that turns them into another entity."
      )
    case .noNulls(let property):
      guard let column = column(property, entity) else { return nil }
      return question(
        precondition,
        property.description,
        of: [ColumnReference(table: table, column: column)],
        rows.offending("\(column) IS NULL"),
        "property \"\(property)\" of \(about) becomes required, so every row has to have a value",
        "Fill the rows before, or give the property a default."
      )
    case .noDuplicates(let values):
      guard let query = duplicates(values, rows) else { return nil }
      let properties = values.compactMap { $0.sources.first?.property }
      return question(
        precondition,
        properties.count == 1 ? properties.first : nil,
        of: columns(values, in: table),
        query,
        properties.isEmpty
          ? "all rows of \(about) agree in a new uniqueness constraint, so there may be one row at most"
          : "(\(properties.joined(separator: ", "))) of \(about) becomes unique, so no two rows may "
            + "agree in it",
        properties.isEmpty ? "Leave one row before." : "Remove or merge the duplicates before."
      )
    case .valuesValid(let attribute, let validation, let type):
      guard let column = column(attribute, entity),
        let condition = try condition(
          on: converted(column, of: table, to: type),
          validation,
          of: type,
          attribute,
          about
        )
      else { return nil }
      return question(
        precondition,
        attribute.description,
        of: [ColumnReference(table: table, column: column)],
        rows.offending("(\(condition)) IS FALSE"),
        "the validation of attribute \"\(attribute)\" of \(about) is enforced, so every value has to "
          + "pass it",
        "Change the values before, or leave \"enforced\" away."
      )
    case .valuesFit(let attribute, let before, let after):
      guard let column = column(attribute, entity),
        let misfit = ExactnessCondition.misfit(of: column, before, into: after)
      else { return nil }
      return question(
        precondition,
        attribute.description,
        of: [ColumnReference(table: table, column: column)],
        rows.offending(misfit),
        "attribute \"\(attribute)\" of \(about) becomes \(after), so every value has to have an "
          + "exact counterpart",
        "Change the values before, or supply a mapping model that says how to convert them."
      )
    case .oneTarget, .oneOwner, .someTarget, .noLinks:
      return planned(aboutLinks: precondition, rows, about)
    }
  }

  /// Returns queries for values that are too long for an index which existing rows are to have.
  func indexable(_ operations: [MigrationOperation]) -> [PlannedPrecondition] {
    operations.compactMap { operation in
      indexable(operation.base.outcome.indexedColumns, operation.base.table)
    }
  }

  private func indexable(
    _ columns: [SQLIdentifier],
    _ table: SQLIdentifier
  ) -> PlannedPrecondition? {
    guard let oldTable = match.oldTables[table] else { return nil }
    let oldColumns = columns.compactMap { column in
      match.oldColumns[ColumnReference(table: table, column: column)]
    }.filter { source.unboundedColumns.contains($0) }.map(\.column)
    guard !oldColumns.isEmpty, !isIndexed(oldColumns, of: oldTable),
      !isShort(oldColumns, of: oldTable)
    else { return nil }
    let rows = source.rows(in: oldTable)
    let sizes = oldColumns.map { "coalesce(pg_column_size(\($0)), 0)" as SQLFragment }
    let limit = SQLLiteral.integer(Self.longestIndexedValue)
    return PlannedPrecondition(
      requirement:
        "an index takes values of up to 2696 bytes, so table \"\(oldTable)\" may have no "
        + "longer ones in (\(oldColumns.map(\.name).joined(separator: ", ")))",
      remedy: "Shorten the values before, or leave the index away.",
      entityName: oldTable.name,
      propertyName: nil,
      coreDataError: 134_110,
      failsSilently: false,
      columns: Set(oldColumns.map { ColumnReference(table: oldTable, column: $0) }),
      query: rows.offending("\(sizes.joined(separator: " + ")) > \(limit)")
    )
  }

  /// Returns whether values are never too long by their types.
  private func isShort(_ columns: [SQLIdentifier], of name: SQLIdentifier) -> Bool {
    let lengths = columns.compactMap {
      source.schema.tables[name]?.column($0)?.type.longestValue
    }
    return lengths.count == columns.count && lengths.reduce(0, +) <= Self.longestIndexedValue
  }

  /// Returns whether an index of the source takes the values of all rows already.
  private func isIndexed(_ columns: [SQLIdentifier], of name: SQLIdentifier) -> Bool {
    guard let table = source.schema.tables[name] else { return false }
    let constrained = table.constraints.filter(\.hasIndex).map(\.columns)
    let indexed = table.indexes.filter { $0.predicate == nil && $0.definition == nil }
      .map { $0.elements.compactMap(\.column) }
    return (constrained + indexed).contains { Set($0).isSuperset(of: columns) }
  }

  // MARK: - Parts

  private func question(
    _ precondition: DataPrecondition,
    _ property: String?,
    of columns: Set<ColumnReference> = [],
    _ query: SQLFragment,
    _ requirement: String,
    _ remedy: String
  ) -> PlannedPrecondition {
    PlannedPrecondition(
      requirement: requirement,
      remedy: remedy,
      entityName: precondition.entityName,
      propertyName: property,
      coreDataError: precondition.coreDataError,
      failsSilently: precondition.failsSilently,
      columns: columns,
      query: query
    )
  }

  private func condition(
    on column: SQLFragment,
    _ validation: AttributeValidation,
    of type: AttributeType,
    _ path: PropertyPath,
    _ about: String
  ) throws(PlanningError) -> SQLFragment? {
    do {
      return try ValidationCondition.condition(on: column, validation, of: type)
    } catch {
      throw PlanningError(fact: .unenforceable("attribute \"\(path)\" of \(about)", error))
    }
  }

  /// Returns the columns whose values are compared.
  private func columns(
    _ values: [DataPrecondition.UniqueValue],
    in table: SQLIdentifier
  ) -> Set<ColumnReference> {
    var columns: Set<ColumnReference> = []
    for place in values.flatMap(\.sources) {
      guard let property = place.property,
        let entity = place.memberNames.first.flatMap({ source.model.entity(named: $0) })
      else { continue }
      for column in source.columns(ofProperty: property, seenFrom: entity) {
        columns.insert(ColumnReference(table: table, column: column))
      }
    }
    return columns
  }

  private func column(_ path: PropertyPath, _ entity: EntityDescription) -> SQLIdentifier? {
    if path.elements.isEmpty {
      return source.columns(ofProperty: path.property, seenFrom: entity).first
    }
    return source.model.lineage(of: entity).reversed().lazy
      .compactMap { declaring in
        source.columns[
          .attribute(entity: declaring.name, path.property, path: path.elements)
        ]?.column
      }
      .first
  }

  // MARK: - Links

  /// Returns the query for a precondition about links.
  private func planned(
    aboutLinks precondition: DataPrecondition,
    _ rows: Rows,
    _ about: String
  ) -> PlannedPrecondition? {
    let schema = source.schema.name
    let key = rows.key
    switch precondition.requirement {
    case .oneTarget(let relationship):
      guard let query = severalLinks(of: relationship, from: "owner", to: "target") else {
        return nil
      }
      return question(
        precondition,
        relationship.relationshipName,
        query,
        "relationship \"\(relationship.relationshipName)\" of entity "
          + "\"\(relationship.entityName)\" becomes to-one, so no row may have several links",
        "Remove all links but one before, or supply a mapping model that says which one stays."
      )
    case .oneOwner(let relationship):
      guard let query = severalLinks(of: relationship, from: "target", to: "owner") else {
        return nil
      }
      return question(
        precondition,
        relationship.relationshipName,
        query,
        "the inverse of relationship \"\(relationship.relationshipName)\" of entity "
          + "\"\(relationship.entityName)\" becomes to-one, so no two rows may lead to the same",
        "Remove all links but one before, or supply a mapping model that says which one stays."
      )
    case .someTarget(let relationship):
      let links = links(of: relationship)
      return question(
        precondition,
        relationship.relationshipName,
        rows.offending(
          links.isEmpty
            ? "true"
            : """
            NOT EXISTS (SELECT FROM (\(LinkQuery.union(of: links, in: schema))) AS link \
            WHERE link.owner = \(rows.table).\(key))
            """
        ),
        "relationship \"\(relationship.relationshipName)\" of \(about) becomes required, so every "
          + "row has to have a link",
        "Add the links before, or make the relationship optional."
      )
    case .noLinks(let origin, let owners, let targets):
      guard let query = forbidden(origin, owners, targets) else { return nil }
      let names = (owners + targets).map { "\"\($0)\"" }.joined(separator: ", ")
      return question(
        precondition,
        origin.relationshipName,
        query,
        "relationship \"\(origin.relationshipName)\" of \(about) may have no links with rows of "
          + "\(names), which the destination cannot have",
        "Remove these links before, or supply a mapping model."
      )
    case .noRows, .noRowsOfAbstract, .noNulls, .noDuplicates, .valuesFit, .valuesValid:
      return nil
    }
  }

  /// Returns a query for those at one end that have links with several at the other.
  private func severalLinks(
    of relationship: DataPrecondition.MovedRelationship,
    from end: SQLFragment,
    to other: SQLFragment
  ) -> SQLFragment? {
    let links = links(of: relationship)
    // Without a table at one end there are no links.
    guard !links.isEmpty else { return nil }
    return Rows.counting(
      """
      SELECT \(end) AS \(StorageNames.key) \
      FROM (\(LinkQuery.union(of: links, in: source.schema.name))) AS link \
      GROUP BY \(end) HAVING count(DISTINCT \(other)) > 1
      """
    )
  }

  private func links(of relationship: DataPrecondition.MovedRelationship) -> [LinkQuery] {
    guard let entity = match.destination.model.entity(named: relationship.entityName),
      let description = entity.relationships.first(where: {
        $0.name == relationship.relationshipName
      })
    else { return [] }
    return relationship.origins.compactMap {
      LinkQuery(for: $0, of: description, declaredBy: entity, match)
    }
  }

  /// Returns a query for links which one of the ends must not have, between rows that both stay.
  private func forbidden(
    _ origin: LinkOrigin,
    _ owners: [String],
    _ targets: [String]
  ) -> SQLFragment? {
    guard let place = match.sourcePlace(of: origin) else { return nil }
    let ends = match.pairing.ends(of: origin)
    let byTarget = conditions(place, (ends.owners.filter(stays), targets))
    let byOwner = conditions(place, (owners, ends.targets.filter(stays)))
    let alternatives = [(byTarget, targets), (byOwner, owners)].filter { !$0.1.isEmpty }
      .map { "(\($0.0.joined(separator: " AND ")))" as SQLFragment }
    guard !alternatives.isEmpty else { return nil }
    let present = [place.owner, place.target].filter { $0 != place.key }
      .map { "\($0) IS NOT NULL" as SQLFragment }
    return Rows.counting(
      """
      SELECT \(place.owner) AS \(StorageNames.key) FROM \
      \(source.schema.qualified(place.table)) \
      WHERE \(present.joined(separator: " AND ")) AND (\(alternatives.joined(separator: " OR ")))
      """
    )
  }

  private func stays(_ name: String) -> Bool {
    match.pairing.destinationEntity(of: name) != nil
  }

  /// Returns the conditions that links have rows of certain entities at their ends.
  private func conditions(
    _ place: LinkPlace,
    _ names: (owners: [String], targets: [String])
  ) -> [SQLFragment] {
    var conditions: [SQLFragment] = []
    for (column, names) in [(place.owner, names.owners), (place.target, names.targets)] {
      guard let entity = names.first.flatMap({ source.model.entity(named: $0) }),
        let table = source.table(of: entity)
      else {
        conditions.append("false")
        continue
      }
      guard let membership = source.membership(of: names, in: table) else { continue }
      conditions.append(
        """
        \(column) IN (SELECT \(source.key(of: table)) FROM \(source.schema.qualified(table)) \
        WHERE \(membership))
        """
      )
    }
    return conditions.isEmpty ? ["true"] : conditions
  }
}
