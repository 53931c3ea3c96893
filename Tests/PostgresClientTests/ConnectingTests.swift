import Diagnostics
import PostgresClient
import SQLSyntax
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite(.timeLimit(.minutes(30)))
struct ConnectingTests {
  @Test(arguments: [
    "", "mysql://host/database", "host", "postgresql://user:hunter2@host/db?sslmod=require",
    "postgresql://user:hun@ter2@host/db", "postgresql://user:hun/ter2@host/db",
    "postgresql://user:hunter2%zz@host/db", "postgresql://user:hunter2/x?y=@host",
    "postgresql://host:hunter2/db", "host=h password=hunter2 hunter2", "password='hunter2",
    "postgresql://user:hunter2@host/db?schema=public", "host=h hunter2=1",
  ])
  func `a malformed URL is refused without being quoted`(url: String) {
    let error = #expect(throws: PostgresError.self) {
      _ = try PostgresConnection(to: .url(url)).serverVersion
    }

    #expect(error?.kind == .malformedURL)
    #expect(error?.message == "connection URL is not valid")
    #expect(error?.description.contains("hun") == false, "\(error?.description ?? "")")
    #expect(error?.description.contains("ter2") == false)
  }

  @Test
  func `a misspelt parameter gets a suggestion`() {
    let error = #expect(throws: PostgresError.self) {
      try ConnectionSource.url("postgresql://host/db?sslmod=require").validate()
    }

    #expect(error?.detail == "Its parameter \"sslmod\" is not one of libpq's.")
    #expect(error?.hint == "Did you mean \"sslmode\"?")
  }

  @Test
  func `a parameter of another tool is named`() {
    let error = #expect(throws: PostgresError.self) {
      try ConnectionSource.url("postgresql://user:hunter2@host/db?schema=public").validate()
    }

    #expect(error?.detail == "Its parameter \"schema\" is not one of libpq's.")
  }

  @Test(arguments: [
    "postgresql://", "postgres://user:p%40ss@host:5432/db?sslmode=require",
    "postgresql:///db?host=/tmp&user=a@b", "postgresql://a,b:5433/db", "host=h dbname=d password=x",
    "postgresql://[::1]:5432/db",
  ])
  func `a well-formed URL is accepted`(url: String) {
    #expect(throws: Never.self) { try ConnectionSource.url(url).validate() }
  }

  @Test
  func `a source does not show its URL`() {
    let source = ConnectionSource.url("postgresql://user:hunter2@host/db")

    #expect("\(source)" == "connection URL")
    #expect(String(reflecting: source) == "connection URL")
  }

  @Test
  func `a server that is not there is a connection error`() {
    let error = #expect(throws: PostgresError.self) {
      _ = try PostgresConnection(to: .url("host=/nonexistent user=u password=hunter2")).isBroken
    }

    #expect(error?.kind == .connection)
    #expect(error?.isServerNotReady == true)
    #expect(error?.message.hasPrefix("connection to server on socket \"/nonexistent/") == true)
    #expect(error?.description.contains("hunter2") == false)
  }

  @Test
  func `a wait is over when its time is`() {
    let start = ContinuousClock.now

    let error = #expect(throws: PostgresError.self) {
      _ = try PostgresConnection(to: .url("host=/nonexistent"), wait: .milliseconds(300)).isBroken
    }

    #expect(error?.kind == .connection)
    #expect(ContinuousClock.now - start >= .milliseconds(300))
  }

  @Test(.tags(.server), .enabled(if: TestServer.isAvailable))
  func `a wait ends when the server is there`() async throws {
    try await TestServer.withDatabase { url in
      let connection = try PostgresConnection(to: .url(url))
      let socket = try connection.query("SHOW unix_socket_directories").value ?? ""
      let link = FileManager.default.temporaryDirectory.appending(path: "late-\(UUID())").path
      let late = url.replacing("host=\(socket)", with: "host=\(link)")
      defer { try? FileManager.default.removeItem(atPath: link) }

      let session = Task {
        try await PostgresSession.connect(to: .url(late), wait: .seconds(600))
      }
      try await Task.sleep(for: .milliseconds(200))
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: socket)

      #expect(try await session.value.run { try $0.query("SELECT 1").value } == "1")
    }
  }

  @Test
  func `a cancelled task does not wait on`() async throws {
    let session = Task {
      try await PostgresSession.connect(to: .url("host=/nonexistent"), wait: .seconds(7_200))
    }

    session.cancel()

    let error = await #expect(throws: PostgresError.self) { try await session.value }
    #expect(error?.kind == .connection)
  }

  @Test
  func `a value that libpq refuses is a malformed URL`() {
    let error = #expect(throws: PostgresError.self) {
      _ = try PostgresConnection(to: .url("postgresql:///db?sslmode=sometimes")).isBroken
    }

    #expect(error?.kind == .malformedURL)
    #expect(error?.message == "invalid sslmode value: \"sometimes\"")
  }

  @Test(.tags(.server), .enabled(if: TestServer.isAvailable))
  func `a role that may not connect gets the missing right`() async throws {
    try await withRole("kept_out") { role, url, login in
      let connection = try PostgresConnection(to: .url(url))
      let database = SQLIdentifier(connection.databaseName)
      try connection.execute("REVOKE CONNECT ON DATABASE \(database) FROM PUBLIC")

      let error = #expect(throws: PostgresError.self) {
        _ = try PostgresConnection(to: .url(login)).isBroken
      }

      #expect(error?.kind == .authentication)
      #expect(error?.detail == "User does not have CONNECT privilege.")
      let grant = "GRANT CONNECT ON DATABASE \(database.quoted) TO \(role.quoted);"
      #expect(error?.hint == grant)
    }
  }

  @Test(.tags(.server), .enabled(if: TestServer.isAvailable))
  func `a refused login is not tried again`() async throws {
    try await TestServer.withDatabase { url in
      let error = #expect(throws: PostgresError.self) {
        _ = try PostgresConnection(to: .url("\(url)_missing"), wait: .seconds(7_200)).isBroken
      }

      #expect(error?.kind == .authentication)
      #expect(error?.sqlState == "28000")
      #expect(error?.message.hasSuffix("FATAL:  role \"postgres_missing\" does not exist") == true)
      #expect(error?.detail == nil)
    }
  }

  @Test(.tags(.server), .enabled(if: TestServer.isAvailable))
  func `a wrong password is refused and not shown`() async throws {
    try await TestServer.withDatabase { url in
      let connection = try PostgresConnection(to: .url(url))
      let role = SQLIdentifier("locked_\(connection.databaseName)")
      try connection.execute("CREATE ROLE \(role) LOGIN PASSWORD 'right'")
      let file = SQLLiteral.text(try connection.query("SHOW hba_file").value ?? "")
      let rule = SQLLiteral.text("local all \(role) scram-sha-256")
      try connection.execute("COPY (VALUES (\(rule)), ('local all all trust')) TO \(file)")
      try connection.execute("SELECT pg_reload_conf()")
      let login = url.split(separator: "&user=")[0] + "&user=\(role)"

      let error = try failure("\(login)&password=hunter2")
      let second = try failure("\(login)&password=")

      #expect(error.kind == .authentication)
      #expect(error.sqlState == .invalidPassword)
      #expect(error.message.hasSuffix("password authentication failed for user \"\(role)\""))
      #expect(!error.description.contains("hunter2"))
      #expect(second.kind == .authentication)
      #expect(throws: Never.self) {
        _ = try PostgresConnection(to: .url("\(login)&password=right")).isBroken
      }
      try connection.execute("DROP ROLE \(role)")
    }
  }

  @Test(.tags(.server), .enabled(if: TestServer.isAvailable))
  func `what the server says at the start is not printed`() async throws {
    try await TestServer.withDatabase { url in
      let notices = NoticeList()
      let connection = try PostgresConnection(to: .url(url))
      try connection.execute(
        "UPDATE pg_database SET datcollversion = '1' WHERE datname = current_database()"
      )

      _ = try PostgresConnection(to: .url(url)) { notices.list.append($0) }.isBroken

      #expect(notices.list.map(\.severity) == [.warning])
    }
  }

  @Test(.tags(.server), .enabled(if: TestServer.isAvailable))
  func `the application's name is ours whatever the URL says`() async throws {
    try await TestServer.withDatabase { url in
      let connection = try PostgresConnection(to: .url("\(url)&application_name=other"))

      #expect(connection.applicationName == "other")
      try connection.prepareSession()
      #expect(try connection.query("SHOW application_name").value == "remodel")
    }
  }

  /// Connects until the server has read its rules anew and refuses.
  private func failure(_ url: String) throws -> PostgresError {
    let deadline = ContinuousClock.now + .seconds(300)
    while ContinuousClock.now < deadline {
      do {
        _ = try PostgresConnection(to: .url(url)).isBroken
      } catch {
        return error
      }
    }
    return try #require(nil as PostgresError?, "the server accepts the login")
  }
}

private final class NoticeList {
  var list: [Diagnostic] = []
}
