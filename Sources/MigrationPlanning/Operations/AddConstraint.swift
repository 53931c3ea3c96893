internal import SQLSyntax

/// ```sql
/// ALTER TABLE "s"."t" ADD CONSTRAINT "t_c_key" UNIQUE ("c")
/// ```
struct AddConstraint: SchemaOperation {
  var table: SQLIdentifier
  var constraint: Constraint
  /// Whether the constraint is NOT VALID at first: it holds for new rows, and existing rows are
  /// validated later, while others read and write.
  var isValidatedLater = false
  /// A Boolean value that indicates whether the partitions of the table get the constraint at first, since
  /// the table can have none that is not validated.
  var isOfPartitions = false

  var summary: String {
    "add constraint \"\(constraint.name)\" to table \"\(table)\"" + constraint.prerequisite
  }

  var dependencies: OperationDependencies {
    var dependencies = OperationDependencies()
    dependencies.requires = .settled(constraint.columns, of: table)
    if let foreignKey = constraint.foreignKey {
      let referenced = foreignKey.references
      dependencies.requires.formUnion([
        .table(referenced), .rows(referenced), .returned(referenced), .placed(referenced),
      ])
      dependencies.requires.formUnion(foreignKey.keys.map { .columnName(referenced, $0) })
    }
    dependencies.claims = [.constraint(table, constraint.name)]
    if constraint.hasIndex { dependencies.claims.insert(.relation(constraint.name)) }
    return dependencies
  }

  var rank: OperationRank { .alterations }
  var traits: OperationTraits {
    constraint.hasIndex
      ? [.needsOwnership, .makesObjects, .staysInTable, .appliesToNewTables]
      : [.needsOwnership, .staysInTable, .appliesToNewTables]
  }

  var impact: OperationImpact {
    switch constraint.definition {
    case .foreignKey(let foreignKey):
      OperationImpact(
        // An entity may have a relationship to itself.
        locks: Dictionary(
          [table, foreignKey.references].map { ($0, .shareRowExclusive) },
          uniquingKeysWith: { first, _ in first }
        ),
        scans: isValidatedLater ? [] : [table, foreignKey.references],
        hazards: isValidatedLater ? [] : [.failsOnData]
      )
    case .primaryKey, .unique, .exclusion, .check:
      OperationImpact(
        locks: [table: .accessExclusive],
        scans: isValidatedLater ? [] : [table],
        hazards: isValidatedLater ? [] : [.failsOnData]
      )
    }
  }

  /// The impact where the server need not look at the rows.
  var momentaryImpact: OperationImpact {
    var operation = self
    operation.isValidatedLater = true
    return operation.impact
  }

  /// Checking the rows locks all indexes of both tables.
  func lockedParts(in schema: DatabaseSchema) -> Set<LockedObject> {
    var objects = Set(impact.locks.keys.compactMap { schema.tables[$0] }.flatMap(\.lockedParts))
    objects.insert(.constraint(constraint.name, of: table))
    if constraint.hasIndex { objects.insert(.relation(constraint.name)) }
    return objects
  }

  func rowWork(in schema: DatabaseSchema) -> [[RowWork]] {
    switch constraint.definition {
    case .primaryKey(let columns), .unique(let columns):
      return [[.indexing(columns, of: table, in: schema)]]
    case .exclusion: return [[.index(schema.qualified(table), .exclusiveRanges)]]
    case .check: return [impact.reading(in: schema.name)]
    case .foreignKey(let foreignKey):
      if isValidatedLater { return [] }
      return [
        [
          .checkReferences(
            from: schema.qualified(table),
            to: schema.qualified(foreignKey.references)
          )
        ]
      ]
    }
  }

  var subjects: [OperationSubject] { constraint.subjects }

  var outcome: OperationOutcome {
    OperationOutcome(indexedColumns: constraint.hasIndex ? constraint.columns : [])
  }

  func relevance(to finding: ReleaseComparison.Finding) -> Int? {
    finding.cause == .object(constraint.name, table: table) ? 0 : nil
  }

  func mayFail(_ risks: RowRisks, at places: [StatementPlace]) -> Bool {
    risks.mayFail(constraint, table, places)
  }

  func completesTable(among copied: Set<SQLIdentifier>) -> Bool {
    constraint.referencedTable.map(copied.contains) ?? true
  }

  func divided(by changes: OnlineChanges) -> OnlineChanges.Division? {
    guard changes.isLarge(self) else { return nil }
    switch constraint.definition {
    // No index that is built beforehand can become one of these.
    case .primaryKey, .exclusion: return nil
    case .unique:
      if changes.formerUniques.contains(constraint.name) { return nil }
      let partitions = changes.partitions(of: table)
      let build = UniqueConstraintBuild(
        table: table,
        constraint: constraint,
        partitions: partitions
      )
      return ([], [.addUniqueConstraint(build)])
    case .check, .foreignKey:
      var unvalidated = self
      unvalidated.isValidatedLater = true
      unvalidated.isOfPartitions =
        constraint.foreignKey != nil && changes.partitions(of: table) != nil
        && changes.serverMajor < 18
      let validation = ConstraintValidation(
        table: table,
        constraint: constraint,
        isOfPartitions: unvalidated.isOfPartitions
      )
      return ([.addConstraint(unvalidated)], [.validateConstraint(validation)])
    }
  }

  func sql(in schema: SQLIdentifier) -> OperationSQL {
    if isValidatedLater, isOfPartitions {
      let owner = QualifiedName(schema: schema, name: table)
      let reference = PartitionedReference(constraint.name, of: owner)
      return .statements([reference.addition(constraint.clause(in: schema))])
    }
    let clause: SQLFragment = "ADD \(constraint.clause(in: schema))"
    return .clauses([isValidatedLater ? "\(clause) NOT VALID" : clause])
  }

  func apply(to schema: inout DatabaseSchema) {
    schema.tables[table]?.constraints.append(constraint)
  }
}
