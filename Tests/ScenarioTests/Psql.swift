import Subprocess

/// Runs scripts as an administrator would.
enum Psql {
  struct Outcome {
    let isSuccess: Bool
    let errors: String
  }

  static func run(_ script: String, _ url: String) async throws -> Outcome {
    let result = try await Subprocess.run(
      .name("psql"),
      arguments: ["-X", "-q", "-v", "ON_ERROR_STOP=1", "-f", "-", "-d", url],
      input: .string(script),
      output: .discarded,
      error: .string(limit: 1 << 20)
    )
    return Outcome(
      isSuccess: result.terminationStatus.isSuccess,
      errors: result.standardError
    )
  }
}
