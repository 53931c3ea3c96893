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
  }

  /// What kind of constraint it is.
  package let kind: Kind
  /// The column, the constraint or the index.
  package let name: SQLIdentifier
  /// The table.
  package let table: SQLIdentifier
  /// What holds until then in place of a condition.
  var formerCondition: String?
  /// How a foreign key works until then.
  var formerReference: FormerReference?

  /// How a foreign key works that is there before and afterwards.
  struct FormerReference: Hashable, Sendable, Codable {
    var onDelete: ForeignKey.Action
    var onUpdate: ForeignKey.Action
    var deferrability: ForeignKey.Deferrability
  }

  /// A Boolean value that indicates whether another form of it holds until then.
  var hasFormer: Bool { formerCondition != nil || formerReference != nil }
}

extension PostponedConstraint: CustomStringConvertible {
  /// The constraint in words, as the end of a sentence.
  package var description: String {
    switch kind {
    case .notNull: "NOT NULL of column \"\(name)\" of table \"\(table)\""
    case .constraint where hasFormer: "the new form of constraint \"\(name)\" of table \"\(table)\""
    case .constraint: "constraint \"\(name)\" of table \"\(table)\""
    case .index: "unique index \"\(name)\" of table \"\(table)\""
    }
  }

  /// The same as work on a table that others use, whose question finds the rows in the way.
  fileprivate func work(in schema: DatabaseSchema) -> DeferredWork? {
    let kind: DeferredWork.Kind
    switch self.kind {
    case .notNull: kind = .setNotNull
    case .index: kind = .buildIndex
    case .constraint where formerReference != nil: return nil
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

extension PostponedConstraint {
  /// Has a constraint be as it was before.
  fileprivate func putBack(_ constraint: inout Constraint) {
    switch constraint.definition {
    case .check(_, let columns):
      guard let formerCondition else { return }
      constraint.definition = .check(SQLFragment(deparsed: formerCondition), columns: columns)
    case .foreignKey(var foreignKey):
      guard let formerReference else { return }
      foreignKey.onDelete = formerReference.onDelete
      foreignKey.onUpdate = formerReference.onUpdate
      foreignKey.deferrability = formerReference.deferrability
      constraint.definition = .foreignKey(foreignKey)
    case .primaryKey, .unique, .exclusion: return
    }
  }
}

extension DatabaseSchema {
  /// Removes constraints that hold later, or puts what holds until then in their place.
  mutating func postpone(_ constraints: [PostponedConstraint]) {
    for constraint in constraints {
      switch constraint.kind {
      case .notNull:
        tables[constraint.table]?.withColumn(constraint.name) { $0.notNullConstraint = nil }
      case .constraint where constraint.hasFormer:
        tables[constraint.table]?.withConstraint(constraint.name, constraint.putBack)
      case .constraint:
        tables[constraint.table]?.constraints.removeAll { $0.name == constraint.name }
      case .index: tables[constraint.table]?.indexes.removeAll { $0.name == constraint.name }
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
    version.whole = whole ?? projection.schema
    return version
  }
}

extension MigrationStep {
  /// Returns a step that adds constraints, with a look at the rows before.
  ///
  /// - Parameters:
  ///   - constraints: The constraints.
  ///   - schema: The tables that have the rows, with the constraints.
  /// - Returns: The step.
  package func asking(
    about constraints: [PostponedConstraint],
    of schema: DatabaseSchema
  ) -> MigrationStep {
    var step = self
    step.preconditions += constraints.questions(of: schema)
    return step
  }
}

extension [PostponedConstraint] {
  /// Returns what to ask the rows of before the constraints are added.
  ///
  /// - Parameter schema: The tables that have the rows, with the constraints.
  /// - Returns: The questions.
  package func questions(of schema: DatabaseSchema) -> [PlannedPrecondition] {
    compactMap { constraint in
      var question = constraint.work(in: schema)?.question(in: schema)
      // Others write until the tables are locked.
      question?.failsSilently = true
      return question
    }
  }
}

extension ReleaseComparison {
  /// Returns the constraints without which releases on the source find all of their tables, where they find them
  /// otherwise.
  ///
  /// - Parameter tables: The tables, with what is in the way.
  /// - Returns: The constraints.
  func postponable(_ tables: [ReleaseTable]) -> [PostponedConstraint] {
    var found: [SQLIdentifier: [PostponedConstraint]] = [:]
    for table in tables {
      let obstacles = table.obstacles.filter {
        if case .unbridged = $0 { false } else { true }
      }
      let constraints = obstacles.map { postponable($0, of: table) }
      guard constraints.allSatisfy({ !$0.isEmpty }) else { continue }
      found[table.name] = constraints.flatMap(\.self)
    }
    let served = Set(found.keys.compactMap { tablesAfter[$0] })
    var all: [PostponedConstraint] = []
    for (_, constraints) in found.sorted(by: { $0.key < $1.key }) {
      // A value that is still required could not be taken from a row.
      for constraint in constraints
      where constraint.formerReference == nil || served.contains(constraint.table) {
        if !all.contains(constraint) { all.append(constraint) }
      }
    }
    return all
  }

  /// Returns the constraints that an obstacle consists of; none if it consists of something else.
  private func postponable(
    _ obstacle: ReleaseTable.Obstacle,
    of table: ReleaseTable
  ) -> [PostponedConstraint] {
    guard case .breakage(let breakage) = obstacle, table.table != nil else { return [] }
    let causes = findings.filter { $0.breakage == breakage }.map(\.cause)
    switch breakage {
    case .valueRequired(let column, _):
      // A value that the release has to give as well is another one.
      let isNew = causes.allSatisfy { cause in
        if case .column(nil, _, _) = cause { true } else { false }
      }
      let before = isNew ? nil : pair(before: table.name)?.before.column(column)
      guard before?.isNullable ?? true else { return [] }
    case .uniquenessRequired, .conditionRequired, .referenceRequired: break
    case .deletionRefused(_, let table): return deletionRules(breakage, of: table)
    case .tableDropped, .tableRenamed, .columnDropped, .columnRenamed, .typeChanged,
      .valueComputed, .computationRequired, .keyRemoved, .nameRemoved,
      .keyChangeRefused, .entitiesRenamed, .rowsLeft:
      return []
    }
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
      guard case .object(let name, _) = cause else { return nil }
      let found = constraint(named: name, of: after, pair)
      return found?.formerReference == nil ? nil : found
    }
    return rules.count == causes.count ? rules : []
  }

  /// Returns a constraint or a unique index that holds later, with what holds until then; `nil` if nothing can.
  private func constraint(
    named name: SQLIdentifier,
    of table: Table,
    _ pair: Pair
  ) -> PostponedConstraint? {
    guard let constraint = table.constraints.first(where: { $0.name == name }) else {
      let isIndex = table.indexes.contains { $0.name == name && $0.isUnique }
      return isIndex ? PostponedConstraint(kind: .index, name: name, table: table.name) : nil
    }
    var postponed = PostponedConstraint(kind: .constraint, name: name, table: table.name)
    var renamed = pair.before
    renamed.renameColumns(pair.columns)
    switch constraint.definition {
    case .primaryKey: return nil
    case .unique, .exclusion: break
    case .check(_, let columns):
      for former in renamed.constraints {
        guard case .check(let condition, let others) = former.definition,
          Set(others) == Set(columns)
        else { continue }
        postponed.formerCondition = condition.text
        break
      }
    case .foreignKey(let foreignKey):
      let former = renamed.constraints.compactMap(\.foreignKey).first {
        $0.column == foreignKey.column
      }
      guard let former else { break }
      guard tablesAfter[former.references] == foreignKey.references else { return nil }
      postponed.formerReference = PostponedConstraint.FormerReference(
        onDelete: former.onDelete,
        onUpdate: former.onUpdate,
        deferrability: former.deferrability
      )
    }
    return postponed
  }

  private func constraint(
    of breakage: ReleaseBreakage,
    _ cause: Cause,
    _ release: ReleaseTable
  ) -> PostponedConstraint? {
    guard let table = release.table.flatMap({ destination.schema.tables[$0] }),
      let pair = pair(before: release.name)
    else { return nil }
    switch (breakage, cause) {
    case (_, .object(let name, _)), (.conditionRequired(let name, _), .column):
      return constraint(named: name, of: table, pair)
    case (.valueRequired, .column(_, let name?, _)):
      guard table.column(name)?.notNullConstraint != nil else { return nil }
      return PostponedConstraint(kind: .notNull, name: name, table: table.name)
    default: return nil
    }
  }
}
