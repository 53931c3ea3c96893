/// How a plan was asked for on the command line, as far as the calls that follow have to repeat it: words
/// without passwords and URLs.
package struct PlanCall: Hashable, Sendable {
  /// The verb that carries the plan out.
  package var verb = "migrate"
  /// The options that choose the models and the store; they are not part of a plan file.
  package var options: [String] = []
  /// The options that decide about the plan, which a plan file has.
  package var planOptions: [String] = []
  /// The plan file that is written; `nil` if none is.
  package var file: String?

  /// Creates a call without options.
  package init() {}

  /// What stands for the name of who approves a plan.
  static let approver = "NAME"

  /// Returns the call that runs the plan of a digest and no other.
  func run(_ digest: String, approvedBy name: String? = nil) -> String {
    let plan = file.map { ["--plan", $0] } ?? planOptions + ["--require-digest", digest]
    return Self.text([verb] + options + plan + (name.map { ["--approved-by", $0] } ?? []))
  }

  /// The call that makes the plan again.
  var planAgain: String {
    Self.text(["plan"] + options + planOptions + (file.map { ["--output", $0] } ?? []))
  }

  /// Returns the call that goes back to a version.
  func revert(to version: String?) -> String? {
    version.map { Self.text(["revert"] + options + ["--to", $0]) }
  }

  private static func text(_ words: [String]) -> String {
    (["remodel"] + words).map(\.quotedForShell).joined(separator: " ")
  }
}
