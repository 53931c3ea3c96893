internal import ObjectModel
package import SQLSyntax

/// How triggers keep a column up to date that depends on other rows or on the time.
///
/// A trigger computes the value before a row is written. When other inputs of the value change, a
/// trigger locks and updates the rows that depend on them, so that they are computed again from
/// committed rows: the last of several writers sees the changes of all.
package struct Derivation: Hashable, Sendable {
  /// The value, as an UPDATE of the table has it.
  var value: SQLFragment
  /// The columns that it is computed from.
  var reads: [ColumnReference]
  /// A Boolean value that indicates whether it is the time of the last write.
  var isStamp: Bool
  /// The triggers that keep it, by their tables.
  package var triggers: [SQLIdentifier: [Trigger]]
}

/// Decides how the derived attributes of an entity are kept up to date: by the server itself if
/// they depend on the row alone, otherwise by triggers.
struct DerivationLayout {
  /// How the values of a column are kept up to date.
  enum Outcome {
    case generated(SQLFragment)
    case kept(Derivation)
  }

  private let projection: ModelProjection
  private let entity: EntityDescription
  private let place: ColumnReference

  /// Creates the layout of the derived attribute that a column is of.
  init(_ entity: EntityDescription, _ place: ColumnReference, in projection: ModelProjection) {
    self.projection = projection
    self.entity = entity
    self.place = place
  }

  func derivation(
    of attribute: AttributeDescription,
    _ names: inout NameAllocator
  ) throws(ExpressionFault) -> Outcome {
    let (generation, plain) = try value(of: attribute, row: "")
    if plain.ownReads.paths.isEmpty, !plain.readsClock { return .generated(generation) }
    let newValue = try value(of: attribute, row: "NEW.").sql
    let value = try value(of: attribute, row: "\(place.table).").sql

    let locks = plain.ownReads.paths.flatMap { $0.locks(from: "NEW.", in: projection.schema.name) }
    let statements = unique(locks) + ["NEW.\(place.column) := \(newValue);"]
    var triggers = [
      place.table: [
        Trigger(
          name: names.allocateFixed(place.table, [place.column], label: "derive"),
          activation: .beforeEachWrite(of: writtenColumns(plain)),
          body: statements.joined(separator: "\n  ")
        )
      ]
    ]
    for dependency in dependencies(of: plain) {
      for event in dependency.events {
        let name = names.allocateFixed(
          dependency.table,
          [place.table, place.column],
          label: event.rawValue
        )
        let body = dependency.touch(place, on: event, in: projection)
        triggers[dependency.table, default: []].append(
          Trigger(name: name, activation: .afterStatement(event), body: body)
        )
      }
    }
    let read = plain.ownReads.columns.map { ColumnReference(table: place.table, column: $0) }
    let others = plain.ownReads.paths.flatMap(\.sources).flatMap { source in
      source.columns.map { ColumnReference(table: source.table, column: $0) }
    }
    return .kept(
      Derivation(
        value: value,
        reads: read + others,
        isStamp: plain.ownReads.paths.isEmpty,
        triggers: triggers
      )
    )
  }

  /// Returns the value over the columns of a row; rows of other entities of the hierarchy have none.
  private func value(
    of attribute: AttributeDescription,
    row: SQLFragment
  ) throws(ExpressionFault) -> (sql: SQLFragment, expression: RowExpression) {
    var expression = RowExpression(
      projection,
      entity,
      row: row,
      computesDerived: true,
      breadth: .row
    )
    let value = try expression.value(of: attribute)
    guard entity.superentityName != nil else { return (value, expression) }
    let members = projection.concreteFamily(of: entity)
    if members.isEmpty { return ("NULL", expression) }
    let names = projection.list(members)
    let kind = StorageNames.discriminator
    return ("CASE WHEN \(row)\(kind) IN (\(names)) THEN \(value) END", expression)
  }

  /// Returns the columns whose update makes the value be computed again; `nil` if any does.
  private func writtenColumns(_ expression: RowExpression) -> [SQLIdentifier] {
    if expression.readsClock { return [] }
    let kind = entity.superentityName == nil ? [] : [StorageNames.discriminator]
    return unique([place.column] + expression.ownReads.columns + kind)
  }

