import RemodelKit

/// A run of a workflow of GitHub: annotations on standard output, and a summary in Markdown.
struct WorkflowRun: Sendable {
  /// The file that the runner shows as the summary of the step; `nil` outside of a run.
  let summaryPath: String?

  /// Creates the run of an environment.
  init(_ environment: CommandEnvironment) {
    summaryPath = environment["GITHUB_STEP_SUMMARY"]
  }

  /// Writes a report: its annotations for the runner, and its Markdown for people.
  ///
  /// - Parameters:
  ///   - report: The report.
  ///   - path: The file of `--output`, for the Markdown.
  /// - Throws: That one of them cannot be written.
  func write(_ report: any Report, to path: String?) throws {
    try TextFile.writeResult(OutputFormat.github.text(of: report, .plain), for: .runner)
    let markdown = try OutputFormat.markdown.text(of: report, .plain)
    if let path { try TextFile.writeResult(markdown, to: path) }
    if let summaryPath { try TextFile.append(Self.summary(of: markdown), to: summaryPath) }
  }

  /// Returns a plan that is short enough for a summary, which the runner shows whole or not at all.
  static func summary(of markdown: String, limit: Int = 1_000_000) -> String {
    guard markdown.utf8.count > limit,
      // The statements are folded, after all that the plan says of itself.
      let statements = markdown.firstRange(of: "\n\n<details>")
    else { return markdown + "\n" }
    return markdown[..<statements.lowerBound]
      + "\n\nThe statements are left out: they are more than a summary can hold.\n\n"
  }
}
