internal import ObjectModel
internal import SQLSyntax

extension ModelProjection {
  /// Sets how the derived attributes of an entity are kept: by the server itself where the row says
  /// all, else by triggers.
  mutating func addDerivations(of entity: EntityDescription, _ names: inout NameAllocator) {
    for attribute in entity.attributes where !attribute.isTransient {
      guard let text = attribute.derivationExpression,
        let place = columns[.attribute(entity: entity.name, attribute.name, path: [])]
      else { continue }
      do {
        try addDerivation(of: attribute, entity, place, &names)
      } catch {
        fault(attributeElement(entity, named: attribute.name), .expression(text, error))
      }
    }
  }

  private mutating func addDerivation(
    of attribute: AttributeDescription,
    _ entity: EntityDescription,
    _ place: ColumnReference,
    _ names: inout NameAllocator
  ) throws(ExpressionFault) {
    var plain = RowExpression(self, entity, computesDerived: true, breadth: .row)
    let generation = try plain.value(of: attribute)
    if plain.paths.isEmpty, !plain.readsClock {
      let guarded = ofMembers(generation, of: entity, row: "")
      return withTable(place.table) { table in
        table.withColumn(place.column) { $0.generation = guarded }
      }
    }
    var written = RowExpression(self, entity, row: "NEW.", computesDerived: true, breadth: .row)
    let newValue = ofMembers(try written.value(of: attribute), of: entity, row: "NEW.")
    let row: SQLFragment = "\(place.table)."
    var stored = RowExpression(self, entity, row: row, computesDerived: true, breadth: .row)
    let value = ofMembers(try stored.value(of: attribute), of: entity, row: row)

    var triggers: [SQLIdentifier: [Trigger]] = [:]
    let before = Trigger(
      name: names.allocateFixed(place.table, [place.column], label: "derive"),
      activation: .beforeEachWrite(of: writtenColumns(plain, place, entity)),
      body: (lockStatements(of: plain) + ["NEW.\(place.column) := \(newValue);"])
        .joined(separator: "\n  ")
    )
    triggers[place.table] = [before]
    for dependency in dependencies(of: plain) {
      for event in dependency.events {
        let trigger = Trigger(
          name: names.allocateFixed(
            dependency.table,
            [place.table, place.column],
            label: event.rawValue
          ),
          activation: .afterStatement(event),
          body: dependency.touch(
            place,
            on: event,
            key: key(of: place.table),
            keyType: keyType(in: place.table),
            schema.name
          )
        )
        triggers[dependency.table, default: []].append(trigger)
      }
    }
    for (table, added) in triggers { withTable(table) { $0.triggers += added } }
    let read = plain.columns.map { ColumnReference(table: place.table, column: $0) }
    let others = plain.paths.flatMap(\.sources).flatMap { source in
      source.columns.map { ColumnReference(table: source.table, column: $0) }
    }
    note(
      Derivation(
        value: value,
        reads: read + others,
        isStamp: plain.paths.isEmpty,
        triggers: triggers
      ),
      of: place
    )
  }

  // MARK: - Parts

  /// Rows of other entities of the hierarchy have no value.
  private func ofMembers(
    _ value: SQLFragment,
    of entity: EntityDescription,
    row: SQLFragment
  ) -> SQLFragment {
    guard entity.superentityName != nil else { return value }
    let members = concreteFamily(of: entity)
    guard !members.isEmpty else { return "NULL" }
    return "CASE WHEN \(row)\(StorageNames.discriminator) IN (\(list(members))) THEN \(value) END"
  }

  /// Returns the columns whose update means that the value is computed anew; none if any does.
  private func writtenColumns(
    _ expression: RowExpression,
    _ place: ColumnReference,
    _ entity: EntityDescription
  ) -> [SQLIdentifier] {
    if expression.readsClock { return [] }
    let kind = entity.superentityName == nil ? [] : [StorageNames.discriminator]
    return (expression.columns + kind).reduce(into: [place.column]) { columns, column in
      if !columns.contains(column) { columns.append(column) }
    }
  }

  private func lockStatements(of expression: RowExpression) -> [SQLFragment] {
    expression.paths.flatMap { $0.locks(from: "NEW.", in: schema.name) }
      .reduce(into: []) { statements, statement in
        if !statements.contains(statement) { statements.append(statement) }
      }
  }

  private func keyType(in table: SQLIdentifier) -> SQLTypeName {
    schema.tables[table]?.column(key(of: table))?.type ?? "bigint"
  }

  private func dependencies(of expression: RowExpression) -> [DerivationDependency] {
    var dependencies: [DerivationDependency] = []
    for path in expression.paths {
      for source in path.sources {
        let index =
          dependencies.firstIndex { $0.table == source.table }
          ?? {
            dependencies.append(DerivationDependency(table: source.table))
            return dependencies.count - 1
          }()
        dependencies[index].add(path, source)
      }
    }
    return dependencies.sorted { $0.table < $1.table }
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

  /// What happens to the table that may change derived values.
  var events: [Trigger.Event] {
    ways.contains { $0.source.isMembership }
      ? [.insert, .update, .delete, .truncate] : [.insert, .update]
  }

  /// Returns statements that have the values computed anew which an event may change.
  func touch(
    _ place: ColumnReference,
    on event: Trigger.Event,
    key: SQLIdentifier,
    keyType: SQLTypeName,
    _ schema: SQLIdentifier
  ) -> SQLFragment {
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

  /// The rows that differ in what matters, as they were and as they are.
  private var changedRows: SQLFragment {
    let columns = ways.flatMap(\.source.columns).reduce(into: [SQLIdentifier]()) { all, column in
      if !all.contains(column) { all.append(column) }
    }
    return """
      ((SELECT \(columns) FROM remodel_new EXCEPT ALL SELECT \(columns) FROM remodel_old) \
      UNION ALL (SELECT \(columns) FROM remodel_old EXCEPT ALL SELECT \(columns) FROM remodel_new)) \
      AS remodel_changed
      """
  }

  /// Whoever changes the value of what a new link leads to does not know of the link, so he has to be
  /// through before, or to wait.
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
