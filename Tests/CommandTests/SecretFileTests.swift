import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Variables whose values are in files.
@Suite(.timeLimit(.minutes(30)))
struct SecretFileTests {
  private func write(_ text: String, _ name: String, in folder: String) throws -> String {
    let path = "\(folder)/\(name)"
    try Data(text.utf8).write(to: URL(filePath: path))
    return path
  }

  @Test(.tags(.server), .enabled(if: TestServer.isAvailable))
  func `a file names the database, and files hold libpq's variables`() async throws {
    try await withBundle(Version.first) { folder in
      try await TestServer.withDatabase { url in
        let parts = try #require(url.wholeMatch(of: #/postgresql:///(.+)\?host=(.+?)&.*/#))
        let whole = ["DATABASE_URL_FILE": try write("\u{FEFF}\(url)\r\n", "url", in: folder)]
        let pieces = [
          "PGDATABASE_FILE": try write(String(parts.1), "name", in: folder),
          "PGHOST_FILE": try write(String(parts.2), "host", in: folder),
          "PGPORT_FILE": try write("5432\n", "port", in: folder),
          "PGUSER_FILE": try write("postgres\n\n", "user", in: folder),
          "PGPASSWORD_FILE": try write("unasked", "password", in: folder),
        ]

        let created = try await Tool.run("migrate", "--models", folder, environment: whole)
        let current = try await Tool.run("check", "--models", folder, environment: pieces)

        #expect(created.status == 0, "\(created.error)")
        #expect(current.status == 0, "\(current.error)")
      }
    }
  }

  @Test(arguments: ["absent", "empty", "blank", "folder", "both", "binary", "latin"])
  func `a file that does not hold a secret is a faulty call`(fault: String) async throws {
    try await withBundle(Version.first) { folder in
      var variables = ["DATABASE_URL_FILE": folder]
      switch fault {
      case "absent": variables["DATABASE_URL_FILE"] = "/nowhere/url"
      case "empty": variables["DATABASE_URL_FILE"] = try write("", "url", in: folder)
      case "blank": variables["DATABASE_URL_FILE"] = try write("\n\n", "url", in: folder)
      case "binary": variables["DATABASE_URL_FILE"] = try write("a\0b", "url", in: folder)
      case "latin":
        let path = "\(folder)/url"
        try Data([0x70, 0xE4, 0x0A]).write(to: URL(filePath: path))
        variables["DATABASE_URL_FILE"] = path
      case "both":
        variables["DATABASE_URL"] = "postgresql://pw:Sekret_77x@127.0.0.1:1/x"
        variables["DATABASE_URL_FILE"] = try write("postgresql:///y", "url", in: folder)
      default: break
      }

      let outcome = try await Tool.run("check", "--models", folder, environment: variables)

      #expect(outcome.status == 64)
      #expect(outcome.error.contains("DATABASE_URL_FILE"))
      #expect(!outcome.error.contains("Sekret_77x"))
      let isText = fault != "binary" && fault != "latin"
      #expect(outcome.error.contains("holds no text") == !isText)
    }
  }

  @Test(.tags(.server), .enabled(if: TestServer.isAvailable))
  func `a secret can be read from a pipe`() async throws {
    try await withBundle(Version.first) { folder in
      try await TestServer.withDatabase { url in
        let variables = ["URL": url, "REMODEL_MODELS": folder, "PIPE": "\(folder)/pipe"]
        let outcome = try await Tool.shell(
          """
          mkfifo "$PIPE"
          (sleep 0.3; printf '%s\\n' "$URL" >"$PIPE") &
          DATABASE_URL_FILE="$PIPE" "$TOOL" migrate
          exec 9<<END
          $URL
          END
          DATABASE_URL_FILE=/dev/fd/9 "$TOOL" check
          """,
          variables
        )
        #expect(outcome.status == 0, "\(outcome)")
      }
    }
  }
}
