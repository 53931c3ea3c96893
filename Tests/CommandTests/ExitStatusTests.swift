import PostgresClient
import RemodelKit
import Testing

@testable import RemodelCommands

typealias Status = RemodelCommands.ExitStatus

@Suite
struct ExitStatusTests {
  @Test(arguments: [
    (PostgresError.Kind.connection, Status.unreachable), (.authentication, .unreachable),
    (.malformedURL, .usage), (.server, .failure), (.connectionLost, .failure),
  ])
  func `errors of the server have their codes`(kind: PostgresError.Kind, status: Status) {
    #expect(Status(PostgresError(kind, "message")) == status)
  }

  @Test
  func `other errors have their codes`() {
    #expect(Status(ModelLoadingError(.noBundle, [])) == .usage)
    #expect(Status(ModelLoadingError(.invalid, [])) == .invalidFile)
    #expect(Status(ScratchError.noServerInstalled) == .unreachable)
    #expect(Status(UsageError(.noDatabase)) == .usage)
    #expect(Status(CancellationError()) == .failure)
    #expect(Status(signal: 2) == .interrupted)
    #expect(Status(signal: 15) == .terminated)
  }

  @Test
  func `an error without a place has nulls for it`() {
    let report = ErrorReport(UsageError(.noDatabase), status: .usage)

    let keys = report.document.values
    #expect(
      Set(keys.keys) == [
        "formatVersion", "code", "message", "detail", "hint", "context", "sqlstate", "path", "line",
        "column", "complaints",
      ]
    )
    #expect(keys["code"] == 64)
    #expect(keys["path"] == .null)
  }
}
