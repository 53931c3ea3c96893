package import SQLSyntax

/// Makes values unique while others read and write: the index first, then the constraint of it.
///
/// ```sql
/// CREATE UNIQUE INDEX CONCURRENTLY "t_c_key" ON "s"."t" ("c");
/// ALTER TABLE "s"."t" ADD CONSTRAINT "t_c_key" UNIQUE USING INDEX "t_c_key"
/// ```
///
/// Each partition of a partitioned table gets its constraint in this way, and the table's consists of these:
///
/// ```sql
/// ALTER TABLE "s"."t" ADD CONSTRAINT "t_c_key" UNIQUE ("c")
/// ```
public struct UniqueConstraintBuild: DeferredOperation {
  /// The table.
  package var table: SQLIdentifier
  /// The constraint.
  package var constraint: Constraint
  /// The partitions of the table that have rows; `nil` if it is not partitioned.
  package var partitions: [QualifiedName]?

  var object: SQLIdentifier { constraint.name }
  var phase: MigrationPhase { .now }
  var summary: String { "add constraint \"\(constraint.name)\" to table \"\(table)\"" }

  /// The index of the constraint, as it is until the constraint has it.
  package var index: Index {
    Index(
      name: constraint.name,
      elements: constraint.columns.map { Index.Element(column: $0) },
      isUnique: true
    )
  }

  func statements(in schema: SQLIdentifier) -> [PlannedStatement] {
    let owner = QualifiedName(schema: schema, name: table)
    let places = partitions ?? [owner]
    var statements = places.map { place in
      let part = index(on: place.name)
      return IndexBuild.statement(
        part,
        on: place,
        of: table,
        "create index \"\(part.name)\" on table \"\(place.name)\""
      )
    }
    statements += places.map { place in
      PlannedStatement(
        sql: Self.adoption(of: index(on: place.name).name, by: place),
        reason: place == owner
          ? summary : "add constraint \"\(index(on: place.name).name)\" to table \"\(place.name)\"",
        impact: .accessExclusive(table)
      )
    }
    guard partitions != nil else { return statements }
    return statements + [
      PlannedStatement(
        sql: "ALTER TABLE \(owner) ADD \(constraint.clause(in: schema))",
        reason: summary,
        impact: .accessExclusive(table)
      )
    ]
  }

  /// The index of the constraint on the table, or on one of its partitions.
  package func index(on place: SQLIdentifier) -> Index {
    place == table ? index : index.part(on: place, of: table)
  }

  /// Returns the statement that makes an index a constraint of its table.
  package static func adoption(of index: SQLIdentifier, by table: QualifiedName) -> SQLFragment {
    "ALTER TABLE \(table) ADD CONSTRAINT \(index) UNIQUE USING INDEX \(index)"
  }

  func apply(to schema: inout DatabaseSchema) {
    schema.tables[table]?.constraints.append(constraint)
  }

  func question(of table: Table, _ rows: Rows) -> PlannedPrecondition? {
    IndexBuild.duplicates(
      of: constraint.columns.map { "\($0)" },
      in: rows,
      of: self,
      "constraint \"\(constraint.name)\""
    )
  }
}
