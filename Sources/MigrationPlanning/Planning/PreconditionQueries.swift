internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

/// Turns what has to be true of rows into queries over the tables that they are in.
struct PreconditionQueries {
  private let source: PlannedVersion
  private let destination: PlannedVersion
  private let match: SchemaMatch

  /// The longest value that a B-tree index takes, in bytes: 2704 with the header of its row.
  private static let longestIndexedValue: Int64 = 2696

  init(_ source: PlannedVersion, _ destination: PlannedVersion, _ match: SchemaMatch) {
    self.source = source
    self.destination = destination
    self.match = match
  }

  /// Returns the query for a precondition, or `nil` if the entity has no table that could have rows.
  func planned(_ precondition: DataPrecondition) -> PlannedPrecondition? {
    guard let entity = source.projection.model.entity(named: precondition.entityName),
      let table = source.projection.table(of: entity)
    else { return nil }
    let rows = Rows(
      table: source.projection.schema.qualified(table),
      membership: membership(of: entity)
    )
    switch precondition.requirement {
    case .noRows(let property):
      return question(
        precondition,
        property,
        rows.offending("true"),
        "property \"\(property)\" is required and has no default, so entity \"\(entity.name)\" "
          + "may not have rows",
        "Give the property a default, make it optional, or supply a mapping model."
      )
    case .noNulls(let property):
      guard let column = column(property, entity) else { return nil }
      return question(
        precondition,
        property.description,
        rows.offending("\(column) IS NULL"),
        "property \"\(property)\" of entity \"\(entity.name)\" becomes required, so every row has "
          + "to have a value",
        "Fill the rows before, or give the property a default."
      )
    case .noDuplicates(let values):
      guard let query = duplicates(values, entity, rows) else { return nil }
      let properties = values.compactMap(\.property)
      return question(
        precondition,
        properties.count == 1 ? properties.first : nil,
        query,
        "(\(properties.joined(separator: ", "))) of entity \"\(entity.name)\" becomes unique, so no "
          + "two rows may agree in it",
        "Remove or merge the duplicates before."
      )
    case .valuesFit(let attribute, let before, let after):
      guard let column = column(attribute, entity),
        let misfit = ExactnessCondition.misfit(of: column, before, into: after)
      else { return nil }
      return question(
        precondition,
        attribute.description,
        rows.offending(misfit),
        "attribute \"\(attribute)\" of entity \"\(entity.name)\" becomes \(after), so every value "
          + "has to have an exact counterpart",
        "Change the values before, or supply a mapping model that says how to convert them."
      )
    }
  }

  /// Returns queries for values that are too long for an index which existing rows are to have.
  func indexable(_ operations: [MigrationOperation]) -> [PlannedPrecondition] {
    operations.compactMap { operation in
      switch operation {
      case .createIndex(let creation): indexable(creation.index.columns, creation.table)
      case .addConstraint(let addition) where addition.constraint.hasIndex:
        indexable(addition.constraint.columns, addition.table)
      default:
        // No other operation builds an index.
        nil
      }
    }
  }

