internal import Diagnostics
package import MigrationPlanning
package import ModelMapping
package import PostgresClient
package import SQLSyntax

/// Why a migration ended without its target being reached.
///
/// The database is as it was, or at the end of an earlier step, which a rerun continues from.
package struct ExecutionError: DiagnosticError, Hashable {
  /// The error.
  package let fact: Fact

  /// The writes that an unfinished copy job still refuses, if there are any.
  package var refusal: Refusal?

  /// The end of an attempt in the audit log, which could not be entered while the server was away.
  package internal(set) var missingEntry: SQLFragment?

  /// The writes that an unfinished copy job refuses while nobody works on it.
  package enum Refusal: Hashable, Sendable {
    /// All writes to its tables.
    case all(jobID: String)
    /// Those that leave a required column without a value.
    case missingValues(jobID: String)
    /// The same, unless the connection was lost before.
    case perhapsMissingValues(jobID: String)
  }

  /// The errors that end a migration.
  package enum Fact: Hashable, Sendable {
    /// The server refused a statement.
    case statementFailed(PostgresError, reason: String)
    /// The connection broke.
    case connectionLost(PostgresError)
    /// Locks could not be had in the time allowed.
    case lockNotAvailable(seconds: Double, blockers: [Blocker])
    /// A rehearsal among others would have held its locks for longer than allowed.
    case heldTooLong(seconds: Double, reason: String)
    /// Another migrator had the migration lock for longer than allowed.
    case migrationLockNotAvailable(seconds: Double, holder: Blocker?)
    /// The rows do not allow it.
    case preconditionsViolated([PreconditionFinding])
    /// The rows do not allow it, as the server found while it was done.
    case dataChanged(PostgresError, reason: String)
    /// There are relations that Remodel did not create.
    case foreignSchema(schema: String, relations: [String])
    /// The store has another configuration than the requested one.
    case otherConfiguration(recorded: String?, requested: String?)
    /// The metadata, or an object that reading it calls, belongs to untrusted roles.
    case foreignMetadata(schema: String, [ForeignObject])
    /// Roles that are not trusted can do more than look at the metadata.
    case exposedMetadata([MetadataGrant])
    /// Tables of the store, or objects that writing their rows calls, belong to untrusted roles.
    case foreignObjects(schema: String, [ForeignObject])
    /// The metadata was created by a newer tool.
    case newerMetadata(Int)
    /// The metadata has an impossible value.
    case damagedMetadata(String)
    /// The server is older than those that are served.
    case oldServer(Int)
    /// The server takes no writes.
    case readOnly(isStandby: Bool)
    /// Something between here and the server gives every transaction another session.
    case unsafePooler
    /// An object depends on a changed one.
    case dependentObject(PostgresError, reason: String)
    /// Something that is not of the store has a name that the migration needs.
    case nameTaken(PostgresError, reason: String)
    /// An object has the name of an index or a constraint of the version, but another definition.
    case otherObject(name: String, table: String)
    /// The role may not do it.
    case insufficientPrivilege(PostgresError, reason: String, Undertaking)
    /// The role may not do all that the migration needs, as was seen before anything was done.
    case rightsMissing(MissingRights)
    /// The server has no room for so many locks in one transaction.
    case tooFewLocks(PostgresError, reason: String)
    /// A copy job is unfinished, and this process does not continue it.
    case jobUnfinished(id: String, JobObstacle)
    /// A copy job was taken back while it ran.
    case jobCancelled(id: String)
    /// There is no such job, or none at all if no name is given.
    case noSuchJob(String?)
    /// A job is over, so that nothing can be done to it.
    case jobEnded(id: String, CopyJob.State)
    /// A table that rows are copied from has changed since the copy began.
    case sourceChanged(table: String)
    /// Rows of a table cannot be copied in many transactions.
    case sourceNotCopyable(CaptureObstacle, table: String)
    /// The server refuses a row that is copied.
    case rowNotCopied(PostgresError, mapping: String, table: String, key: String)
    /// The query that decides whether a copy waits failed.
    case throttleQueryFailed(PostgresError)
    /// A policy in code returned wrong rows; the key is that of the row.
    case policyFailed(PolicyFault, mapping: String, policy: String, key: String?)
    /// Copied rows differ from the expected ones.
    case copyDiffers(table: String, units: [String])
    /// Rows lack the value of a filled column that is required.
    case valueMissing(table: String, column: String, keys: [String])
    /// Rows would refer to rows that there are none of.
    case rowsDangle(constraint: String, table: String, referenced: String, keys: [String])
    /// A signal came.
    case interrupted(signal: Int32)
    /// The source of rows is at another version than before.
    case sourceMoved(version: String)
    /// The database from which rows are copied is the reason, not the one that gets them.
    indirect case inSource(Fact)
  }

  /// The action of a role that lacks a right which the server does not name.
  package enum Undertaking: Hashable, Sendable {
    /// It changes the tables of a schema.
    case changing(schema: SQLIdentifier)
    /// It reads the metadata.
    case reading(metadata: SQLIdentifier)
  }

  /// The faults of a policy in code.
  package enum PolicyFault: Hashable, Sendable {
    /// It threw an error with this text.
    case threw(String)
    /// Its row lacks the value of a required attribute.
    case lacksValue(String)
    /// It created this many rows from one.
    case madeOtherCount(Int, InstanceCreation.Count)
    /// It created a row from one that is not in its batch.
    case madeOfOtherRow
    /// The server refuses its row.
    case refused(PostgresError)
    /// No policy is registered under the name any more.
    case notRegistered
  }

  /// The reason why a process does not continue a job.
  package enum JobObstacle: Hashable, Sendable {
    /// It runs another plan than the current one.
    case otherPlan(source: String?, target: String)
    /// It has to end first.
    case comesFirst
    /// It is paused.
    case paused
    /// Another process works on it.
    case taken(seconds: Double, holder: Blocker?)
    /// Another process has taken it over from this one.
    case takenOver
    /// It cannot be taken back any more: the tables are in their places.
    case settling
  }

  package init(_ fact: Fact) {
    self.fact = fact
  }

  /// The error of the connection, if it is lost.
  package var lostConnection: PostgresError? {
    if case .connectionLost(let error) = fact { error } else { nil }
  }

  /// A Boolean value that indicates whether the job has no worker any more afterwards.
  var leavesJob: Bool {
    if case .jobUnfinished(_, .taken) = fact { return false }
    if case .jobUnfinished(_, .takenOver) = fact { return false }
    return true
  }
}

