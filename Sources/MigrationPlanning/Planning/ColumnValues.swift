internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

/// The values of existing rows in the columns of the destination.
struct ColumnValues {
  private let destination: ModelProjection
  private let match: SchemaMatch
  private let names: CurrentNames

  init(_ context: StepContext) {
    (match, names) = (context.match, context.names)
    destination = match.destination
  }

  /// Returns the value that the rows of an entity get; none where they get none.
  func value(
    of source: SchemaMatch.ColumnSource,
    for column: Column,
    of table: SQLIdentifier
  ) -> SQLFragment? {
    let fallback = fallback(for: column, of: table, source.row)
    guard let old = source.column,
      let before = match.source.schema.tables[old.table]?.column(old.column)
    else { return fallback ?? writtenDefault(of: column, in: table) }
    let value = ChangeColumnType.conversion(
      of: names.current(old),
      from: before.type,
      to: column.type
    )
    return fallback.map { "coalesce(\(value), \($0))" } ?? value
  }

  /// Returns the default of a new column that states one in SQL.
  private func writtenDefault(of column: Column, in table: SQLIdentifier) -> SQLFragment? {
    guard case .attribute(let entity, let name, _) = destination.columnOrigins[table]?[column.name],
      let attribute = destination.model.entity(named: entity)?.attributes
        .first(where: { $0.name == name }),
      attribute.defaultExpression != nil
    else { return nil }
    return column.defaultExpression
  }

  func fallback(
    for column: Column,
    of table: SQLIdentifier,
    _ row: ModelPairing.RowOrigin
  ) -> SQLFragment? {
    // Values that others could write are not derived.
    guard !destination.isDerived(column, in: table),
      case .attribute(_, let name, let path) = destination.columnOrigins[table]?[column.name]
    else { return nil }
    let fallback = match.pairing.fallback(
      of: PropertyPath(name, elements: path),
      of: row.destination.name
    )
    return fallback.map { "\($0.literal(of: column.type))" }
  }
}

extension ModelProjection {
  /// Returns how the value of a column follows from others, if it does.
  func derivation(
    of origin: ColumnOrigin
  ) -> (attribute: AttributeDescription, isGenerated: Bool)? {
    guard case .attribute(let entityName, let name, path: []) = origin,
      let attribute = model.entity(named: entityName)?.attributes.first(where: { $0.name == name }),
      attribute.isComputed, let place = columns[origin]
    else { return nil }
    return (attribute, derivations[place] == nil)
  }

  /// Returns whether the database computes the values of a column.
  func isDerived(_ column: Column, in table: SQLIdentifier) -> Bool {
    column.generation != nil
      || derivations[ColumnReference(table: table, column: column.name)] != nil
  }

  /// Returns whether a column has the time when a row was written, which cannot be computed
  /// afterwards.
  func isStamp(_ column: Column, in table: SQLIdentifier) -> Bool {
    derivations[ColumnReference(table: table, column: column.name)]?.isStamp ?? false
  }

  /// Returns whether the values of a column can be computed from others at any time, so that no row
  /// has to keep them.
  func isComputed(_ column: Column, in table: SQLIdentifier) -> Bool {
    isDerived(column, in: table) && !isStamp(column, in: table)
  }
}
