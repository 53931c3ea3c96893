import MigrationPlanning
import PostgresClient
import SQLSyntax
import TestSupport
import Testing

@testable import MigrationExecution

/// Changes of rows that have been compared already.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct CopyLateChangeTests {
  /// Moments after the comparison, from the first one to the last before the locks.
  private static let places = [
    "compared.after_commit", "verified.after_commit", "cutover.begin",
  ]

  @Test(arguments: places, [false, true])
  func `what is copied again after the comparison is compared again`(
    place: String,
    isFalsified: Bool
  ) async throws {
    let sample = try CopyJobSample(.online)
    try await TestServer.withDatabase { url in
      try sample.prepare(url, rows: 200)
      let hasWritten = Flag()
      let failpoints = Failpoints { name, _ in
        guard name == place, hasWritten.set() else { return }
        let other = try PostgresConnection(to: .url(url))
        if isFalsified { try other.execute(Self.falsification) }
        try other.execute("UPDATE public.book SET pages = 5 WHERE _id = 33")
      }

      if isFalsified {
        let error = #expect(throws: ExecutionError.self) {
          try sample.run(url, CopyJobSample.settings(failpoints))
        }
        #expect(error?.fact == .copyDiffers(table: "book", units: ["33"]))
        #expect(try sample.job(url)?.state.isEnded == false)
      } else {
        #expect(try sample.run(url, CopyJobSample.settings(failpoints)) == .committed)
        let connection = try PostgresConnection(to: .url(url))
        let pages = try connection.query("SELECT pages FROM public.book WHERE _id = 33").value
        #expect(pages == "5")
      }
      #expect(hasWritten.isSet)
    }
  }

  /// Has rows that are written from now on be other than they are to be.
  private static let falsification: SQLFragment = """
    CREATE FUNCTION staging.falsify() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN NEW.pages := NEW.pages + 1; RETURN NEW; END';
    CREATE TRIGGER falsify BEFORE INSERT OR UPDATE ON staging.book
      FOR EACH ROW EXECUTE FUNCTION staging.falsify()
    """
}
