internal import MigrationPlanning
internal import SQLSyntax

/// Gives the remedy for each kind of drift, with the statements that restore the object.
struct DriftRemedies {
  let projection: ModelProjection
  let live: LiveCatalog

  init(_ projection: ModelProjection, _ live: LiveCatalog) {
    self.projection = projection
    self.live = live
  }

  /// The expected definition of an object.
  struct Expected {
    /// As it was recorded; none if nothing that fits the model was.
    var definition: ObjectDefinition?
    /// As the model has it.
    var sql: String

    func text(of kind: CatalogObject.Kind) -> String { definition?.text(of: kind) ?? sql }
  }

  // MARK: - By change

  func missingSchema() -> Drift {
    let name = projection.schema.name
    return Drift(
      object: CatalogObject(.schema, name: name.name),
      change: .missing,
      element: nil,
      expected: "schema \"\(name)\"",
      actual: nil,
      hint: "Restore the schema from a backup, or name the schema that the store is in now.",
      remedy: []
    )
  }

  func missing(_ object: CatalogObject, _ expected: Expected) -> Drift {
    if object.kind == .table, let successor = live.successors[object.table] {
      return moved(object, to: successor)
    }
    return drift(
      object,
      .missing,
      expected: expected.text(of: object.kind),
      hint: Self.hintOfMissing(object.kind),
      creation(of: object, expected)
    )
  }

  func renamed(_ object: CatalogObject, to name: String, _ expected: Expected) -> Drift {
    drift(
      object,
      .renamed,
      expected: object.name,
      actual: name,
      hint: "It has another name: rename it back, or rename its element in the model.",
      renaming(of: object, from: SQLIdentifier(name))
    )
  }

  func changed(
    _ object: CatalogObject,
    _ facets: Set<ObjectDefinition.Facet>,
    _ expected: Expected,
    _ found: ObjectDefinition
  ) -> Drift {
    let change = DefinitionChange(
      object: object,
      table: table(of: object),
      facets: facets,
      expected: expected,
      found: found
    )
    return drift(
      object,
      .changed,
      expected: change.expectedText,
      actual: change.actualText,
      hint: change.hint,
      change.remedy
    )
  }

  func extra(_ object: CatalogObject, _ found: ObjectDefinition) -> Drift {
    drift(
      object,
      .extra,
      expected: nil,
      actual: found.text(of: object.kind),
      hint: Self.hintOfExtra(object.kind),
      removal(of: object, found)
    )
  }

  func lost(_ object: CatalogObject) -> Drift {
    drift(
      object,
      .missing,
      expected: "retained \(object.kind.rawValue)",
      hint: "It was retained for a revert, and is missing: only a backup still has its values.",
      []
    )
  }

  private func moved(_ object: CatalogObject, to successor: QualifiedName) -> Drift {
    let name = SQLIdentifier(object.table)
    var remedy: [SQLFragment] = []
    if successor.schema != projection.schema.name {
      remedy.append("ALTER TABLE \(successor) SET SCHEMA \(projection.schema.name)")
    }
    if successor.name != name {
      let place = QualifiedName(schema: projection.schema.name, name: successor.name)
      remedy.append("ALTER TABLE \(place) RENAME TO \(name)")
    }
    return drift(
      object,
      .renamed,
      expected: projection.schema.qualified(name).description,
      actual: successor.description,
      hint: "A table with its columns is there under this name: move it back.",
      remedy
    )
  }

  // MARK: - Parts

  private func drift(
    _ object: CatalogObject,
    _ change: Drift.Change,
    expected: String?,
    actual: String? = nil,
    hint: String,
    _ remedy: [SQLFragment]
  ) -> Drift {
    let hintOfKind = hintOfKind(object)
    return Drift(
      object: object,
      change: change,
      element: StoredElement(object, in: projection),
      expected: expected,
      actual: actual,
      hint: hintOfKind ?? hint,
      remedy: hintOfKind == nil ? remedy : []
    )
  }

