internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

/// The operations of a step that may fail because of existing rows, and those that break a release
/// on the previous version.
struct StepHazards: Hashable, Sendable {
  /// The hazards of one operation, or of deferred work.
  struct Part: Hashable, Sendable {
    /// The changes that break a release on the previous version.
    var breakages: [ReleaseBreakage] = []
    /// Whether the rows may not allow it.
    var failsOnData = false
  }

  /// The operations, in their order.
  private(set) var operations: [Part] = []
  /// The deferred work, in order.
  private(set) var deferredWork: [Part] = []

  /// Finds the hazards of a step.
  ///
  /// - Parameters:
  ///   - operations: The operations of its transaction, in order.
  ///   - deferredWork: The deferred work, in order.
  ///   - comparison: The tables of a release on the source before and afterwards.
  ///   - risks: The operations that may fail.
  init(
    of operations: [MigrationOperation],
    _ deferredWork: [DeferredWork],
    _ comparison: ReleaseComparison,
    _ risks: RowRisks
  ) {
    var places = StatementPlaces()
    self.operations = operations.map { operation in
      Part(failsOnData: risks.mayFail(operation.base, places.places(of: operation)))
    }
    self.deferredWork = deferredWork.map { Part(failsOnData: risks.mayFail($0)) }
    let schema = comparison.destination.schema.name
    guard !comparison.findings.isEmpty else { return }
    let hasStatement = operations.map { $0.base.sql(in: schema).hasStatement }
    let positions = operations.indices.filter { hasStatement[$0] }
    let byTable = Dictionary(grouping: positions) { operations[$0].base.table }
    let renames = positions.filter { operations[$0].rename?.isOfTable ?? false }
    for finding in comparison.findings {
      var best: (position: Int, rank: Int)?
      for position in (byTable[finding.owner] ?? []) + (finding.isOfName ? renames : []) {
        guard let rank = finding.rank(of: operations[position].base), rank < best?.rank ?? .max
        else {
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

  /// The hazards of dropping retained objects, which a release may still use.
  init(ofRemovals operations: [MigrationOperation]) {
    self.operations = operations.map { operation in
      let table = operation.base.table
      return switch operation.base.dependentBreakage {
      case .tableDropped: Part(breakages: [.tableDropped(table)])
      case .columnDropped(let column): Part(breakages: [.columnDropped(column, table: table)])
      case .none, .tableReplaced, .columnReplaced, .typeChanged, .partDropped, .rowsChange,
        .rowsLeave:
        Part()
      }
    }
  }
}

extension OperationSQL {
  fileprivate var hasStatement: Bool {
    switch self {
    case .clauses(let clauses): !clauses.isEmpty
    case .statements(let texts): !texts.isEmpty
    }
  }
}

extension ReleaseComparison.Finding {
  /// Returns how well an operation explains it, the best with 0; none if it has nothing to do with it.
  fileprivate func rank(of operation: any SchemaOperation) -> Int? {
    operation.relevance(to: self) ?? (operation.table == owner ? 9 : nil)
  }

  /// A Boolean value that indicates whether rows have other names of entities.
  var isOfEntityNames: Bool {
    if case .entitiesRenamed = breakage { true } else { false }
  }

  /// A Boolean value that indicates whether a table is called something else.
  fileprivate var isOfName: Bool {
    if case .tableRenamed = breakage { true } else { false }
  }

  /// The table, by the name that it has when the step has run.
  var owner: SQLIdentifier {
    switch cause {
    case .table(let table), .column(_, _, let table), .object(_, let table),
      .formerObject(_, let table), .rows(let table):
      table
    }
  }

  /// Returns whether a column has the cause, by its name afterwards.
  func isAbout(_ column: SQLIdentifier, of table: SQLIdentifier) -> Bool {
    guard case .column(_, column, table) = cause else { return false }
    return true
  }
}
