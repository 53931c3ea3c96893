internal import ObjectModel
package import SQLSyntax

/// A constraint of a version that holds only when the version before is retired, whose releases may violate it.
package struct PostponedConstraint: Hashable, Sendable, Codable {
  /// What kind of constraint it is.
  package enum Kind: String, Hashable, Sendable, Codable {
    /// NOT NULL of the column of that name.
    case notNull
    /// Another constraint.
    case constraint
    /// A unique index.
    case index
    /// What a foreign key does with rows that refer to deleted ones; until then it does what it did before.
    case deletionRule
  }

  /// What kind of constraint it is.
  package let kind: Kind
  /// The column, the constraint or the index.
  package let name: SQLIdentifier
  /// The table.
  package let table: SQLIdentifier
  /// What a foreign key does until then.
  var formerRule: ForeignKey.Action?
}

extension PostponedConstraint: CustomStringConvertible {
  /// The constraint in words, as the end of a sentence.
  package var description: String {
    switch kind {
    case .notNull: "NOT NULL of column \"\(name)\" of table \"\(table)\""
    case .constraint: "constraint \"\(name)\" of table \"\(table)\""
    case .deletionRule: "ON DELETE of constraint \"\(name)\" of table \"\(table)\""
    case .index: "unique index \"\(name)\" of table \"\(table)\""
    }
  }

  /// The same as work on a table that others use, whose question finds the rows in the way.
  fileprivate func work(in schema: DatabaseSchema) -> DeferredWork? {
    let kind: DeferredWork.Kind
    switch self.kind {
    case .deletionRule: return nil
    case .notNull: kind = .setNotNull
    case .index: kind = .buildIndex
    case .constraint:
      let constraint = schema.tables[table]?.constraints.first { $0.name == name }
      kind = constraint?.hasIndex ?? false ? .addUniqueConstraint : .validateConstraint
    }
    return DeferredWork(
      kind,
      name,
      of: table,
      in: schema,
      serverMajor: MigrationPlanner.oldestServerMajor
    )
  }
}

extension DatabaseSchema {
  /// Removes constraints.
  mutating func remove(_ constraints: [PostponedConstraint]) {
    for constraint in constraints {
      switch constraint.kind {
      case .notNull:
        tables[constraint.table]?.withColumn(constraint.name) { $0.notNullConstraint = nil }
      case .constraint:
        tables[constraint.table]?.constraints.removeAll { $0.name == constraint.name }
      case .index: tables[constraint.table]?.indexes.removeAll { $0.name == constraint.name }
      case .deletionRule:
        guard let rule = constraint.formerRule else { continue }
        tables[constraint.table]?.withForeignKey(constraint.name) {
          $0.onDelete = rule
        }
      }
    }
  }
}

extension PlannedVersion {
  /// Returns the version as a database has it while constraints are postponed.
  package func postponing(_ constraints: [PostponedConstraint]) -> PlannedVersion {
    guard !constraints.isEmpty else { return self }
    var version = PlannedVersion(
      name: name,
      hashes: hashes,
      projection: projection.postponing(constraints),
      isDraft: isDraft,
      lineage: lineage
    )
    version.postponed = constraints
    return version
  }
}

extension MigrationStep {
  /// Returns a step that adds constraints, with a look at the rows before.
  func asking(about constraints: [PostponedConstraint]) -> MigrationStep {
    var step = self
    let schema = destination.projection.schema
    step.preconditions += constraints.compactMap { $0.work(in: schema)?.question(in: schema) }
    return step
  }
}

