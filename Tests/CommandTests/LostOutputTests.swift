import TestSupport
import Testing

#if os(Linux)
/// Results that standard output has no room for.
@Suite
struct LostOutputTests {
  @Test(arguments: [
    ["model", "list"], ["model", "list", "--format", "json"], ["model", "hash"],
    ["manual"], ["--help"], ["check", "--help"], ["--version"],
  ])
  func `a result that cannot be written is an error`(arguments: [String]) async throws {
    try await withBundle(Version.first) { folder in
      let models = arguments[0] == "model" ? ["--models", folder] : []

      let outcome = try await Tool.run(arguments + models, outputTo: "/dev/full")

      #expect(outcome.status == 1, "\(outcome)")
      #expect(
        outcome.error.contains("could not write to standard output: No space left on device"),
        "\(outcome)"
      )
    }
  }
}
#endif
