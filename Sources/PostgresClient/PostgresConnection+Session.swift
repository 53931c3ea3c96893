public import SQLSyntax

extension PostgresConnection {
  /// The settings that every session has, whatever those of the role and the database.
  ///
  /// A `psql` script begins with the same statements. `default_transaction_read_only` is not among
  /// them: that a database is read-only has to be noticed, not overridden.
  public static var sessionPrologue: [SQLFragment] {
    [
      "SET application_name = 'remodel'",
      "SET client_encoding = 'UTF8'",
      "SET client_min_messages = warning",
      "SET quote_all_identifiers = off",
      // Without pg_temp at its end, temporary tables would hide those of pg_catalog.
      "SET search_path = pg_catalog, pg_temp",
      "SET standard_conforming_strings = on",
      "SET default_transaction_isolation = 'read committed'",
      "SET default_transaction_deferrable = off",
      "SET lock_timeout = 0",
      "SET statement_timeout = 0",
      "SET idle_in_transaction_session_timeout = '60s'",
      "SET idle_session_timeout = 0",
      "SET row_security = off",
      "SET default_tablespace = ''",
      "SET check_function_bodies = on",
      "SET transform_null_equals = off",
      // Compiling costs more than it gives for statements over the catalog.
      "SET jit = off",
      "SET TimeZone = 'UTC'",
      "SET DateStyle = 'ISO, YMD'",
      "SET IntervalStyle = 'postgres'",
      "SET extra_float_digits = 1",
      "SET bytea_output = 'hex'",
      "SET xmloption = content",
    ]
  }

  /// Gives this session its settings, in one round trip.
  public borrowing func prepareSession() throws(PostgresError) {
    // Servers before 17 do not know it, and a query that finds out would cost more than all the rest.
    let later: [SQLFragment] = serverVersion >= 170_000 ? ["SET transaction_timeout = 0"] : []
    try execute((Self.sessionPrologue + later).joined(separator: ";\n"))
  }
}
