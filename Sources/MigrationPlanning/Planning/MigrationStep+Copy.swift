internal import ObjectModel
internal import SQLSyntax

extension MigrationStep {
  /// A Boolean value that indicates whether the step copies in many transactions.
  public var isCopyJob: Bool { copy != nil && strategy != .locked }

  /// Returns the step with tables that a copy creates, and its own statements that move them into
  /// place.
  ///
  /// - Parameters:
  ///   - copy: The copy.
  ///   - strategy: The strategy.
  ///   - statements: The statements at the end of the step, under its locks.
  ///   - lockedTables: The tables that it locks for these.
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
  /// The statements after the commit of the step, each in a transaction of its own.
  package var settlingStatements: [PlannedStatement] { validations + lateStatements }

  /// The statements that validate the foreign keys of copied tables.
  private var validations: [PlannedStatement] {
    guard let copy, isCopyJob else { return [] }
    return copy.unvalidatedReferences.flatMap { $0.validation(in: copy.schema) }.map {
      var statement = $0
      statement.phase = .now
      return statement
    }
  }

  /// A digest of the copy, by which an interrupted copy is resumed; `nil` without a copy.
  ///
  /// It does not depend on moved parts and on the end of the copy, which may change in between.
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
