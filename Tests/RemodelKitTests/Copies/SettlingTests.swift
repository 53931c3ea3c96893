import PostgresClient
import RemodelKit
import SQLSyntax
import Synchronization
import TestSupport
import Testing

/// The work after the last transaction of a job: validating foreign keys.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct SettlingTests {
  @Test(arguments: [CopyStrategy.gated, .online])
  func `foreign keys of and to copied tables are validated when the version is recorded`(
    strategy: CopyStrategy
  ) async throws {
    try await LibraryCopy(strategy).withDatabase { sample, url in
      let then = Mutex<[[String?]]>([])
      let remodel = sample.remodel(
        Failpoints { name, _ in
          guard name == "cutover.after_commit" else { return }
          let found = try sample.keys(url)
          then.withLock { $0 = found }
          let other = try PostgresConnection(to: .url(url))
          // The release that needs the version may start, and nothing dangling is added.
          #expect(try other.query("SELECT version_name FROM remodel.store").value == "2")
          try other.execute("INSERT INTO public.loan (reader, book) VALUES ('Cy', 1)")
          #expect(throws: PostgresError.self) {
            try other.execute("INSERT INTO public.loan (reader, book) VALUES ('Di', 99)")
          }
        }
      )

      let report = try await remodel.migrate(.url(url))

      #expect(report.outcome == .migrated)
      let unvalidated = then.withLock(\.self).filter { $0.last == "f" }.map(\.first)
      // What is between copied tables is validated before, unless rows are replaced meanwhile.
      let late = ["book_author_fkey", "loan_book_fkey"]
      #expect(unvalidated == late + (strategy == .online ? ["review_book_fkey"] : []))
      #expect(try sample.keys(url).allSatisfy { $0.last == "t" })
      let job = try #require(try await remodel.jobs(.url(url)).last)
      #expect(job.state == .finished && job.progress.unvalidatedCount == 0)
      let history = try await remodel.history(.url(url))
      #expect(history.map(\.outcome) == ["succeeded", "succeeded"])
    }
  }

  @Test(arguments: [CopyStrategy.gated, .online])
  func `the end of a copy reads no table that stays`(strategy: CopyStrategy) async throws {
    try await LibraryCopy(strategy).withDatabase { sample, url in
      let plan = try await sample.remodel().plan(.url(url)).plan

      let step = try #require(plan.steps.first)
      #expect(step.tablesAtEnd == [])
      #expect(step.settlingStatements.count >= 2)
      for statement in step.settlingStatements {
        #expect(statement.impact.locks.values.allSatisfy { $0 <= .shareUpdateExclusive })
      }
    }
  }

  @Test(arguments: [
    "cutover.after_commit", "validate.begin", "validate.before_commit", "validate.after_commit",
    "settled.before_commit", "settled.after_commit",
  ])
  func `a job that is killed at its end is ended by the next migration`(
    place: String
  ) async throws {
    try await LibraryCopy(.gated).withDatabase { sample, url in
      let remodel = sample.remodel(killedAt: place)
      await #expect(throws: (any Error).self) { try await remodel.migrate(.url(url)) }
      let other = sample.remodel()
      let status = try await other.status(.url(url))
      let check = try await other.check(.url(url))
      let isSettling = place != "settled.after_commit"

      #expect(status.state == .current)
      #expect(status.job?.state == (isSettling ? .settling : nil))
      #expect(check.isCurrent)
      #expect(check.jobID == status.job?.id)
      if isSettling {
        let error = await #expect(throws: ExecutionError.self) {
          try await other.cancelJob(.url(url), named: nil)
        }
        guard case .jobUnfinished(_, .settling) = error?.fact else {
          Issue.record("\(error as Any)")
          return
        }
      }
      #expect(try await other.migrate(.url(url)).outcome == .unchanged)
      #expect(try sample.keys(url).allSatisfy { $0.last == "t" })
      #expect(try await other.jobs(.url(url)).last?.state == .finished)
      #expect(try await other.check(.url(url)).jobID == nil)
    }
  }

  @Test
  func `a validation waits for others' locks, and gives up after a while`() async throws {
    try await LibraryCopy(.gated).withDatabase { sample, url in
      let holder = LockHolder("LOCK TABLE public.loan IN SHARE MODE", url)
      let remodel = sample.remodel(
        Failpoints { name, _ in
          if name == "cutover.after_commit" { holder.take() }
        },
        lockRetryFor: .seconds(3)
      )

      let error = await #expect(throws: ExecutionError.self) {
        try await remodel.migrate(.url(url))
      }

      guard case .lockNotAvailable(_, let blockers) = error?.fact else {
        Issue.record("\(error as Any)")
        return
      }
      #expect(blockers.map(\.table) == ["loan"])
      holder.release()
      let rerun = try await sample.remodel().migrate(.url(url))
      #expect(rerun.outcome == .unchanged)
      #expect(try sample.keys(url).allSatisfy { $0.last == "t" })
    }
  }

  @Test
  func `a deployment at the target does not wait for a validation`() async throws {
    try await LibraryCopy(.gated).withDatabase { sample, url in
      let isValidating = Flag()
      let mayGoOn = Flag()
      let first = sample.remodel(
        Failpoints { name, _ in
          guard name == "validate.begin" else { return }
          isValidating.set()
          mayGoOn.block()
        }
      )
      let owner = Task { try await first.migrate(.url(url)) }
      try await isValidating.wait()

      // The other one continues when this one is done.
      let report = try await sample.remodel().migrate(.url(url))

      #expect(report.outcome == .unchanged)
      #expect(report.warnings.contains { $0.message.contains("another process validates") })
      mayGoOn.set()
      #expect(try await owner.value.outcome == .migrated)
      #expect(try sample.keys(url).allSatisfy { $0.last == "t" })
    }
  }

  @Test
  func `a deploy at the target does not fail because what is left of a job is paused`() async throws
  {
    try await LibraryCopy(.gated).withDatabase { sample, url in
      let killed = sample.remodel(killedAt: "validate.begin")
      await #expect(throws: (any Error).self) { try await killed.migrate(.url(url)) }
      _ = try await sample.remodel().setJobPaused(true, .url(url), named: nil)

      let report = try await sample.remodel().migrate(.url(url))

      #expect(report.outcome == .unchanged)
      #expect(report.warnings.contains { $0.message.contains("is paused") })
      _ = try await sample.remodel().setJobPaused(false, .url(url), named: nil)
      #expect(try await sample.remodel().migrate(.url(url)).warnings.isEmpty)
      #expect(try sample.keys(url).allSatisfy { $0.last == "t" })
    }
  }

  @Test
  func `a store without jobs has none to cancel`() async throws {
    try await LibraryCopy(.gated).withDatabase { sample, url in
      let error = await #expect(throws: ExecutionError.self) {
        try await sample.remodel().cancelJob(.url(url), named: nil)
      }

      #expect(error?.diagnostics.first?.message == "the store has no copy job")
    }
  }

  @Test
  func `a role that cannot see other sessions gets one warning`() async throws {
    try await LibraryCopy(.gated).withDatabase { sample, url in
      try await withRole("settling_migrator", at: url) { role, login in
        let connection = try PostgresConnection(to: .url(url))
        try connection.execute(
          """
          GRANT CREATE ON DATABASE \(SQLIdentifier(connection.databaseName)) TO \(role);
          GRANT CREATE ON SCHEMA public TO \(role);
          ALTER SCHEMA remodel OWNER TO \(role);
          DO $$
          DECLARE relation record;
          BEGIN
            FOR relation IN SELECT oid::regclass AS name FROM pg_class WHERE relkind IN ('r', 'v')
              AND relnamespace IN ('public'::regnamespace, 'remodel'::regnamespace)
            LOOP
              EXECUTE format('ALTER TABLE %s OWNER TO %I', relation.name, \(SQLLiteral.text(role.name)));
            END LOOP;
          END $$
          """
        )

        let report = try await sample.remodel().migrate(.url(login))

        #expect(report.outcome == .migrated)
        let warnings = report.warnings.filter { $0.message.contains("may not see") }
        #expect(warnings.count == 1)
      }
    }
  }

  // MARK: - Rows that dangle

  @Test(arguments: [CopyStrategy.gated, .online])
  func `rows that refer to what is left out are found before anything changes`(
    strategy: CopyStrategy
  ) async throws {
    try await LibraryCopy(strategy, hasMagazines: true).withDatabase {
      sample,
      url in
      let error = await #expect(throws: ExecutionError.self) {
        try await sample.remodel().migrate(.url(url))
      }

      #expect(
        error?.fact
          == .rowsDangle(
            constraint: "loan_book_fkey",
            table: "loan",
            referenced: "book",
            keys: ["2"]
          )
      )
      #expect(try await sample.remodel().status(.url(url)).version?.name == "1")
      let connection = try PostgresConnection(to: .url(url))
      if strategy == .gated {
        // Rows that could refer to the rows left out are left out, too.
        let refusal = #expect(throws: PostgresError.self) {
          try connection.execute("UPDATE public.loan SET book = 2 WHERE _id = 1")
        }
        #expect(refusal?.sqlState == "57M01")
        _ = try await sample.remodel().cancelJob(.url(url), named: nil)
      }
      try connection.execute("DELETE FROM public.loan WHERE _id = 2")
      #expect(try await sample.remodel().migrate(.url(url)).outcome == .migrated)
      #expect(try sample.keys(url).allSatisfy { $0.last == "t" })
    }
  }

  /// What others do between the look at all rows and the end.
  private static let late: [SQLFragment] = [
    "UPDATE public.loan SET book = 2 WHERE _id = 1",
    "UPDATE public.book SET _entity = 'Magazine' WHERE _id = 1",
    "INSERT INTO public.loan (reader, book) VALUES ('Eve', 2)",
  ]

  @Test(
    arguments: RandomCases.one(in: 2, of: late.indices),
    ["verified.after_commit", "cutover.after_compareRecord"]
  )
  func `rows that come to dangle later are found before the end, too`(
    index: Int,
    place: String
  ) async throws {
    try await LibraryCopy(.online, hasMagazines: true).withDatabase { sample, url in
      try PostgresConnection(to: .url(url)).execute("DELETE FROM public.loan WHERE _id = 2")
      let hasWritten = Flag()
      let remodel = sample.remodel(
        Failpoints { name, _ in
          guard name == place, hasWritten.set() else { return }
          try PostgresConnection(to: .url(url)).execute(Self.late[index])
        }
      )

      let error = await #expect(throws: ExecutionError.self) {
        try await remodel.migrate(.url(url))
      }

      guard case .rowsDangle("loan_book_fkey", _, _, _) = error?.fact else {
        Issue.record("\(error as Any)")
        return
      }
      #expect(hasWritten.isSet)
      #expect(try await sample.remodel().status(.url(url)).version?.name == "1")
      try PostgresConnection(to: .url(url)).execute("UPDATE public.loan SET book = NULL")
      #expect(try await sample.remodel().migrate(.url(url)).outcome == .migrated)
      #expect(try sample.keys(url).allSatisfy { $0.last == "t" })
    }
  }

  // MARK: - Metadata

  @Test
  func `metadata that does not know of validations is brought up to date`() async throws {
    try await LibraryCopy(.gated).withDatabase { sample, url in
      let connection = try PostgresConnection(to: .url(url))
      try connection.execute(
        """
        DROP VIEW remodel.job_progress;
        ALTER TABLE remodel.job DROP COLUMN copy_digest, DROP CONSTRAINT job_state_check,
          ADD CONSTRAINT job_state_check CHECK (state <> 'settling');
        DROP TABLE remodel.job_carried, remodel.job_validation, remodel.object_definition,
          remodel.late_work, remodel.made_table, remodel.unexpressed_object CASCADE;
        ALTER TABLE remodel.retained_object DROP COLUMN origin;
        ALTER TABLE remodel.history_event DROP COLUMN application CASCADE, DROP COLUMN kind,
          DROP COLUMN approved_digest, DROP COLUMN approved_by;
        UPDATE remodel.metadata SET layout_version = 3
        """
      )
      #expect(try await sample.remodel().check(.url(url)).isCurrent == false)

      let report = try await sample.remodel().migrate(.url(url))

      #expect(report.outcome == .migrated)
      let layout = try connection.query("SELECT layout_version FROM remodel.metadata").value
      #expect(layout == "13")
      #expect(try sample.keys(url).allSatisfy { $0.last == "t" })
    }
  }
}
