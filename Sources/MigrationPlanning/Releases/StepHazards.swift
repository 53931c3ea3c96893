internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

/// Which operations of a step may fail by the rows that there are, and which break what for a release on
/// the previous version.
struct StepHazards: Hashable, Sendable {
  /// What hurts about one operation, or about work that comes later.
  struct Part: Hashable, Sendable {
    /// What a release on the previous version stumbles over.
    var breakages: [ReleaseBreakage] = []
    /// Whether the rows may not allow it.
    var failsOnData = false
  }

  /// The operations, in their order.
  private(set) var operations: [Part] = []
  /// What is done when the transaction has ended, in its order.
  private(set) var deferredWork: [Part] = []

  /// Finds out what hurts about a step.
  ///
  /// - Parameters:
  ///   - operations: What its transaction does, in order.
  ///   - deferredWork: What comes after it, in order.
  ///   - comparison: What a release on the source knows, and what it finds afterwards.
  ///   - risks: What may fail.
  init(
    of operations: [MigrationOperation],
    _ deferredWork: [DeferredWork],
    _ comparison: ReleaseComparison,
    _ risks: RowRisks
  ) {
    var places = StatementPlaces()
    self.operations = operations.map { operation in
      Part(failsOnData: risks.mayFail(operation, places.places(of: operation)))
    }
    self.deferredWork = deferredWork.map { Part(failsOnData: risks.mayFail($0)) }
    let schema = comparison.destination.schema.name
    guard !comparison.findings.isEmpty else { return }
    let hasStatement = operations.map { $0.hasStatement(in: schema) }
    let positions = operations.indices.filter { hasStatement[$0] }
    let byTable = Dictionary(grouping: positions) { operations[$0].base.table }
    let renames = positions.filter { operations[$0].namesTable }
    for finding in comparison.findings {
      var best: (position: Int, rank: Int)?
      for position in (byTable[finding.owner] ?? []) + (finding.isOfName ? renames : []) {
        guard let rank = finding.rank(of: operations[position]), rank < best?.rank ?? .max else {
          continue
        }
        best = (position, rank)
      }
      let late = deferredWork.firstIndex { finding.cause == .object($0.object, table: $0.table) }
      if let late, best?.rank ?? .max > 0 {
        self.deferredWork[late].breakages.append(finding.breakage)
      } else if let position = best?.position ?? hasStatement.lastIndex(of: true) {
        self.operations[position].breakages.append(finding.breakage)
      }
    }
  }

  /// The hazards of the removal of what is retained, which a release may still use.
  init(ofRemovals operations: [MigrationOperation]) {
    self.operations = operations.map { operation in
      switch operation {
      case .dropTable(let drop): Part(breakages: [.tableDropped(drop.table)])
      case .dropColumn(let drop):
        Part(breakages: [.columnDropped(drop.column, table: drop.table)])
      default: Part()  // A cleanup removes nothing else of ours.
      }
    }
  }
}

extension MigrationOperation {
  /// A Boolean value that indicates whether a table gets another name.
  fileprivate var namesTable: Bool {
    switch self {
    case .renameTable: true
    case .renameRetained(let rename): rename.kind == .table
    default: false  // Nothing else renames a table.
    }
  }

  fileprivate func hasStatement(in schema: SQLIdentifier) -> Bool {
    switch base.sql(in: schema) {
    case .clauses(let clauses): !clauses.isEmpty
    case .statements(let texts): !texts.isEmpty
    }
  }
}

extension ReleaseBreakage {
  fileprivate var isOfEntityNames: Bool {
    if case .entitiesRenamed = self { true } else { false }
  }
}

extension ReleaseComparison.Finding {
  /// Returns how well an operation explains it, the best with 0; none if it has nothing to do with it.
  fileprivate func rank(of operation: MigrationOperation) -> Int? {
    let table = operation.base.table
    switch (cause, operation) {
    case (.table, .renameTable(let rename)) where rename.name == breakage.table: return 0
    case (.table, .renameRetained(let rename))
    where rename.kind == .table && rename.name == breakage.table:
      return 0
    case (.table(let name), .dropTable) where table == name: return 0
    case (.column(let before, let after, let owner), _) where owner == table:
      if let rank = rank(of: operation, on: before, after) { return rank }
    case (.object(let name, table), .addConstraint(let addition))
    where addition.constraint.name == name:
      return 0
    case (.object(let name, table), .createIndex(let creation)) where creation.index.name == name:
      return 0
    case (.object(let name, table), .addColumn(let addition))
    where addition.reference?.name == name:
      return 0
    case (.object(let name, table), .renameConstraint(let rename)) where rename.newName == name:
      return 1
    case (.object(let name, table), .renameIndex(let rename)) where rename.newName == name: return 1
    case (.formerObject(let name, table), .dropConstraint(let drop))
    where drop.constraint.name == name:
      return 0
    case (.formerObject(let name, table), .renameConstraint(let rename)) where rename.name == name:
      return 0
    case (.formerObject(let name, table), .dropIndex(let drop)) where drop.index == name: return 0
    case (.rows(table), .deleteRows): return breakage.isOfEntityNames ? 1 : 0
    case (.rows(table), .updateRows(let update)) where update.purpose == .renameEntities:
      return breakage.isOfEntityNames ? 0 : 1
    default: break  // Other operations are about something else.
    }
    guard table == owner else { return nil }
    if case .installTable = operation { return 8 }
    return 9
  }

  /// A Boolean value that indicates whether a table is called something else.
  fileprivate var isOfName: Bool {
    if case .tableRenamed = breakage { true } else { false }
  }

  fileprivate var owner: SQLIdentifier {
    switch cause {
    case .table(let table), .column(_, _, let table), .object(_, let table),
      .formerObject(_, let table), .rows(let table):
      table
    }
  }

  private func rank(
    of operation: MigrationOperation,
    on before: SQLIdentifier?,
    _ after: SQLIdentifier?
  ) -> Int? {
    switch (breakage, operation) {
    case (.columnRenamed, .renameColumn(let rename)):
      rename.name == before && !rename.isFromTemporary ? 0 : nil
    case (.columnRenamed, .renameRetained(let rename)): rename.name == before ? 0 : nil
    case (.nameRemoved, .renameSequence(let rename)):
      rename.column == after && !rename.isFromTemporary ? 0 : nil
    case (.conditionRequired, .setDefault(let change)): change.column == after ? 0 : nil
    case (.columnDropped, .dropColumn(let drop)): drop.column == after ? 0 : nil
    case (.columnDropped, .retainColumn(let retention)): retention.column.name == after ? 0 : nil
    case (.typeChanged, .changeColumnType(let change)): change.column == after ? 0 : nil
    case (.typeChanged, .dropColumn(let drop)): drop.column == after ? 1 : nil
    case (.valueRequired, .setNotNull(let requirement)): requirement.column == after ? 0 : nil
    case (.valueRequired, .addColumn(let addition)): addition.column.name == after ? 1 : nil
    case (.valueRequired, .setDefault(let change)): change.column == after ? 2 : nil
    case (.valueRequired, .dropExpression(let change)): change.column == after ? 3 : nil
    case (.valueComputed, .addColumn(let addition)),
      (.computationRequired, .addColumn(let addition)):
      addition.column.name == after ? 0 : nil
    default: nil  // No other operation brings it.
    }
  }
}
