import Diagnostics
import RemodelKit
import TestSupport
import Testing

@Suite
struct ScratchErrorTests {
  @Test
  func `errors say what to do`() {
    let errors: [ScratchError] = [
      .noServerInstalled,
      .noServerAt("/opt/postgresql/bin"),
      .serverFailed(reason: "initdb failed", log: "initdb: error: no space left on device"),
    ]

    let text = errors.flatMap(\.diagnostics).map { "\($0)\n" }.joined(separator: "\n")

    expectGolden(text, named: "scratch-errors.txt")
  }
}