extension ReleaseComparison {
  /// Returns the constraints without which releases on the source find all of their tables, where they find them
  /// otherwise.
  ///
  /// - Parameters:
  ///   - tables: The tables, with what is in the way.
  ///   - links: The links that releases on both versions write.
  /// - Returns: The constraints.
  func postponable(
    _ tables: [ReleaseTable],
    linking links: [LinkBridgeDraft]
  ) -> [PostponedConstraint] {
    let linked = Set(
      links.map { ColumnReference(table: $0.current.table, column: $0.current.link) }
    )
    var found: [SQLIdentifier: [PostponedConstraint]] = [:]
    for table in tables {
      let obstacles = table.obstacles.filter {
        if case .unbridged = $0 { false } else { true }
      }
      let constraints = obstacles.map { postponable($0, of: table, linked) }
      guard constraints.allSatisfy({ !$0.isEmpty }) else { continue }
      found[table.name] = constraints.flatMap(\.self)
    }
    let served = Set(found.keys.compactMap { tablesAfter[$0] })
    var all: [PostponedConstraint] = []
    for (_, constraints) in found.sorted(by: { $0.key < $1.key }) {
      // A value that is still required could not be taken from a row.
      for constraint in constraints
      where constraint.kind != .deletionRule || served.contains(constraint.table) {
        if !all.contains(constraint) { all.append(constraint) }
      }
    }
    return all
  }

  /// Returns the constraints that an obstacle consists of; none if it consists of something else.
  private func postponable(
    _ obstacle: ReleaseTable.Obstacle,
    of table: ReleaseTable,
    _ linked: Set<ColumnReference>
  ) -> [PostponedConstraint] {
    guard case .breakage(let breakage) = obstacle, let heir = table.table else { return [] }
    switch breakage {
    case .valueRequired(let column, _):
      // A new column has no value in rows of the release, unless it has a link of theirs.
      guard let before = pair(before: table.name)?.before.column(column) else {
        guard linked.contains(ColumnReference(table: heir, column: column)) else { return [] }
        break
      }
      guard before.isNullable else { return [] }
    case .uniquenessRequired, .conditionRequired, .referenceRequired: break
    case .deletionRefused(_, let table): return deletionRules(breakage, of: table)
    case .tableDropped, .tableRenamed, .columnDropped, .columnRenamed, .typeChanged,
      .valueComputed, .computationRequired, .keyRemoved, .nameRemoved,
      .keyChangeRefused, .entitiesRenamed, .rowsLeft:
      return []
    }
    let causes = findings.filter { $0.breakage == breakage }.map(\.cause)
    let found = causes.compactMap { constraint(of: breakage, $0, table) }
    return found.count == causes.count ? found : []
  }

  /// Returns the foreign keys of a table that are there before and afterwards, with another rule.
  private func deletionRules(
    _ breakage: ReleaseBreakage,
    of name: SQLIdentifier
  ) -> [PostponedConstraint] {
    guard let pair = pair(before: name), let after = pair.after else { return [] }
    let causes = findings.filter { $0.breakage == breakage }.map(\.cause)
    let rules = causes.compactMap { cause -> PostponedConstraint? in
      guard case .object(let name, _) = cause,
        let foreignKey = after.constraints.first(where: { $0.name == name })?.foreignKey,
        let former = pair.before.constraints.compactMap(\.foreignKey).first(where: {
          pair.columns[$0.column] == foreignKey.column
        })
      else { return nil }
      return PostponedConstraint(
        kind: .deletionRule,
        name: name,
        table: after.name,
        formerRule: former.onDelete
      )
    }
    return rules.count == causes.count ? rules : []
  }

  private func constraint(
    of breakage: ReleaseBreakage,
    _ cause: Cause,
    _ release: ReleaseTable
  ) -> PostponedConstraint? {
    guard let table = release.table.flatMap({ destination.schema.tables[$0] }) else { return nil }
    func named(_ name: SQLIdentifier) -> PostponedConstraint? {
      if table.constraints.contains(where: { $0.name == name && !$0.isPrimaryKey }) {
        return PostponedConstraint(kind: .constraint, name: name, table: table.name)
      }
      let isIndex = table.indexes.contains { $0.name == name && $0.isUnique }
      return isIndex ? PostponedConstraint(kind: .index, name: name, table: table.name) : nil
    }
    switch (breakage, cause) {
    case (_, .object(let name, _)): return named(name)
    case (.conditionRequired(let name, _), .column): return named(name)
    case (.valueRequired, .column(_, let name?, _)):
      guard table.column(name)?.notNullConstraint != nil else { return nil }
      return PostponedConstraint(kind: .notNull, name: name, table: table.name)
    default: return nil
    }
  }
}
