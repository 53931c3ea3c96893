import RemodelKit
import TestSupport
import Testing

/// The script that makes the roles of a database, and a migration by them.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct RolesTests {
  @Test(arguments: RandomCases.one(in: 2, of: ["superuser", "owner of the database"]))
  func `the roles of the script can do what they are for and no more`(
    maker: String
  ) async throws {
    try await TestServer.withDatabase { url in
      let name = try #require(try await Sample.rows("SELECT current_database()", in: url).first)
      let roles = ["owner", "migrator", "app", "reader"].map { "\(name)_\($0)" }
      let boss = "\(name)_boss"
      _ = try await Sample.psql(
        url,
        "--command",
        "CREATE ROLE \(boss) LOGIN CREATEROLE; ALTER DATABASE \(name) OWNER TO \(boss)"
      )
      func login(_ role: String) -> String {
        url.replacing("user=postgres", with: "user=\(name)_\(role)")
      }
      let script = Repository.path("docker/roles.sql")
      let makerURL = maker == "superuser" ? url : login("boss")
      for _ in 1...2 { _ = try await Sample.psql(makerURL, "--file", script) }

      for version in ["1", "2", "3"] {
        let arguments = ["migrate", "--to", version, "--role", "\(name)_owner"]
        _ = try await Tool.run(arguments, database: login("migrator"))
        if version == "1" { try await Sample.addRows(to: url) }
      }

      let tables = try await Sample.rows(
        """
        SELECT format('%I.%I', schemaname, tablename) FROM pg_tables \
        WHERE schemaname IN ('public', 'remodel') ORDER BY 1
        """,
        in: url
      )
      #expect(tables.count > 10)
      for table in tables {
        let owner = try await Sample.rows(
          "SELECT pg_get_userbyid(relowner) FROM pg_class WHERE oid = '\(table)'::regclass",
          in: url
        )
        #expect(owner == ["\(name)_owner"], "\(table)")
        #expect(try await may("SELECT FROM \(table)", login("reader")), "\(table)")
        let isOfStore = table.hasPrefix("public.")
        let writing = "DELETE FROM \(table)"
        #expect(try await may(writing, login("app")) == isOfStore, "\(table)")
        #expect(try await !may(writing, login("reader")), "\(table)")
        for role in ["app", "reader", "migrator"] {
          let alteration = "ALTER TABLE \(table) ADD COLUMN extra integer"
          #expect(try await !may(alteration, login(role)), "\(table) \(role)")
        }
      }
      for role in ["app", "reader", "migrator"] {
        #expect(try await !may("CREATE TABLE public.extra ()", login(role)), "\(role)")
        #expect(try await !may("CREATE SCHEMA extra", login(role)), "\(role)")
      }
      #expect(
        try await may("INSERT INTO public.author (name) VALUES ('Ada')", login("app"))
      )
      // The audit log has the login.
      let whose = "SELECT DISTINCT role FROM remodel.history"
      #expect(try await Sample.rows(whose, in: url) == ["\(name)_migrator"])

      _ = try await Sample.psql(url, "--command", "ALTER DATABASE \(name) OWNER TO postgres")
      for role in roles + [boss] {
        _ = try await Sample.psql(
          url,
          "--command",
          "DROP OWNED BY \(role) CASCADE; DROP ROLE \(role)"
        )
      }
    }
  }

  @Test(arguments: [
    (
      "a name that is too long", ["owner": String(repeating: "o", count: 64)],
      "a longer name than 63"
    ),
    ("one role for two", ["app": "same", "reader": "same"], "app and reader are the same role"),
    (
      "one role for three", ["owner": "a", "app": "a", "migrator": "a"],
      "owner and migrator and app"
    ),
  ])
  func `names that cannot be are refused before anything is made`(
    what: String,
    names: [String: String],
    fault: String
  ) async throws {
    try await TestServer.withDatabase { url in
      let roles = "SELECT rolname FROM pg_roles ORDER BY 1"
      let before = try await Sample.rows(roles, in: url)
      let settings = names.sorted { $0.key < $1.key }
        .flatMap { ["--set", "\($0.key)=\($0.value)"] }

      let error = await #expect(throws: ProgramError.self) {
        _ = try await Sample.psql(
          url,
          settings + ["--file", Repository.path("docker/roles.sql")]
        )
      }

      #expect(error?.text.contains(fault) == true, "\(what): \(error?.text ?? "")")
      #expect(error?.text.contains("HINT:") == true)
      // Databases of tests that run at the same time may have roles of their own.
      let made = try await Sample.rows(roles, in: url).filter { !before.contains($0) }
      #expect(!made.contains { role in names.values.contains { $0.hasPrefix(role) } })
    }
  }

  /// Returns whether a role may run a statement, whose work is undone.
  private func may(_ statement: String, _ url: String) async throws -> Bool {
    do {
      _ = try await Sample.psql(url, "--command", "BEGIN; \(statement); ROLLBACK")
      return true
    } catch let error as ProgramError {
      #expect(error.text.contains("permission denied") || error.text.contains("must be owner"))
      return false
    }
  }
}