  private func indexable(
    _ columns: [SQLIdentifier],
    _ table: SQLIdentifier
  ) -> PlannedPrecondition? {
    guard let oldTable = match.oldTables[table] else { return nil }
    let oldColumns = columns.compactMap { column in
      match.oldColumns[ColumnReference(table: table, column: column)]
    }.filter { source.projection.unboundedColumns.contains($0) }.map(\.column)
    guard !oldColumns.isEmpty else { return nil }
    let rows = Rows(table: source.projection.schema.qualified(oldTable), membership: nil)
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
      query: rows.offending("\(sizes.joined(separator: " + ")) > \(limit)")
    )
  }

  // MARK: - Parts

  private func question(
    _ precondition: DataPrecondition,
    _ property: String?,
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
      failsSilently: precondition.isAboutExactness,
      query: query
    )
  }

  private func column(_ path: PropertyPath, _ entity: EntityDescription) -> SQLIdentifier? {
    if path.elements.isEmpty {
      return source.projection.columns(ofProperty: path.property, seenFrom: entity).first
    }
    return source.projection.model.lineage(of: entity).reversed().lazy
      .compactMap { declaring in
        source.projection.columns[
          .attribute(entity: declaring.name, path.property, path: path.elements)
        ]?.column
      }
      .first
  }

  private func membership(of entity: EntityDescription) -> SQLFragment? {
    guard entity.superentityName != nil else { return nil }
    let members = source.projection.concreteFamily(of: entity)
    guard !members.isEmpty else { return "false" }
    return "\(StorageNames.discriminator) IN (\(source.projection.list(members)))"
  }

  private func duplicates(
    _ values: [DataPrecondition.UniqueValue],
    _ entity: EntityDescription,
    _ rows: Rows
  ) -> SQLFragment? {
    var keys: [SQLFragment] = []
    var isPresent: [SQLFragment] = []
    for value in values {
      guard let property = value.property else { continue }
      guard let column = column(PropertyPath(property), entity) else { return nil }
      if let fill = value.fill, let type = type(of: property, entity) {
        let common = Self.comparable(type)
        let fill: SQLFragment = "\(fill.literal(of: common.fillType))\(common.cast)"
        keys.append("coalesce(\(column)\(common.cast), \(fill))")
      } else {
        keys.append("\(column)")
        isPresent.append("\(column) IS NOT NULL")
      }
    }
    return rows.duplicates(of: keys, where: isPresent)
  }

  /// Returns the type in which values of a type can be compared with a constant of the type that
  /// they are to have, and the cast to it: values that do not fit must not make the query fail.
  private static func comparable(
    _ type: SQLTypeName
  ) -> (fillType: SQLTypeName, cast: SQLFragment) {
    switch type.text {
    case "smallint", "integer", "bigint": ("numeric", "::numeric")
    case "real", "double precision": ("double precision", "::double precision")
    case "boolean": ("boolean", "::integer::numeric")
    case let name where name.hasPrefix("numeric("): ("numeric", "::numeric")
    case let name where name.hasPrefix("character varying("): ("text", "::text")
    default: (type, "")
    }
  }

  private func type(of property: String, _ entity: EntityDescription) -> SQLTypeName? {
    source.projection.model.effectiveAttributes(of: entity)
      .first { $0.name == property }?.type.columnType
  }
}

/// The rows of an entity.
private struct Rows {
  let table: QualifiedName
  let membership: SQLFragment?

  /// Returns a query for the count and a few keys of the rows that meet a condition.
  func offending(_ condition: SQLFragment) -> SQLFragment {
    let all = membership.map { "\($0) AND (\(condition))" as SQLFragment } ?? condition
    return counting("SELECT \(StorageNames.key) FROM \(table) WHERE \(all)")
  }

  /// Returns a query for the count and a few keys of the rows that agree with another one.
  func duplicates(of keys: [SQLFragment], where isPresent: [SQLFragment]) -> SQLFragment {
    let conditions = (membership.map { [$0] } ?? []) + isPresent
    let condition = conditions.isEmpty ? "true" : conditions.joined(separator: " AND ")
    let partition: SQLFragment =
      keys.isEmpty ? "" : "PARTITION BY \(keys.joined(separator: ", "))"
    return counting(
      """
      SELECT \(StorageNames.key) FROM (SELECT \(StorageNames.key), count(*) OVER (\(partition)) AS n \
      FROM \(table) WHERE \(condition)) AS counted WHERE n > 1
      """
    )
  }

  private func counting(_ offenders: SQLFragment) -> SQLFragment {
    """
    WITH offending AS MATERIALIZED (\(offenders)) SELECT count(*) AS count, (SELECT \
    string_agg(key, ', ') FROM (SELECT \(StorageNames.key)::text AS key FROM offending \
    ORDER BY \(StorageNames.key) LIMIT 5) AS sample) AS keys FROM offending
    """
  }
}
