internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

/// The values that a mapping gives to the columns of a table, over the rows of the one table that has them
/// before.
struct RowValues {
  /// The table before.
  private let old: Table
  private let copied: CopiedTable
  /// The projection that the rows are read in.
  private let source: ModelProjection
  /// The rows of each feed.
  private let rows: [MappedRows]

  /// Finds the values.
  ///
  /// - Parameters:
  ///   - copied: The table, as if its rows were copied.
  ///   - old: The table before.
  ///   - compiled: The copy.
  ///   - isWhole: Whether every row has to stay.
  ///   - mayReadOthers: Whether values that are not asked for may be read from other rows.
  /// - Throws: Why its rows do not follow from one row each.
  init(
    of copied: CopiedTable,
    from old: Table,
    _ compiled: CompiledCopy,
    isWhole: Bool = true,
    mayReadOthers: Bool = false
  ) throws(FillObstacle) {
    self.old = old
    self.copied = copied
    source = compiled.request.source
    var found: [MappedRows] = []
    for feed in copied.feeds {
      guard let rows = compiled.mapped[feed.mappingName], feed.insertion == nil, rows.map == nil,
        rows.each == nil, rows.made == nil, rows.choice.isEmpty, rows.mapping.condition == nil,
        rows.table == old.name, feed.origin == rows.sourceOrigin
      else {
        throw FillObstacle(
          reason: "entity mapping \"\(feed.mappingName)\" does more than compute values of each row"
        )
      }
      if !mayReadOthers, copied.dependencies.contains(where: { !rows.dependencies.contains($0) }) {
        throw FillObstacle(
          reason: "entity mapping \"\(feed.mappingName)\" reads other rows than the one itself"
        )
      }
      found.append(rows)
    }
    rows = found
    let names = Set(found.map(\.entity.name))
    guard case .root(let root) = source.tableOrigins[old.name],
      let entity = source.model.entity(named: root), names.count == found.count,
      !isWhole || Set(source.concreteFamily(of: entity)) == names
    else { throw FillObstacle(reason: "rows of table \"\(old.name)\" leave it, or become several") }
  }

  /// Returns whether the values of an attribute are computed by an expression.
  func computes(_ attribute: String) -> Bool {
    rows.contains { rows in
      guard case .expression = rows.valueExpression(of: attribute) else { return false }
      return true
    }
  }

  /// Returns whether a column has the values of another one, or none.
  func isPlain(_ column: Column, from former: Column?) -> Bool {
    let plain = former.map { "\(FilledTable.row).\($0.name)" as SQLFragment }
    return values(of: column.name).allSatisfy {
      $0.value == plain || $0.value == "NULL::\(column.type)"
    }
  }

  /// Returns the value of a column, over the row by the name `source`, whichever entity it is of.
  ///
  /// - Throws: That it does not follow from the row.
  func value(of column: SQLIdentifier) throws(FillObstacle) -> SQLFragment {
    let value = combined(values(of: column))
    let words = "column \"\(column)\" of table \"\(copied.name)\""
    if value.hasKeyword("select") {
      throw FillObstacle(reason: "the value of \(words) is looked up in other rows")
    }
    let generated = old.columns.filter { $0.generation != nil }.map(\.name)
    if let read = value.identifiers.first(where: generated.contains) {
      throw FillObstacle(
        reason: "\(words) is computed from \"\(read)\", which the server computes after any trigger"
      )
    }
    return value
  }

  private func values(of column: SQLIdentifier) -> [(rows: MappedRows, value: SQLFragment)] {
    let index = copied.columns.firstIndex(of: column)
    return zip(rows, copied.feeds).map { rows, feed in
      guard let index, feed.values.indices.contains(index) else { return (rows, "NULL") }
      return (rows, feed.values[index])
    }
  }

  private func combined(_ values: [(rows: MappedRows, value: SQLFragment)]) -> SQLFragment {
    if let first = values.first, values.allSatisfy({ $0.value == first.value }) {
      return first.value
    }
    let cases = values.map { rows, value -> SQLFragment in
      let condition = rows.membership(in: source, alias: FilledTable.row) ?? "true"
      return "WHEN \(condition) THEN \(value)"
    }
    return "(CASE \(cases.joined(separator: " ")) END)"
  }
}
