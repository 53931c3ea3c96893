package import PostgresClient
internal import SQLSyntax

extension ExecutionError.Fact {
  /// Tells what an error of the server means for the user.
  package init(_ error: PostgresError, _ reason: String, _ store: StoreIdentity) {
    switch error.sqlState {
    case .some(.insufficientPrivilege):
      self = .insufficientPrivilege(error, reason: reason, .changing(schema: store.schema))
    case .some(.dependentObjects):
      self = .dependentObject(error, reason: reason)
    case .some(.featureNotSupported):
      // What the server cannot do for our statements is alter what views, policies and the like use.
      self = .dependentObject(error, reason: reason)
    case .some(.outOfMemory) where error.hint?.contains("max_locks_per_transaction") == true:
      self = .tooFewLocks(error, reason: reason)
    case .some(.readOnlyTransaction):
      self = .readOnly(isStandby: false)
    case .some(let state) where state.isDuplicateName:
      self = .nameTaken(error, reason: reason)
    case .some(let state)
    where state.isIntegrityViolation || state.isDataException || state == .programLimitExceeded:
      self = .dataChanged(error, reason: reason)
    default:
      // The server has hundreds of codes.
      self = .statementFailed(error, reason: reason)
    }
  }
}

extension ExecutionError {
  /// Creates an error from one that the server reported outside a step.
  package init(_ error: PostgresError, in store: StoreIdentity) {
    self.init(
      error.kind == .connectionLost
        ? .connectionLost(error) : Self.readingFact(error, store)
    )
  }

  /// Who only reads needs less than who migrates.
  private static func readingFact(_ error: PostgresError, _ store: StoreIdentity) -> Fact {
    let reason = "reading the database"
    guard error.sqlState == .insufficientPrivilege else { return Fact(error, reason, store) }
    return .insufficientPrivilege(
      error,
      reason: reason,
      .reading(metadata: store.metadataSchema)
    )
  }
}
