import PostgresClient
import SQLSyntax
import TestSupport
import Testing

@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct SessionPrologueTests {
  @Test
  func `the prologue wins over the settings of the database`() async throws {
    try await TestServer.withDatabase { url in
      let connection = try PostgresConnection(to: .url(url))
      let database = SQLIdentifier(connection.databaseName)
      let hostile: [(name: SQLIdentifier, value: String, ours: String)] = [
        ("application_name", "other", "remodel"),
        ("search_path", "public", "pg_catalog, pg_temp"),
        ("TimeZone", "Asia/Tokyo", "UTC"),
        ("DateStyle", "SQL, DMY", "ISO, YMD"),
        ("IntervalStyle", "iso_8601", "postgres"),
        ("standard_conforming_strings", "off", "on"),
        ("default_transaction_isolation", "serializable", "read committed"),
        ("default_transaction_deferrable", "on", "off"),
        ("statement_timeout", "1h", "0"),
        ("lock_timeout", "1h", "0"),
        ("idle_in_transaction_session_timeout", "1h", "1min"),
        ("idle_session_timeout", "1h", "0"),
        ("row_security", "on", "off"),
        ("client_min_messages", "debug5", "warning"),
        ("bytea_output", "escape", "hex"),
        ("extra_float_digits", "-15", "1"),
        ("quote_all_identifiers", "on", "off"),
        ("transform_null_equals", "on", "off"),
        ("jit", "on", "off"),
      ]
      for setting in hostile {
        try connection.execute(
          "ALTER DATABASE \(database) SET \(setting.name) = \(SQLLiteral.text(setting.value))"
        )
      }

      let session = try PostgresConnection(to: .url(url))
      try session.prepareSession()

      for setting in hostile {
        let value = try session.query("SELECT current_setting($1)", [setting.name.name]).value
        #expect(value == setting.ours, "\(setting.name)")
      }
    }
  }

  @Test
  func `a login that shares a role works as this role`() async throws {
    try await withRole("sharing") { role, url, login in
      let database = SQLIdentifier(try PostgresConnection(to: .url(url)).databaseName)
      let connection = try PostgresConnection(to: .url(url))
      try connection.execute("GRANT pg_monitor TO \(role)")
      try connection.execute("ALTER ROLE \(role) IN DATABASE \(database) SET role = 'pg_monitor'")

      let session = try PostgresConnection.session(to: .url(login))

      #expect(try session.query("SELECT current_user").value == "pg_monitor")
    }
  }

  @Test
  func `a superuser's session works as its login, or as the role that it is given`() async throws {
    try await TestServer.withDatabase { url in
      let connection = try PostgresConnection(to: .url(url))
      let database = SQLIdentifier(connection.databaseName)
      try connection.execute("ALTER DATABASE \(database) SET role = 'pg_monitor'")
      let unprepared = try PostgresConnection(to: .url(url))
      #expect(try unprepared.query("SELECT current_user").value == "pg_monitor")

      let session = try PostgresConnection.session(to: .url(url))
      let given = try PostgresConnection.session(
        to: .url(url).assuming("pg_read_all_stats")
      )

      #expect(try session.query("SELECT current_user = session_user AS same").value == "t")
      #expect(try given.query("SELECT current_user").value == "pg_read_all_stats")
    }
  }

  @Test
  func `a read-only database stays read-only`() async throws {
    try await TestServer.withDatabase { url in
      let connection = try PostgresConnection(to: .url(url))
      let database = SQLIdentifier(connection.databaseName)
      try connection.execute("ALTER DATABASE \(database) SET default_transaction_read_only = on")

      let session = try PostgresConnection(to: .url(url))
      try session.prepareSession()
      let error = #expect(throws: PostgresError.self) {
        try session.execute("CREATE TABLE public.t ()")
      }

      #expect(session.parameterStatus("default_transaction_read_only") == "on")
      #expect(error?.sqlState == .readOnlyTransaction)
    }
  }
}
