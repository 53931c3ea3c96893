import ArgumentParser
import RemodelKit

/// Which plan may run, where somebody has to look at it before.
struct ApprovalOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "Run exactly the plan that this file has, written by plan --output FILE.json, or refuse.",
      valueName: "file"
    ),
    completion: .file(extensions: ["json"])
  )
  var plan: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Run the plan with this digest, or refuse. (REMODEL_REQUIRE_DIGEST)",
      valueName: "sha256"
    )
  )
  var requireDigest: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Who has approved the plan, for the history. (REMODEL_APPROVED_BY)",
      valueName: "name"
    )
  )
  var approvedBy: String?

  /// Returns the plan that may run; none if any may.
  func approvedPlan(
    _ environment: CommandEnvironment,
    planning: PlanningOptions,
    copying: CopyOptions
  ) throws -> ApprovedPlan? {
    let name = environment.setting(approvedBy, "--approved-by", "REMODEL_APPROVED_BY")?.text
    let required = try environment.setting(
      requireDigest,
      "--require-digest",
      "REMODEL_REQUIRE_DIGEST"
    )?.digest()
    guard let path = plan else {
      guard let required else {
        guard approvedBy == nil else {
          throw UsageError(
            .missing("the plan that is approved", hint: "Use --plan or --require-digest.")
          )
        }
        return nil
      }
      return ApprovedPlan(digest: required, approvedBy: name)
    }
    // The file says where the plan leads, and how.
    if let option = planning.decisions.first ?? copying.decisions.first {
      throw UsageError(.conflict("--plan", option))
    }
    let approved = try PlanFile.read(path, approvedBy: name)
    if let variable = environment.contradiction(to: approved) {
      throw PlanFileError(.otherSetting(path, variable: variable))
    }
    guard required == nil || required == approved.digest else {
      throw PlanFileError(.otherDigest(path, digest: approved.digest, required: required ?? ""))
    }
    return approved
  }
}

extension Setting {
  /// The value as a digest of a plan, with or without the name of the algorithm.
  fileprivate func digest() throws(UsageError) -> String {
    let prefix = "sha256:"
    let digits = text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : text
    let isDigest = digits.utf8.count == 64 && digits.allSatisfy { $0.isASCII && $0.isHexDigit }
    guard isDigest else {
      throw unusable(
        "the digest of a plan",
        hint: "It is \"sha256:\" and 64 hexadecimal digits, as the first lines of a plan have it."
      )
    }
    return prefix + digits.lowercased()
  }
}

extension CommandEnvironment {
  /// The variable that says something else than a plan was made by.
  fileprivate func contradiction(to plan: ApprovedPlan) -> String? {
    guard let settings = plan.record?.settings else { return nil }
    let words = [
      ("REMODEL_REMOVALS", settings.removals.rawValue),
      ("REMODEL_STRATEGY", settings.strategy?.rawValue ?? CopyOptions.automatic),
    ]
    return words.first { name, word in self[name].map { $0 != word } ?? false }?.0
  }
}

extension PlanningOptions {
  /// The options given in the call that decide what a plan does.
  fileprivate var decisions: [String] {
    [
      (to != nil, "--to"), (direct, "--direct"), (intoSchema != nil, "--into-schema"),
      (removals != nil, "--removals"),
    ].filter(\.0).map(\.1)
  }
}

extension CopyOptions {
  /// The options given in the call that decide what a plan does.
  fileprivate var decisions: [String] {
    [(strategy != nil, "--strategy"), (maxBlock != nil, "--max-block")].filter(\.0).map(\.1)
  }
}
