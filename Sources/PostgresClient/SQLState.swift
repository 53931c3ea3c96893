/// The five characters of the server's error code.
public struct SQLState: RawRepresentable, Hashable, Sendable {
  /// The five characters.
  public let rawValue: String

  /// Creates an error code from its five characters.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// The code's first two characters, such as `23` for violated constraints.
  package var category: String { String(rawValue.prefix(2)) }

  /// A Boolean value that indicates whether a constraint was violated: class 23.
  package var isIntegrityViolation: Bool { category == "23" }

  /// A Boolean value that indicates whether an operation got an invalid value: class 22, or class
  /// 21, several values instead of one.
  package var isDataException: Bool { category == "22" || category == "21" }

  /// A Boolean value that indicates whether a statement is at fault, and not the state of the
  /// server or the rights of the role: it is unknown, not allowed or not supported.
  package var isOfStatement: Bool {
    rawValue != "42501" && ["0A", "22", "2B", "2F", "38", "39", "42", "54"].contains(category)
  }

  /// A Boolean value that indicates whether a refused login may succeed a little later.
  ///
  /// Poolers use class 08 for a server that they cannot reach.
  var isPassing: Bool {
    self == .cannotConnectNow || self == .tooManyConnections || category == "08"
  }

  /// A Boolean value that indicates whether another session caused the error, so that another
  /// attempt may succeed.
  package var isLockConflict: Bool {
    self == .lockNotAvailable || self == .deadlockDetected || self == .serializationFailure
  }

  /// A Boolean value that indicates whether a name is taken already.
  package var isDuplicateName: Bool {
    ["42P07", "42701", "42710", "42723", "42P06"].contains(rawValue)
  }
}

extension SQLState: ExpressibleByStringLiteral {
  /// Creates an error code from its five characters.
  public init(stringLiteral value: StaticString) {
    self.init(rawValue: value.description)
  }
}

extension SQLState: CustomStringConvertible {
  /// The five characters.
  public var description: String { rawValue }
}

// MARK: - Codes that the program decides upon

extension SQLState {
  /// A feature that this server does not have.
  public static let featureNotSupported: SQLState = "0A000"
  /// A value that a setting cannot have, such as the name of a role that there is not.
  public static let invalidParameterValue: SQLState = "22023"
  /// A text that is no value of a type.
  public static let invalidTextRepresentation: SQLState = "22P02"
  /// Bytes that are not text in the database's encoding.
  public static let characterNotInRepertoire: SQLState = "22021"
  /// A column must not be null.
  public static let notNullViolation: SQLState = "23502"
  /// A key occurs twice.
  public static let uniqueViolation: SQLState = "23505"
  /// A row fails a check constraint.
  public static let checkViolation: SQLState = "23514"
  /// A write in a transaction that may only read.
  public static let readOnlyTransaction: SQLState = "25006"
  /// A statement in a transaction of which another statement has failed.
  public static let failedTransaction: SQLState = "25P02"
  /// The end of a transaction where it must not end.
  public static let invalidTransactionTermination: SQLState = "2D000"
  /// A transaction was idle for too long, and the server closed its connection.
  public static let idleInTransactionTimeout: SQLState = "25P03"
  /// The password is wrong.
  public static let invalidPassword: SQLState = "28P01"
  /// Other objects depend on the one to drop.
  public static let dependentObjects: SQLState = "2BP01"
  /// There is no schema of that name.
  public static let invalidSchemaName: SQLState = "3F000"
  /// A transaction that does not serialize with others; may be repeated.
  public static let serializationFailure: SQLState = "40001"
  /// Two transactions waited for each other; may be repeated.
  public static let deadlockDetected: SQLState = "40P01"
  /// The role lacks a right.
  public static let insufficientPrivilege: SQLState = "42501"
  /// There is no column of that name.
  public static let undefinedColumn: SQLState = "42703"
  /// There is no relation of that name.
  public static let undefinedTable: SQLState = "42P01"
  /// There is no object of that name.
  public static let undefinedObject: SQLState = "42704"
  /// The server's own failure, such as the look at an object that another session drops.
  public static let internalError: SQLState = "XX000"
  /// The server has as many sessions as it may have.
  public static let tooManyConnections: SQLState = "53300"
  /// The server's memory for locks, or another memory, is used up.
  public static let outOfMemory: SQLState = "53200"
  /// A value is larger than the server can do with, such as one for an index.
  public static let programLimitExceeded: SQLState = "54000"
  /// A lock was not available in the time allowed.
  public static let lockNotAvailable: SQLState = "55P03"
  /// The statement was cancelled, or its time was over.
  public static let queryCanceled: SQLState = "57014"
  /// An administrator ended the connection.
  public static let adminShutdown: SQLState = "57P01"
  /// The server ended the connection because another session crashed.
  public static let crashShutdown: SQLState = "57P02"
  /// The server is starting up, shutting down or recovering.
  public static let cannotConnectNow: SQLState = "57P03"
  /// A session was idle for too long, and the server closed its connection.
  public static let idleSessionTimeout: SQLState = "57P05"
}
