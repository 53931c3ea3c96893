/// A setting that every session has, whatever those of the role and the database are.
package struct SessionDefault: Hashable, Sendable {
  /// The name.
  package let name: SQLFragment
  /// The value.
  package let value: SQLFragment
  /// A Boolean value that indicates whether values of expressions depend on it, so that a function which
  /// runs in sessions of others has to have it as well.
  package let decidesValues: Bool

  /// Creates a setting.
  private init(_ name: SQLFragment, _ value: SQLFragment, decidesValues: Bool = false) {
    self.name = name
    self.value = value
    self.decidesValues = decidesValues
  }

  /// All settings.
  ///
  /// `default_transaction_read_only` is not among them: that a database is read-only has to be noticed, not
  /// overridden.
  package static let all: [SessionDefault] = [
    SessionDefault("application_name", "'remodel'"),
    SessionDefault("client_encoding", "'UTF8'"),
    SessionDefault("client_min_messages", "warning"),
    SessionDefault("quote_all_identifiers", "off", decidesValues: true),
    SessionDefault("search_path", .catalogPath, decidesValues: true),
    SessionDefault("standard_conforming_strings", "on", decidesValues: true),
    SessionDefault("default_transaction_isolation", "'read committed'"),
    SessionDefault("default_transaction_deferrable", "off"),
    SessionDefault("lock_timeout", "0"),
    SessionDefault("statement_timeout", "0"),
    SessionDefault("idle_in_transaction_session_timeout", "'60s'"),
    SessionDefault("idle_session_timeout", "0"),
    SessionDefault("row_security", "off"),
    SessionDefault("default_tablespace", "''"),
    SessionDefault("check_function_bodies", "on"),
    SessionDefault("transform_null_equals", "off", decidesValues: true),
    // Compiling costs more than it gives for statements over the catalog.
    SessionDefault("jit", "off"),
    SessionDefault("TimeZone", "'UTC'", decidesValues: true),
    SessionDefault("DateStyle", "'ISO, YMD'", decidesValues: true),
    SessionDefault("IntervalStyle", "'postgres'", decidesValues: true),
    SessionDefault("extra_float_digits", "1", decidesValues: true),
    SessionDefault("bytea_output", "'hex'", decidesValues: true),
    SessionDefault("xmloption", "content", decidesValues: true),
  ]

  /// The clauses of CREATE FUNCTION that give a function the settings which decide values, since it runs with the
  /// rights and in the session of whoever writes.
  package static var functionClauses: SQLFragment {
    all.filter(\.decidesValues).map { "SET \($0.name) = \($0.value)" as SQLFragment }
      .joined(separator: "\n  ")
  }
}
