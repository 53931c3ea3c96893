internal import Diagnostics

/// Two versions that were made from one base, each without the changes of the other.
public struct VersionBranches: Hashable, Sendable {
  /// The version that both were made from; `nil` if it is in no file.
  public let base: String?
  /// The version that stands first.
  public let first: Branch
  /// The other version.
  public let second: Branch
  /// A Boolean value that indicates whether the files say so, and not just their contents.
  let isCertain: Bool

  /// One of the versions.
  public struct Branch: Hashable, Sendable {
    /// The name.
    public let name: String
    /// The file.
    public let path: String
    /// What it changes of the base, in words.
    public let changes: [String]

    /// The most changes that are listed.
    private static let limit = 20

    var lines: String {
      let shown = changes.prefix(Self.limit).map { "  \($0)" }
      let rest = changes.count - shown.count
      let all = shown + (rest > 0 ? ["  and \(rest) more"] : [])
      return (["\"\(name)\" changes:"] + all).joined(separator: "\n")
    }
  }

  /// The fault, or the warning if it is not certain.
  var diagnostic: Diagnostic {
    let origin = base.map { "version \"\($0)\"" } ?? "one version"
    let verb = isCertain ? "were both made" : "seem to be both made"
    let branches = [first, second].filter { !$0.changes.isEmpty }
    return Diagnostic(
      isCertain ? .error : .warning,
      "versions \"\(first.name)\" and \"\(second.name)\" \(verb) from \(origin), and neither has "
        + "the changes of the other",
      detail: branches.isEmpty ? nil : branches.map(\.lines).joined(separator: "\n"),
      advice:
        "To have the changes of both, run \(CommandCall("model merge", first.name, second.name)).",
      location: SourceLocation(path: second.path)
    )
  }
}