/// A session or prepared transaction that holds a lock which a migration waits for, as far as the role may
/// see it.
public struct Blocker: Hashable, Sendable {
  /// The process.
  public let pid: Int
  /// The node of Citus that the process is on, as `host:port`; none if it is on the server itself.
  public var node: String?
  /// The prepared transaction, which no process has.
  public var preparedTransaction: String?
  /// The name of its application.
  public let application: String?
  /// Its current or last query.
  public let query: String?
  /// Since when its transaction is open.
  public let since: String?
  /// The table that it holds a lock on.
  public let table: String?
}

/// The parts of errors for tables that every role may read: no values of rows.
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
    case .inSource(let fact): "in the source: " + ExecutionError(fact).recordedText
    case .lockNotAvailable, .migrationLockNotAvailable, .preconditionsViolated, .foreignSchema,
      .foreignMetadata, .exposedMetadata, .foreignObjects,
      .otherConfiguration, .newerMetadata, .damagedMetadata, .oldServer, .readOnly, .unsafePooler,
      .otherObject, .rightsMissing, .jobUnfinished, .jobCancelled, .noSuchJob, .jobEnded,
      .sourceChanged,
      .sourceNotCopyable, .copyDiffers, .valueMissing, .rowsDangle, .heldTooLong, .interrupted,
      .sourceMoved:
      diagnostics.first?.message ?? ""
    }
  }
}

extension PostgresError {
  /// The error in a line, without the server's text if it may quote values.
  ///
  /// - Parameter reason: The activity.
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

extension ExecutionError.Fact {
  /// Creates the error for an error of the server.
  package init(_ error: PostgresError, _ reason: String, _ store: StoreIdentity) {
    switch error.sqlState {
    case .some(.insufficientPrivilege):
      self = .insufficientPrivilege(error, reason: reason, .changing(schema: store.schema))
    case .some(.dependentObjects):
      self = .dependentObject(error, reason: reason)
    case .some(.featureNotSupported):
      // The only alterations that the server does not support are those of columns that views,
      // policies and the like use.
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
