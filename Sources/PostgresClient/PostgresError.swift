public import Diagnostics

/// An error of the server or libpq, with all of its fields.
public struct PostgresError: Error, Hashable, Sendable {
  /// Who complains, and when.
  public enum Kind: Hashable, Sendable {
    /// No server was reached, or it does not accept connections yet.
    case connection
    /// The server was reached and refused the login.
    case authentication
    /// The connection's settings are not ones that libpq can use.
    case malformedURL
    /// A pooler before the server does not provide reliable sessions.
    case pooler
    /// The role that sessions are to work as cannot be taken on.
    case role
    /// The server is a worker of Citus, and stores are on the coordinator.
    case worker
    /// The server refused a statement.
    case server
    /// The connection ended; the result of the last statement is unknown.
    case connectionLost
  }

  /// Who complains, and when.
  public var kind: Kind
  /// The error's code.
  public var sqlState: SQLState?
  /// The error, in one line.
  public var message: String
  /// More facts; of a violated constraint it has values of the row, which diagnostics leave out.
  public var detail: String?
  /// The remedy.
  public var hint: String?
  /// The server's context of the error.
  public var serverContext: String?
  /// The schema of the table, type or constraint that this is about.
  public var schemaName: String?
  /// The table that this is about.
  public var tableName: String?
  /// The column that this is about.
  public var columnName: String?
  /// The constraint that this is about.
  public var constraintName: String?
  /// The statement, without its parameters' values.
  public var statement: String?

  /// Creates an error.
  package init(
    _ kind: Kind,
    _ message: String,
    sqlState: SQLState? = nil,
    detail: String? = nil,
    hint: String? = nil
  ) {
    self.kind = kind
    self.message = message
    self.sqlState = sqlState
    self.detail = detail
    self.hint = hint
  }

  /// A Boolean value that indicates whether another attempt to connect may find the server ready.
  package var isServerNotReady: Bool { kind == .connection }
}

extension PostgresError: DiagnosticError {
  /// The error in the server's own words, without passwords and values of rows.
  public var diagnostics: [Diagnostic] {
    let isOfValue = kind == .server && sqlState?.isDataException ?? false
    let context = [isOfValue ? nil : serverContext, statement.map { "statement: \($0)" }]
      .compactMap { $0 }
      .joined(separator: "\n")
    var diagnostic = Diagnostic(
      .error,
      (isOfValue ? message.withoutQuotedValues : message).withoutPasswords,
      detail: isOfValue ? nil : detailWithoutValues?.withoutPasswords,
      hint: hint,
      context: context.isEmpty ? nil : context.withoutPasswords,
      sqlState: sqlState?.rawValue
    )
    if isOfValue, diagnostic.message != message.withoutPasswords || detail != nil {
      diagnostic.detail = "Text that is left out may be the value of a row; --debug-sql shows it."
      diagnostic.wholeMessage =
        [message, detail, serverContext].compactMap { $0 }
        .joined(separator: "\n").withoutPasswords
    }
    return [diagnostic]
  }

  /// The detail without the row's values, which a violated constraint has between parentheses.
  private var detailWithoutValues: String? {
    guard let detail, let sqlState, sqlState.isIntegrityViolation else { return detail }
    // The message about a constraint may contain the whole row; errors that a statement raises name
    // no constraint.
    let isOfConstraint = constraintName != nil || tableName != nil
    if sqlState == .notNullViolation || sqlState == .checkViolation {
      return isOfConstraint ? nil : detail
    }
    guard
      let opening = detail.unicodeScalars.firstRange(of: "=(".unicodeScalars),
      let closing = detail.unicodeScalars.lastIndex(of: ")"), closing > opening.upperBound
    else { return detail }
    return detail[..<opening.upperBound] + "…" + detail[closing...]
  }
}

extension String {
  /// The text with `…` for everything in quotes, such as the value of a row or the name of a type.
  fileprivate var withoutQuotedValues: String {
    let marks: Set<Unicode.Scalar> = ["\"", "“", "”", "„", "«", "»", "‘", "’"]
    guard let first = unicodeScalars.firstIndex(where: marks.contains),
      let last = unicodeScalars.lastIndex(where: marks.contains),
      first < last
    else { return self }
    return String(unicodeScalars[...first]) + "…" + String(unicodeScalars[last...])
  }
}
