import PostgresClient
import SQLSyntax
import TestSupport
import Testing

@testable import RemodelCommands

/// Every form of a connection in libpq, with real servers.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct ConnectionFormTests {
  @Test
  func `URLs, strings, variables, services and password files`() async throws {
    let server = try await RestartingServer(
      isOnNetwork: true,
      rules: "host all all 127.0.0.1/32 scram-sha-256"
    )
    defer { withExtendedLifetime(server) {} }
    try await withBundle(Version.first) { folder in
      let socket = server.url()
      try await ready(socket)
      try await execute("CREATE ROLE network LOGIN SUPERUSER PASSWORD 'p@ss:w/rd #1'", at: socket)
      let port = "\(server.port)"
      try write("127.0.0.1:*:*:network:p@ss\\:w/rd #1\n", to: "\(folder)/passwords")
      try write("127.0.0.1:*:*:network:p@ss\\:w/rd #1\n", to: "\(folder)/home/.pgpass")
      let permissions = "chmod 600 '\(folder)/passwords' '\(folder)/home/.pgpass'"
      #expect(try await Tool.shell(permissions).status == 0)
      try write(
        """
        [shop]
        host=127.0.0.1
        port=\(port)
        dbname=postgres
        user=network
        """,
        to: "\(folder)/services"
      )
      let url = "postgresql://network:p%40ss%3Aw%2Frd%20%231@127.0.0.1:\(port)/postgres"
      let bare = "postgresql://network@127.0.0.1:\(port)/postgres"
      let service = ["PGSERVICE": "shop", "PGSERVICEFILE": "\(folder)/services"]
      let passwords = ["PGPASSFILE": "\(folder)/passwords"]
      let variables = [
        "PGHOST": "127.0.0.1", "PGPORT": port, "PGDATABASE": "postgres", "PGUSER": "network",
      ]
      let forms: [(database: String?, environment: [String: String])] = [
        (url, [:]),
        (
          "host=127.0.0.1 port=\(port) dbname=postgres user=network password='p@ss:w/rd #1'", [:]
        ),
        (nil, ["DATABASE_URL": url]),
        (nil, ["REMODEL_DATABASE_URL": url, "DATABASE_URL": "postgresql://127.0.0.1:1/"]),
        (nil, variables.merging(["PGPASSWORD": "p@ss:w/rd #1"]) { $1 }),
        (nil, variables.merging(passwords) { $1 }),
        (nil, variables.merging(["HOME": "\(folder)/home"]) { $1 }),
        (nil, service.merging(passwords) { $1 }),
        ("service=shop", service.merging(passwords) { $1 }),
        (bare, passwords),
        ("\(bare)?passfile=\(folder)/passwords", [:]),
        (socket, [:]),
        (nil, ["PGHOST": server.directory, "PGPORT": port, "PGUSER": "postgres"]),
      ]
      for (index, form) in forms.enumerated() {
        let verb = index == 0 ? "migrate" : "check"
        let call = [verb, "--models", folder] + (form.database.map { ["--database", $0] } ?? [])
        let outcome = try await Tool.run(call, environment: form.environment)
        #expect(outcome.status == 0, "\(form): \(outcome)")
      }

      let wrong = try await Tool.run(
        "check",
        "--models",
        folder,
        "--wait",
        "60s",
        "--database",
        bare.replacing("network@", with: "network:hunter2@")
      )
      #expect(wrong.status == 6, "\(wrong)")
      #expect(wrong.error.contains("password authentication failed"))
      #expect(!wrong.error.contains("hunter2"))
    }
  }

  @Test(.enabled("the server is built without TLS") { try await TestServer.hasTLS() })
  func `a server has to prove by its certificate who it is`() async throws {
    try await withBundle(Version.first) { folder in
      let made = try await Tool.shell(
        """
        cd '\(folder)' || exit
        for name in ca other; do
          openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj "/CN=$name" \
            -keyout "$name.key" -out "$name.crt" || exit
        done
        openssl req -newkey rsa:2048 -nodes -subj /CN=localhost -keyout server.key -out server.csr &&
          openssl x509 -req -in server.csr -CA ca.crt -CAkey ca.key -days 2 -CAcreateserial \
            -out server.crt && chmod 600 server.key || exit
        [ "$(id -u)" != 0 ] || chown postgres server.key
        """
      )
      #expect(made.status == 0, "\(made)")
      let server = try await RestartingServer(
        isOnNetwork: true,
        settings: "-c ssl=on -c ssl_cert_file='\(folder)/server.crt' "
          + "-c ssl_key_file='\(folder)/server.key'",
        rules: "hostnossl all all all reject"
      )
      defer { withExtendedLifetime(server) {} }
      try await ready(server.url())
      func check(
        _ host: String,
        _ authority: String,
        mode: String = "verify-full"
      ) async throws
        -> Tool.Outcome
      {
        let settings = "sslmode=\(mode)&sslrootcert=\(folder)/\(authority).crt"
        return try await Tool.run(
          "check",
          "--models",
          folder,
          "--database",
          "postgresql://postgres@\(host):\(server.port)/postgres?\(settings)"
        )
      }

      let right = try await check("localhost", "ca")
      let otherName = try await check("127.0.0.1", "ca")
      let otherAuthority = try await check("localhost", "other")
      let none = try await check("localhost", "ca", mode: "disable")
      let system = try await Tool.run(
        "check",
        "--models",
        folder,
        "--database",
        "postgresql://postgres@localhost:\(server.port)/postgres?sslmode=verify-full"
          + "&sslrootcert=system"
      )

      #expect(right.status == 2, "\(right)")
      #expect(otherName.status == 6, "\(otherName)")
      #expect(otherName.error.contains("127.0.0.1"))
      #expect(otherAuthority.status == 6, "\(otherAuthority)")
      #expect(otherAuthority.error.contains("certificate"))
      #expect(none.status == 6, "\(none)")
      // A library that does not know the word takes it for a file, and the hint says what to write
      // instead.
      let isTold =
        system.status == 64 && system.error.contains("sslmode=verify-full")
        && system.error.contains("sslrootcert=/etc/ssl/certs/ca-certificates.crt")
      #expect(isTold || system.error.contains("certificate verify failed"), "\(system)")
    }
  }

  @Test
  func `of several hosts the one that takes writes is migrated, and a standby is refused`()
    async throws
  {
    try await withBundle(Version.first, Version.withAuthor) { folder in
      let primary = try await RestartingServer()
      try await ready(primary.url())
      let standby = try await RestartingServer(standbyOf: primary.directory)
      try await ready(standby.url())
      defer { withExtendedLifetime((primary, standby)) {} }
      func run(
        _ verb: String,
        _ hosts: [String],
        _ attributes: String?
      ) async throws
        -> Tool.Outcome
      {
        let choice = attributes.map { "&target_session_attrs=\($0)" } ?? ""
        return try await Tool.run(
          verb,
          "--models",
          folder,
          "--database",
          "postgresql:///postgres?user=postgres&host=\(hosts.joined(separator: ","))\(choice)"
        )
      }
      let both = [standby.directory, primary.directory]

      let alone = try await run("migrate", [standby.directory], nil)
      #expect(alone.status == 7, "\(alone)")
      #expect(alone.error.contains("the server is a standby"))
      #expect(alone.error.contains("Connect to the primary server."))
      let first = try await run("migrate", both, nil)
      #expect(first.status == 7, "\(first)")
      let none = try await run("migrate", [standby.directory], "primary")
      #expect(none.status == 6, "\(none)")
      #expect(
        try await rows(of: "SELECT to_regclass('remodel.store')", at: primary.url()) == [[nil]]
      )

      for attributes in ["primary", "read-write"] {
        let outcome = try await run("migrate", both, attributes)
        #expect(outcome.status == 0, "\(outcome)")
      }
      // What is there already needs no writes, and a standby that has caught up is as good.
      var check = try await run("check", [standby.directory], "standby")
      for _ in 0..<100 where check.status != 0 {
        try await Task.sleep(for: .milliseconds(100))
        check = try await run("check", [standby.directory], "standby")
      }
      #expect(check.status == 0, "\(check)")
      #expect(try await run("migrate", [standby.directory], nil).status == 0)
    }
  }

  private func ready(_ url: String) async throws {
    _ = try await PostgresSession.connect(to: .url(url), wait: .seconds(600))
  }
}
