internal import Diagnostics
internal import PostgresClient

/// What is kept of errors in tables that every role may read: no values of rows.
extension ExecutionError {
  /// The error in a line, without anything that rows hold.
  var recordedText: String {
    switch fact {
    case .statementFailed(let error, let reason), .dataChanged(let error, let reason),
      .dependentObject(let error, let reason), .nameTaken(let error, let reason),
      .tooFewLocks(let error, let reason):
      error.recordedText(reason)
    case .insufficientPrivilege(let error, let reason, _): error.recordedText(reason)
    case .rowNotCopied(let error, let mapping, let table, _):
      error.recordedText("copying to table \"\(table)\" by entity mapping \"\(mapping)\"")
    case .throttleQueryFailed(let error): error.recordedText("asking the throttle query")
    case .policyFailed(let fault, let mapping, let policy, _):
      fault.diagnostic(mapping, policy, nil).message
    case .connectionLost(let error): error.recordedText("connected to the server")
    case .lockNotAvailable, .migrationLockNotAvailable, .preconditionsViolated, .foreignSchema,
      .foreignMetadata, .exposedMetadata, .foreignObjects,
      .otherConfiguration, .newerMetadata, .damagedMetadata, .oldServer, .readOnly, .unsafePooler,
      .otherObject, .rightsMissing, .jobUnfinished, .jobCancelled, .noSuchJob, .jobEnded,
      .sourceChanged,
      .sourceNotCopyable, .copyDiffers, .rowsDangle, .heldTooLong, .interrupted:
      diagnostics.first?.message ?? ""
    }
  }
}

extension PostgresError {
  /// The error in a line; what the server says is left out where it may quote values.
  ///
  /// - Parameter reason: What was being done.
  /// - Returns: The line.
  func recordedText(_ reason: String) -> String {
    if !mayQuoteValues { return message }
    let code = sqlState.map { " \($0)" } ?? ""
    return "\(reason): error\(code), whose message is kept back since it may quote values"
  }

  /// A Boolean value that indicates whether the message may have values of rows in it.
  private var mayQuoteValues: Bool {
    guard kind == .server else { return false }
    guard let sqlState else { return true }
    // Constraints are called by their names; who raises such an error in a function writes at will.
    if sqlState.isIntegrityViolation { return constraintName == nil && columnName == nil }
    if sqlState == .insufficientPrivilege || sqlState.isDuplicateName { return false }
    let isOfServer = ["08", "25", "28", "2B", "40", "53", "54", "55", "57", "58"]
      .contains(sqlState.category)
    return !isOfServer
  }
}
