internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

/// The values of existing rows in the columns of the destination.
struct ColumnValues {
  private let destination: ModelProjection
  private let match: SchemaMatch
  private let names: CurrentNames
  /// Whether constants have their type where they stand alone, for others than their column read them, too.
  private let areTyped: Bool

  init(_ context: StepContext, areTyped: Bool) {
    self.areTyped = areTyped
    (match, names) = (context.match, context.names)
    destination = match.destination
  }

  /// Returns the value that the rows of an entity get; none where they get none.
  func value(
    of source: SchemaMatch.ColumnSource,
    for column: Column,
    of table: SQLIdentifier
  ) -> SQLFragment? {
    let constant = constant(for: column, of: table, source.row)
    guard let old = source.column,
      let before = match.source.schema.tables[old.table]?.column(old.column)
    else {
      let fallback = constant.map {
        areTyped ? $0.literal(of: column.type) : $0.assigned(to: column.type)
      }
      return fallback.map { "\($0)" } ?? writtenDefault(of: column, in: table)
    }
    let value = ChangeColumnType.conversion(
      of: names.current(old),
      from: before.type,
      to: column.type
    )
    return constant.map { "coalesce(\(value), \($0.assigned(to: column.type)))" } ?? value
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

  /// Returns what the rows of an entity get where they have no value.
  func fallback(
    for column: Column,
    of table: SQLIdentifier,
    _ row: ModelPairing.RowOrigin
  ) -> SQLFragment? {
    constant(for: column, of: table, row).map { "\($0.assigned(to: column.type))" }
  }

  private func constant(
    for column: Column,
    of table: SQLIdentifier,
    _ row: ModelPairing.RowOrigin
  ) -> AttributeValue? {
    // Values that others could write are not derived.
    guard !destination.isDerived(column, in: table),
      case .attribute(_, let name, let path) = destination.columnOrigins[table]?[column.name]
    else { return nil }
    return match.pairing.fallback(
      of: PropertyPath(name, elements: path),
      of: row.destination.name
    )
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
