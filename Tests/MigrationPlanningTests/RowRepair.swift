import ModelMapping
import ObjectModel
import PostgresClient
import SQLSyntax
import TestSupport
import Testing

@testable import MigrationPlanning

/// Changes rows of a version until they are such that they can be migrated.
struct RowRepair {
  /// What was done to the rows.
  enum Outcome {
    case untouched, mended, emptied
  }

  private let projection: ModelProjection
  private let match: SchemaMatch
  private let preconditions: [(condition: DataPrecondition?, planned: PlannedPrecondition)]

  init(
    _ mapping: CompleteMapping,
    _ step: MigrationStep,
    from source: PlannedVersion,
    to destination: PlannedVersion
  ) throws {
    projection = source.projection
    match = SchemaMatch(
      from: source.projection,
      to: destination.projection,
      by: mapping.mappingModel
    )
    let questions = PreconditionQueries(match)
    let known = try mapping.preconditions.compactMap { condition in
      try questions.planned(condition).map { (condition, $0) }
    }
    preconditions = step.preconditions.map { planned in
      (known.first { $0.1.query == planned.query }?.0, planned)
    }
  }

  func mend(_ connection: borrowing PostgresConnection) throws -> Outcome {
    var outcome = Outcome.untouched
    for _ in 0..<60 {
      guard let violated = try firstViolated(connection) else {
        if outcome == .mended { try clearPlaces(connection) }
        return outcome
      }
      outcome = .mended
      do {
        guard try mend(violated.condition, violated.keys, connection) else { break }
      } catch is PostgresError {
        break
      }
    }
    let tables = projection.schema.sortedTables.map { projection.schema.qualified($0.name) }
    let names = tables.map { "\($0)" as SQLFragment }.joined(separator: ", ")
    try connection.execute("TRUNCATE \(names)")
    return .emptied
  }

  private func firstViolated(
    _ connection: borrowing PostgresConnection
  ) throws -> (condition: DataPrecondition?, keys: [String])? {
    for (condition, planned) in preconditions {
      let result = try connection.query(planned.query)
      guard let count = result.first?.integer("count"), count > 0 else { continue }
      let keys = try #require(result.first?["keys"], "\(planned.query)")
      return (condition, keys.split(separator: ", ").map(String.init))
    }
    return nil
  }

  // MARK: - Mending

  private func mend(
    _ condition: DataPrecondition?,
    _ keys: [String],
    _ connection: borrowing PostgresConnection
  ) throws -> Bool {
    guard let condition else { return false }
    switch condition.requirement {
    case .noRows, .noRowsOfAbstract, .noNulls, .noDuplicates, .valuesFit, .valuesValid, .someTarget:
      try delete(condition.memberNames, keys, connection)
    case .oneTarget(let moved):
      try cut(moved.origins, \.owner, keys, connection)
    case .oneOwner(let moved):
      try cut(moved.origins, \.target, keys, connection)
    case .noLinks(let origin, _, _):
      try cut([origin], \.owner, keys, connection)
    }
    return true
  }

  private func delete(
    _ members: [String],
    _ keys: [String],
    _ connection: borrowing PostgresConnection
  ) throws {
    guard let entity = members.first.flatMap({ projection.model.entity(named: $0) }),
      let table = projection.table(of: entity)
    else { return }
    let owner = projection.schema.qualified(table)
    try connection.execute("DELETE FROM \(owner) WHERE \(Self.list(StorageNames.key, keys))")
  }

  private func cut(
    _ origins: [LinkOrigin],
    _ end: KeyPath<LinkPlace, SQLIdentifier>,
    _ keys: [String],
    _ connection: borrowing PostgresConnection
  ) throws {
    for origin in origins {
      guard let place = match.sourcePlace(of: origin) else { continue }
      let table = projection.schema.qualified(place.table)
      let condition = Self.list(place[keyPath: end], keys)
      let references = [place.owner, place.target].filter { $0 != StorageNames.key }
      guard let reference = references.first, references.count == 1 else {
        try connection.execute("DELETE FROM \(table) WHERE \(condition)")
        continue
      }
      do {
        try connection.execute("UPDATE \(table) SET \(reference) = NULL WHERE \(condition)")
      } catch {
        try connection.execute("DELETE FROM \(table) WHERE \(condition)")
      }
    }
  }

  /// Links that are cut leave places behind.
  private func clearPlaces(_ connection: borrowing PostgresConnection) throws {
    for (table, columns) in projection.columnOrigins {
      for (column, origin) in columns {
        guard case .position(let name, let relationshipName) = origin,
          let entity = projection.model.entity(named: name),
          let relationship = entity.relationships.first(where: { $0.name == relationshipName }),
          let place = projection.linkPlace(of: relationship, declaredBy: entity)
        else { continue }
        try connection.execute(
          """
          UPDATE \(projection.schema.qualified(table)) SET \(column) = NULL \
          WHERE \(place.owner) IS NULL AND \(column) IS NOT NULL
          """
        )
      }
    }
  }

  private static func list(_ column: SQLIdentifier, _ keys: [String]) -> SQLFragment {
    let literals = keys.map { "\(SQLLiteral.text($0))" as SQLFragment }
    return "\(column)::text IN (\(literals.joined(separator: ", ")))"
  }
}
