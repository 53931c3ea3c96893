internal import Diagnostics

/// The call of the command line that has asked for a plan, as far as the calls that follow have to repeat
/// it: words without passwords.
package struct PlanCall: Hashable, Sendable {
  /// The verb that carries the plan out.
  package var verb = "migrate"
  /// The options that choose the models and the store.
  package var storeOptions: [String] = []
  /// The other options, which a plan file does not have either.
  package var options: [String] = []
  /// The options that decide about the plan, which a plan file has.
  package var planOptions: [String] = []
  /// The plan file that is written; `nil` if none is.
  package var file: String?

  /// Creates a call without options.
  package init() {}

  /// Returns the words of an option with its value, in one word where the value would be taken for an option.
  package static func words(_ option: String, _ value: String) -> [String] {
    value.unicodeScalars.first == "-" ? ["\(option)=\(value)"] : [option, value]
  }

  /// What stands for the name of who approves a plan.
  static let approver = "NAME"

  private var isMigration: Bool { verb == "migrate" }

  /// Returns the call that runs the plan of a digest and no other; that of a revert makes its plan again.
  func run(_ digest: String) -> String {
    text([verb] + storeOptions + options + selection(of: digest))
  }

  /// Returns the same call with the name of who approves the plan; `nil` if it cannot be approved.
  func approve(_ digest: String) -> String? {
    guard isMigration else { return nil }
    return text(
      [verb] + storeOptions + options + selection(of: digest) + ["--approved-by", Self.approver]
    )
  }

  private func selection(of digest: String) -> [String] {
    guard isMigration else { return planOptions }
    return file.map { Self.words("--plan", $0) } ?? planOptions + ["--require-digest", digest]
  }

  /// The call that makes the plan again.
  var planAgain: String {
    text(
      (isMigration ? ["plan"] : [verb, "--dry-run"]) + storeOptions + options + planOptions
        + (file.map { Self.words("--output", $0) } ?? [])
    )
  }

  /// Returns the call that goes back to a version.
  func revert(to version: String) -> String {
    text(["revert"] + storeOptions + Self.words("--to", version))
  }

  /// Returns the call that migrates to a version, without the options of a store.
  static func migrate(to version: String) -> CommandCall {
    CommandCall("migrate", options: words("--to", version))
  }

  private func text(_ words: [String]) -> String {
    (["remodel"] + words).map(\.quotedForShell).joined(separator: " ")
  }
}
