internal import ObjectModel
internal import SQLSyntax

extension MigrationStep {
  /// A Boolean value that indicates whether the step copies in many transactions.
  public var isCopyJob: Bool { copy != nil && strategy != .locked }

  /// Returns the step with tables that are made by a copy, brought to their places by statements of
  /// its own.
  ///
  /// - Parameters:
  ///   - copy: What is copied.
  ///   - strategy: How.
  ///   - statements: What the step runs at the end, under its locks.
  ///   - lockedTables: The tables that it locks for that.
  /// - Returns: The step.
  package func copying(
    _ copy: CopyPlan,
    by strategy: CopyStrategy,
    statements: [PlannedStatement],
    lockedTables: [LockedTable]
  ) -> MigrationStep {
    var step = self
    step.copy = copy
    step.strategy = strategy
    step.statements = statements
    step.lockedTables = lockedTables
    return step
  }
}

extension MigrationStep {
  /// What runs when the step has been committed, each statement in a transaction of its own.
  public var settlingStatements: [PlannedStatement] { validations + lateStatements }

  /// The statements that validate the foreign keys of tables which a copy made.
  private var validations: [PlannedStatement] {
    guard let copy, isCopyJob else { return [] }
    return copy.unvalidatedReferences.map {
      var statement = $0.validation(in: copy.schema)
      statement.phase = .now
      return statement
    }
  }

  /// A digest of what is copied, by which a job is gone on with; none if nothing is.
  ///
  /// What is carried over, and what is done at the end, is not part of it: that may change meanwhile.
  package var copyDigest: String? {
    guard let copy else { return nil }
    var bytes: [UInt8] = []
    func add(_ text: String) {
      bytes += text.utf8
      bytes.append(0)
    }
    addVersions(to: add)
    copy.addFingerprint(to: add)
    return "sha256:" + hexadecimalSHA256(of: bytes)
  }
}