  private func dependencies(of expression: RowExpression) -> [DerivationDependency] {
    var dependencies: [SQLIdentifier: DerivationDependency] = [:]
    for path in expression.ownReads.paths {
      for source in path.sources {
        dependencies[source.table, default: DerivationDependency(table: source.table)]
          .add(path, source)
      }
    }
    return dependencies.values.sorted { $0.table < $1.table }
  }
}

/// A table whose rows decide about derived values in others.
private struct DerivationDependency {
  let table: SQLIdentifier
  private var ways: [(path: RelationshipPath, source: RelationshipPath.Source)] = []

  init(table: SQLIdentifier) {
    self.table = table
  }

  mutating func add(_ path: RelationshipPath, _ source: RelationshipPath.Source) {
    guard !ways.contains(where: { $0.path == path && $0.source == source }) else { return }
    ways.append((path, source))
  }

  /// The events of the table that may change derived values.
  var events: [Trigger.Event] {
    ways.contains { $0.source.isMembership }
      ? [.insert, .update, .delete, .truncate] : [.insert, .update]
  }

  /// Returns statements that compute the values again that an event may change.
  func touch(
    _ place: ColumnReference,
    on event: Trigger.Event,
    in projection: ModelProjection
  ) -> SQLFragment {
    let schema = projection.schema.name
    let key = projection.key(of: place.table)
    let keyType = projection.schema.tables[place.table]?.column(key)?.type ?? "bigint"
    let owner = QualifiedName(schema: schema, name: place.table)
    let rows: SQLFragment
    switch event {
    case .truncate: return "UPDATE \(owner) SET \(place.column) = \(place.column);"
    case .insert: rows = "remodel_new"
    case .delete: rows = "remodel_old"
    case .update: rows = changedRows
    }
    let conditions = ways.map { $0.path.condition(that: $0.source, has: rows, in: schema) }
    let locks = event == .delete ? [] : ways.compactMap { linkedRowsLock($0, rows, schema) }
    let lockStatements = locks.map { "\($0)\n    " as SQLFragment }.joined(separator: "")
    return """
      DECLARE
          remodel_keys \(keyType)[];
        BEGIN
          \(lockStatements)SELECT array_agg(\(key)) INTO remodel_keys FROM (
            SELECT \(key) FROM \(owner) WHERE \(conditions.joined(separator: " OR "))
            ORDER BY \(key) FOR NO KEY UPDATE) AS remodel_owners;
          IF remodel_keys IS NOT NULL THEN
            UPDATE \(owner) SET \(place.column) = \(place.column) WHERE \(key) = ANY (remodel_keys);
          END IF;
        END;
      """
  }

  /// The rows with relevant differences, before and after.
  private var changedRows: SQLFragment {
    let columns = unique(ways.flatMap(\.source.columns))
    return """
      ((SELECT \(columns) FROM remodel_new EXCEPT ALL SELECT \(columns) FROM remodel_old) \
      UNION ALL (SELECT \(columns) FROM remodel_old EXCEPT ALL SELECT \(columns) FROM remodel_new)) \
      AS remodel_changed
      """
  }

  /// A transaction that changes the row at the end of a new link does not know of the link, so it has to end
  /// before, or to wait.
  private func linkedRowsLock(
    _ way: (path: RelationshipPath, source: RelationshipPath.Source),
    _ rows: SQLFragment,
    _ schema: SQLIdentifier
  ) -> SQLFragment? {
    guard way.path.value != nil, case .join(let link, let target, let keys) = way.path.hops.first,
      link.table == table
    else { return nil }
    let name = QualifiedName(schema: schema, name: target)
    let key = keys.next
    let both: SQLFragment = link.isSymmetric ? " UNION SELECT \(link.owner) FROM \(rows)" : ""
    return """
      PERFORM FROM \(name) WHERE \(key) IN (SELECT \(link.destination) FROM \(rows)\(both)) \
      ORDER BY \(key) FOR SHARE;
      """
  }
}

/// Returns each of some elements once, where it is first.
private func unique<Element: Hashable>(_ elements: [Element]) -> [Element] {
  var seen: Set<Element> = []
  return elements.filter { seen.insert($0).inserted }
}
