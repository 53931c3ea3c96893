import SQLSyntax
import TestSupport
import Testing

@testable import RemodelCommands

/// Roles that can write to the metadata, and the reports about them.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct MetadataRightsTests {
  @Test
  func `nobody else gets more than a look at the metadata, whatever the defaults are`() async throws
  {
    try await withNeighbour { folder, url, neighbour in
      let options = ["--models", folder, "--database", url]
      try await execute(
        """
        ALTER DEFAULT PRIVILEGES GRANT ALL ON TABLES TO \(neighbour), PUBLIC;
        ALTER DEFAULT PRIVILEGES GRANT ALL ON SCHEMAS TO \(neighbour)
        """,
        at: url
      )
      #expect(try await Tool.run(["migrate", "--to", "1"] + options).status == 0)
      let rights: SQLFragment = """
        SELECT DISTINCT a.privilege_type FROM pg_class c, aclexplode(c.relacl) a \
        WHERE c.relnamespace = 'remodel'::regnamespace AND a.grantee <> c.relowner
        """
      #expect(try await rows(of: rights, at: url) == [["SELECT"]])
      let bounds: SQLFragment = """
        SELECT has_column_privilege(rolname, 'remodel.job_chunk', 'lower_bound', 'SELECT'), \
        has_schema_privilege(rolname, 'remodel', 'CREATE') \
        FROM pg_roles WHERE rolname = \(SQLLiteral.text(neighbour.name))
        """
      #expect(try await rows(of: bounds, at: url) == [["f", "f"]])

      try await execute(
        """
        GRANT CREATE ON SCHEMA remodel TO PUBLIC;
        GRANT UPDATE (restoration) ON remodel.retained_object TO \(neighbour);
        GRANT INSERT, TRIGGER ON remodel.job_carried TO \(neighbour) WITH GRANT OPTION
        """,
        at: url
      )
      for words in [
        ["check"], ["status"], ["plan", "--trust-owner", "public"], ["migrate"],
        ["cleanup", "--older-than", "0s"],
      ] {
        let refused = try await Tool.run(words + options)
        #expect(refused.status == 4, "\(words): \(refused)")
      }
      let refused = try await Tool.run(["migrate"] + options)
      for line in [
        "All roles have CREATE on schema \"remodel\".",
        "Role \"\(neighbour.name)\" has INSERT, TRIGGER on relation \"job_carried\"",
      ] {
        #expect(refused.error.contains(line), "\(refused)")
      }
      let revocations = refused.error.split(separator: "\n").map { $0.drop { $0 == " " } }
        .filter { $0.hasPrefix("REVOKE ") }
      #expect(revocations.count == 3, "\(refused)")
      for revocation in revocations {
        try await execute(SQLFragment(deparsed: String(revocation.dropLast())), at: url)
      }
      #expect(try await Tool.run(["migrate"] + options).status == 0)
      try await execute(
        """
        ALTER DEFAULT PRIVILEGES REVOKE ALL ON TABLES FROM \(neighbour), PUBLIC;
        ALTER DEFAULT PRIVILEGES REVOKE ALL ON SCHEMAS FROM \(neighbour)
        """,
        at: url
      )
    }
  }

  @Test
  func `rights to what is not read, granted by whomever, are taken back by the hint`() async throws
  {
    try await withNeighbour { folder, url, neighbour in
      try await withRole("between", at: url) { between, _ in
        let options = ["--models", folder, "--database", url, "--trust-owner", between.name]
        #expect(try await Tool.run(["migrate"] + options).status == 0)
        for grant in [
          "INSERT ON remodel.history_event", "UPDATE (restoration) ON remodel.retained_object",
          "CREATE ON SCHEMA remodel",
        ] as [SQLFragment] {
          try await execute(
            "GRANT \(grant) TO \(between) WITH GRANT OPTION",
            "SET ROLE \(between); GRANT \(grant) TO \(neighbour); RESET ROLE",
            "GRANT \(grant) TO \(neighbour)",
            at: url
          )
          for words in [["check"], ["job", "list"], ["status"]] {
            let refused = try await Tool.run(words + options)
            #expect(refused.status == 4, "\(words): \(refused)")
          }

          let refused = try await Tool.run(["check"] + options)

          #expect(refused.error.contains("granted by \"\(between)\""), "\(refused)")
          let lines = refused.error.split(separator: "\n").filter { $0.contains("REVOKE ") }
          #expect(lines.count == 2, "\(refused)")
          try await execute(SQLFragment(deparsed: lines.joined(separator: "\n")), at: url)
          for words in [["check"], ["job", "list"]] {
            let outcome = try await Tool.run(words + options)
            #expect(outcome.status == 0, "\(words): \(outcome)")
          }
        }
      }
    }
  }
}
