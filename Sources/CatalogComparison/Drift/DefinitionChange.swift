internal import MigrationPlanning
internal import SQLSyntax

/// An object with another definition than expected: the difference, and the remedy.
struct DefinitionChange {
  let object: CatalogObject
  let table: QualifiedName
  let facets: Set<ObjectDefinition.Facet>
  let expected: DriftRemedies.Expected
  let found: ObjectDefinition

  private var name: SQLIdentifier { SQLIdentifier(object.name) }

  // MARK: - Texts

  /// The expected definition; of a table, only the differences.
  var expectedText: String {
    guard object.kind == .table else { return expected.text(of: object.kind) }
    guard let definition = expected.definition else { return expected.sql }
    return narrowed(definition).text(of: .table)
  }

  /// The actual definition.
  var actualText: String {
    var text =
      object.kind == .table ? narrowed(found).text(of: .table) : found.text(of: object.kind)
    if facets == [.notNullConstraint], let name = found[.notNullConstraint] {
      text += " CONSTRAINT \"\(name)\""
    }
    return text
  }

  private func narrowed(_ definition: ObjectDefinition) -> ObjectDefinition {
    guard expected.definition != nil else { return definition }
    var narrowed = ObjectDefinition(definition.facets.filter { facets.contains($0.key) })
    if narrowed[.inherits] == nil, facets.contains(.inherits) {
      narrowed.facets[.inherits] = "no table"
    }
    return narrowed
  }

  // MARK: - What to do

  /// The remedy, in words.
  var hint: String {
    switch object.kind {
    case .schema, .metadata, .view: "Restore it from a backup."
    case .table:
      if facets.contains(.persistence) {
        "A crash of the server empties an unlogged table, and replicas do not have its rows: "
          + "log it again."
      } else if facets.contains(.storage) {
        "Change it back, or change the storage of the entity in a new version of the model."
      } else {
        "Change it back, or leave it: the next migration records what it finds."
      }
    case .column: "Change the column back, or change the attribute in a new version of the model."
    case .constraint:
      if facets == [.validity] {
        "Rows that were there before may break it: validate it."
      } else if facets == [.enforcement] {
        "Its triggers are disabled, so nothing enforces it: enable them, and look for rows that "
          + "break it."
      } else {
        "Restore the constraint; rows may violate it now."
      }
    case .index:
      facets == [.validity]
        ? "It was not built to its end, so that it is kept and not used: build it again."
        : "Make the index as it was."
    case .sequence: "Give the sequence its parameters back."
    case .trigger, .function: "Restore it; its values may be wrong now: see verify --rows."
    case .rule, .policy, .child: "Put it back."
    }
  }

  /// The statements that put it back.
  var remedy: [SQLFragment] {
    switch object.kind {
    case .schema, .metadata, .view, .rule, .policy, .child: []
    case .table: tableRemedy
    case .column: columnRemedy
    case .constraint: constraintRemedy
    case .index: indexRemedy
    case .sequence: sequenceRemedy
    case .trigger: triggerRemedy
    case .function:
      [SQLFragment(deparsed: expected.definition?[.definition] ?? expected.sql)]
    }
  }

  private var alteration: SQLFragment { "ALTER TABLE \(table)" }

  private var tableRemedy: [SQLFragment] {
    facets.sorted { $0.rawValue < $1.rawValue }.compactMap { facet in
      let text = expected.definition?[facet]
      switch facet {
      case .persistence: return "\(alteration) SET LOGGED"
      case .rowSecurity:
        switch text {
        case "forced": return "\(alteration) FORCE ROW LEVEL SECURITY"
        case "on" where found[facet] == "forced": return "\(alteration) NO FORCE ROW LEVEL SECURITY"
        case "on": return "\(alteration) ENABLE ROW LEVEL SECURITY"
        case _: return "\(alteration) DISABLE ROW LEVEL SECURITY"
        }
      case .replicaIdentity:
        switch text {
        case "default", "full", "nothing":
          return "\(alteration) REPLICA IDENTITY \(SQLFragment(deparsed: text?.uppercased() ?? ""))"
        case _: return nil
        }
      case .inherits:
        guard text == nil, let parent = found[facet] else { return nil }
        return "\(alteration) NO INHERIT \(SQLFragment(deparsed: parent))"
      case .accessMethod:
        return text.map { "\(alteration) SET ACCESS METHOD \(SQLIdentifier($0))" }
      case .storage:
        return text == nil
          ? nil
          : "\(alteration) SET \(Table.storageList(ObjectDefinition([.storage: text]).storage))"
      case .relationKind, .partitionKey, .distribution, .owner, .type, .collation, .nullability,
        .notNullConstraint,
        .defaultExpression, .identity, .generation, .constraintKind, .columns, .references,
        .onDelete, .deferrability, .enforcement, .validity, .uniqueness, .extent, .column, .start,
        .increment, .minimum, .maximum, .cache, .cycle, .firing, .function, .definition:
        return nil
      }
    }
  }

