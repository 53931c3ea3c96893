/// A setting that every session has, whatever those of the role and the database are.
package struct SessionDefault: Hashable, Sendable {
  /// The name.
  package let name: SQLFragment
  /// The value.
  package let value: SQLFragment
  /// What values of expressions depend on it for, so that a function which runs in sessions of others has to have
  /// it as well; `nil` if they do not.
  package let use: Use?

  /// What values of expressions depend on a setting for.
  package enum Use: Hashable, Sendable, CaseIterable {
    /// Which functions, operators and tables names stand for.
    case names
    /// How constants and comparisons are read.
    case syntax
    /// How values are written as text and read from it, such as dates.
    case formats
  }

  /// Creates a setting.
  private init(_ name: SQLFragment, _ value: SQLFragment, _ use: Use? = nil) {
    self.name = name
    self.value = value
    self.use = use
  }

  /// All settings.
  ///
  /// `default_transaction_read_only` is not among them: that a database is read-only has to be noticed, not
  /// overridden.
  package static let all: [SessionDefault] = [
    SessionDefault("application_name", "'remodel'"),
    SessionDefault("client_encoding", "'UTF8'"),
    SessionDefault("client_min_messages", "warning"),
    SessionDefault("quote_all_identifiers", "off", .formats),
    SessionDefault("search_path", .catalogPath, .names),
    SessionDefault("standard_conforming_strings", "on", .syntax),
    SessionDefault("default_transaction_isolation", "'read committed'"),
    SessionDefault("default_transaction_deferrable", "off"),
    SessionDefault("lock_timeout", "0"),
    SessionDefault("statement_timeout", "0"),
    SessionDefault("idle_in_transaction_session_timeout", "'60s'"),
    SessionDefault("idle_session_timeout", "0"),
    SessionDefault("row_security", "off"),
    SessionDefault("default_tablespace", "''"),
    SessionDefault("check_function_bodies", "on"),
    SessionDefault("transform_null_equals", "off", .syntax),
    // Compiling costs more than it gives for statements over the catalog.
    SessionDefault("jit", "off"),
    SessionDefault("TimeZone", "'UTC'", .formats),
    SessionDefault("DateStyle", "'ISO, YMD'", .formats),
    SessionDefault("IntervalStyle", "'postgres'", .formats),
    SessionDefault("extra_float_digits", "1", .formats),
    SessionDefault("bytea_output", "'hex'", .formats),
    SessionDefault("xmloption", "content", .formats),
  ]

  /// Returns the clauses of CREATE FUNCTION that give a function settings, since it runs in the sessions of others.
  ///
  /// Each clause takes time in every call, so a function has only those that it needs.
  ///
  /// - Parameter uses: What its values depend on settings for.
  /// - Returns: The clauses, separated by line breaks.
  package static func functionClauses(_ uses: Set<Use> = Set(Use.allCases)) -> SQLFragment {
    all.filter { $0.use.map(uses.contains) ?? false }
      .map { "SET \($0.name) = \($0.value)" as SQLFragment }
      .joined(separator: "\n  ")
  }
}
