internal import ModelMapping
internal import ObjectModel
public import SQLSyntax

/// Rows, values or links that a statement deletes for good, by the names of the model and of the database.
///
/// What a step retains is not lost.
public struct DataLoss: Hashable, Sendable {
  /// The kind of data that is lost.
  public enum Kind: String, Hashable, Sendable {
    /// Whole rows.
    case rows
    /// The values of a column.
    case values
    /// Links between rows.
    case links
    /// The rows of a table from which another one is filled: what the mapping does not carry over.
    case replacedRows = "replaced-rows"
  }

  /// The kind.
  public let kind: Kind
  /// The entities that the data are of, by their names in the version before; empty if the model has no
  /// name for them.
  public let entityNames: [String]
  /// The attribute or relationship that the data are of; `nil` for whole rows.
  public let propertyName: String?
  /// The table, by its name before the step.
  public let table: SQLIdentifier
  /// The column, by its name before the step; `nil` for whole rows.
  public let column: SQLIdentifier?
  /// A query that counts the data before the step; `nil` if they cannot be counted by a short one.
  package let query: SQLFragment?
}

extension MigrationStep {
  /// Returns what a statement of the step deletes for good, as far as its effects are known.
  public func losses(by statement: PlannedStatement) -> [DataLoss] {
    guard !statement.hasUnknownEffect, statement.impact.hazards.contains(.deletesData) else {
      return []
    }
    return statement.places.compactMap { place in
      guard let loss = place.loss, let before = place.before else { return nil }
      return self.loss(loss, at: before)
    }
  }

  private func loss(_ loss: OperationLoss, at place: StatementPlace.Location) -> DataLoss {
    let projection = source?.projection
    let subject = projection?.subject(of: place)
    var names = loss.entityNames
    if names.isEmpty { names = [subject?.entityName].compactMap(\.self) }
    var kind = loss.kind
    if kind == .rows, place.column == nil, loss.condition == nil, isCarriedOver(place.table) {
      kind = .replacedRows
    }
    return DataLoss(
      kind: subject?.propertyName != nil && kind == .rows ? .links : kind,
      entityNames: names,
      propertyName: subject?.propertyName,
      table: place.table,
      column: place.column,
      query: projection.flatMap { query(loss, at: place, in: $0) }
    )
  }

  /// Returns whether entity mappings read the rows of a table for the destination.
  private func isCarriedOver(_ table: SQLIdentifier) -> Bool {
    guard let projection = source?.projection, case .root(let root) = projection.tableOrigins[table]
    else { return false }
    return mappingModel?.entityMappings.contains { mapping in
      guard mapping.destinationEntityName != nil,
        let name = mapping.sourceEntityName, let entity = projection.model.entity(named: name)
      else { return false }
      return projection.model.root(of: entity).name == root
    } ?? false
  }

  private func query(
    _ loss: OperationLoss,
    at place: StatementPlace.Location,
    in projection: ModelProjection
  ) -> SQLFragment? {
    let table = projection.schema.qualified(place.table)
    let filter: SQLFragment = loss.condition.map { " WHERE \($0)" } ?? ""
    switch loss.kind {
    case .values:
      guard let column = place.column else { return nil }
      return "SELECT count(\(column)) AS count FROM \(table)"
    case .rows: return "SELECT count(*) AS count FROM \(table)\(filter)"
    case .links, .replacedRows: return nil
    }
  }
}