  private var columnRemedy: [SQLFragment] {
    guard let definition = expected.definition else {
      return facets == [.nullability]
        ? ["\(alteration) ALTER COLUMN \(name) SET NOT NULL"] : []
    }
    let column: SQLFragment = "\(alteration) ALTER COLUMN \(name)"
    var remedy: [SQLFragment] = []
    if facets.contains(.type) || facets.contains(.collation), let type = definition[.type] {
      let type = SQLFragment(deparsed: type)
      let collation: SQLFragment =
        definition[.collation].map { " COLLATE \(SQLFragment(deparsed: $0))" } ?? ""
      remedy.append("\(column) TYPE \(type)\(collation) USING \(name)::\(type)")
    }
    if facets.contains(.defaultExpression) {
      remedy.append(
        definition[.defaultExpression].map { "\(column) SET DEFAULT \(SQLFragment(deparsed: $0))" }
          ?? "\(column) DROP DEFAULT"
      )
    }
    if facets.contains(.generation) {
      if let expression = definition[.generation] {
        remedy += [
          "\(alteration) DROP COLUMN \(name)",
          """
          \(alteration) ADD COLUMN \(name) \(SQLFragment(deparsed: definition[.type] ?? "")) \
          GENERATED ALWAYS AS \(SQLFragment(deparsed: expression))
          """,
        ]
      } else {
        remedy.append("\(column) DROP EXPRESSION")
      }
    }
    if facets.contains(.nullability) {
      remedy.append(
        definition[.nullability] == "NULL" ? "\(column) DROP NOT NULL" : "\(column) SET NOT NULL"
      )
    }
    if facets.contains(.notNullConstraint), let before = definition[.notNullConstraint],
      let now = found[.notNullConstraint]
    {
      remedy.append(
        "\(alteration) RENAME CONSTRAINT \(SQLIdentifier(now)) TO \(SQLIdentifier(before))"
      )
    }
    if facets.contains(.identity) {
      switch (definition[.identity], found[.identity]) {
      case (nil, _): remedy.append("\(column) DROP IDENTITY")
      case (let identity?, nil):
        remedy.append("\(column) ADD GENERATED \(SQLFragment(deparsed: identity)) AS IDENTITY")
      case (let identity?, _):
        remedy.append("\(column) SET GENERATED \(SQLFragment(deparsed: identity))")
      }
    }
    return remedy
  }

  private var constraintRemedy: [SQLFragment] {
    if facets == [.validity] { return ["\(alteration) VALIDATE CONSTRAINT \(name)"] }
    if facets == [.enforcement] { return ["\(alteration) ENABLE TRIGGER ALL"] }
    let text = expected.definition?[.definition] ?? expected.sql
    return [
      """
      \(alteration) DROP CONSTRAINT \(name), ADD CONSTRAINT \(name) \(SQLFragment(deparsed: text))
      """
    ]
  }

  private var indexRemedy: [SQLFragment] {
    let index = QualifiedName(schema: table.schema, name: name)
    if facets == [.validity] { return ["REINDEX INDEX CONCURRENTLY \(index)"] }
    return [
      "DROP INDEX \(index)",
      SQLFragment(deparsed: expected.definition?[.definition] ?? expected.sql),
    ]
  }

  private var sequenceRemedy: [SQLFragment] {
    guard let definition = expected.definition else { return [] }
    let sequence = QualifiedName(schema: table.schema, name: name)
    return ["ALTER SEQUENCE \(sequence) \(SQLFragment(deparsed: definition.sequenceText))"]
  }

  private var triggerRemedy: [SQLFragment] {
    if facets == [.firing] { return ["\(alteration) ENABLE TRIGGER \(name)"] }
    return [
      "DROP TRIGGER \(name) ON \(table)",
      SQLFragment(deparsed: expected.definition?[.definition] ?? expected.sql),
    ]
  }
}
