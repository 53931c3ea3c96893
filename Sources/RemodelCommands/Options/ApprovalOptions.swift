import ArgumentParser
import RemodelKit

/// The approved plan.
enum ApprovalOptions: OptionSection {
  static let title = "Approval"
  static let options: [CommandOption] = [.plan, .requireDigest, .approvedBy]
}

extension CommandOption {
  static let plan = CommandOption(
    "plan",
    .value("file"),
    "Run exactly the plan that this file has, written by plan --output FILE.json, or refuse.",
    completion: .file(extensions: ["json"])
  )
  static let requireDigest = CommandOption(
    "require-digest",
    .value("sha256"),
    "Run the plan with this digest, or refuse.",
    variable: "REMODEL_REQUIRE_DIGEST"
  )
  fileprivate static let approvedBy = CommandOption(
    "approved-by",
    .value("name"),
    "Who has approved the plan, for the history.",
    variable: "REMODEL_APPROVED_BY"
  )
}

extension OptionValues {
  /// Returns the plan that may run; none if any may.
  func approvedPlan() throws -> ApprovedPlan? {
    let name = setting(.approvedBy)?.text
    let required = try setting(.requireDigest)?.digest()
    guard let path = self[.plan] else {
      guard let required else {
        guard !has(.approvedBy) else {
          throw UsageError(
            .missing("the plan that is approved", hint: "Use --plan or --require-digest.")
          )
        }
        return nil
      }
      return ApprovedPlan(digest: required, approvedBy: name)
    }
    // The file contains these settings of the plan.
    if let option = options.first(where: { $0.isOfPlan && has($0) }) {
      throw UsageError(.conflict("--plan", option.typed))
    }
    let approved = try PlanFile.read(path, approvedBy: name)
    if let variable = try contradiction(to: approved) {
      throw PlanFileError(.otherSetting(path, variable: variable))
    }
    guard required == nil || required == approved.digest else {
      throw PlanFileError(.otherDigest(path, digest: approved.digest, required: required ?? ""))
    }
    return approved
  }

  /// Checks that a call with two databases has no approved plan, which is about one.
  func refuseApprovalForTwoDatabases() throws {
    try refuseForTwoDatabases([.requireDigest])
    guard has(.intoDatabase), try approvedPlan() != nil else { return }
    // The option itself is refused above.
    throw UsageError(
      .conflict(CommandOption.requireDigest.variable ?? "", CommandOption.intoDatabase.typed)
    )
  }

  /// Returns a variable that contradicts the settings of a plan.
  private func contradiction(to plan: ApprovedPlan) throws -> String? {
    guard let settings = plan.record?.settings else { return nil }
    // A limit may have become another one since.
    for option in options where option.isOfPlan && option.name != CommandOption.maxBlock.name {
      guard let set = option.set, let setting = setting(option) else { continue }
      var configuration = RemodelConfiguration()
      configuration.planSettings = settings
      try set(setting, &configuration)
      if configuration.planSettings != settings { return option.variable }
    }
    return nil
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