  /// Returns the hint about a table whose rows may be kept apart by what differs, as the model does not.
  private func hintOfKind(_ object: CatalogObject) -> String? {
    let table = SQLIdentifier(object.table)
    guard object.kind == .constraint || object.kind == .table, let kind = live.kinds[table] else {
      return nil
    }
    let declared = projection.schema.tables[table]?.partitioning?.description
    if let declared, kind.partitionKey != declared {
      return "The table is \(kind); the model has it partitioned by \(declared)."
    }
    if let declared = projection.schema.tables[table]?.distribution {
      return declared.isThat(of: table, in: live.kinds)
        ? nil : "The table is \(kind); the model has it \(declared)."
    }
    guard declared == nil || kind.placement != nil else { return nil }
    return "The table is \(kind), which the model does not declare."
  }

  private func table(of object: CatalogObject) -> QualifiedName {
    projection.schema.qualified(SQLIdentifier(object.table))
  }

  private func creation(of object: CatalogObject, _ expected: Expected) -> [SQLFragment] {
    let table = table(of: object)
    let name = SQLIdentifier(object.name)
    let text = SQLFragment(
      deparsed: expected.definition.map { $0[.definition] ?? $0.text(of: object.kind) }
        ?? expected.sql
    )
    switch object.kind {
    case .schema, .metadata, .view, .table, .sequence, .rule, .policy, .child: return []
    case .column: return ["ALTER TABLE \(table) ADD COLUMN \(name) \(text)"]
    case .constraint: return ["ALTER TABLE \(table) ADD CONSTRAINT \(name) \(text)"]
    case .index, .trigger, .function: return [text]
    }
  }

  private func renaming(of object: CatalogObject, from now: SQLIdentifier) -> [SQLFragment] {
    let table = table(of: object)
    let name = SQLIdentifier(object.name)
    let place = projection.schema.qualified(now)
    switch object.kind {
    case .schema, .metadata, .view, .table, .rule, .policy, .child: return []
    case .column: return ["ALTER TABLE \(table) RENAME COLUMN \(now) TO \(name)"]
    case .constraint: return ["ALTER TABLE \(table) RENAME CONSTRAINT \(now) TO \(name)"]
    case .index: return ["ALTER INDEX \(place) RENAME TO \(name)"]
    case .sequence: return ["ALTER SEQUENCE \(place) RENAME TO \(name)"]
    case .trigger: return ["ALTER TRIGGER \(now) ON \(table) RENAME TO \(name)"]
    case .function: return ["ALTER FUNCTION \(place)() RENAME TO \(name)"]
    }
  }

  private func removal(of object: CatalogObject, _ found: ObjectDefinition) -> [SQLFragment] {
    let table = table(of: object)
    let name = SQLIdentifier(object.name)
    switch object.kind {
    case .schema, .metadata, .view, .table, .sequence, .function: return []
    case .column: return ["ALTER TABLE \(table) DROP COLUMN \(name)"]
    case .constraint: return ["ALTER TABLE \(table) DROP CONSTRAINT \(name)"]
    case .index: return ["DROP INDEX \(projection.schema.qualified(name))"]
    case .trigger: return ["DROP TRIGGER \(name) ON \(table)"]
    case .rule: return ["DROP RULE \(name) ON \(table)"]
    case .policy: return ["DROP POLICY \(name) ON \(table)"]
    case .child:
      let child = SQLFragment(deparsed: found[.references] ?? object.name)
      return ["ALTER TABLE \(child) NO INHERIT \(table)"]
    }
  }

  private static func hintOfMissing(_ kind: CatalogObject.Kind) -> String {
    switch kind {
    case .schema, .metadata, .view: "Restore it from a backup."
    case .table: "Restore the table from a backup."
    case .column: "Make the column again; only a backup has its values."
    case .sequence:
      "Make the column an identity column again, and let the sequence begin above the keys."
    case .constraint: "Create the constraint again; rows may violate it now."
    case .index: "Make the index again, CONCURRENTLY where the table is large."
    case .trigger, .function: "Create it again; its values may be wrong now: see verify --rows."
    case .rule, .policy, .child: "Make it again."
    }
  }

  private static func hintOfExtra(_ kind: CatalogObject.Kind) -> String {
    switch kind {
    case .schema, .metadata, .view, .table, .sequence, .function: "Drop it."
    case .column, .constraint, .index:
      "Put it into the model, or drop it: the next fresh database will not have it."
    case .trigger, .rule, .policy:
      "Keep it only if all databases are to have it: the model does not know of it."
    case .child: "Take its rows into the table, or take it off: entities have one table."
    }
  }
}
