import ArgumentParser
import RemodelKit

/// The verb `remodel model merge`.
enum ModelMergeVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Merge two versions of one base into a new version.",
    discussion: """
      What one version changed is taken, and what both changed alike is taken once. If the versions \
      contradict each other, every conflict is listed with its places, nothing is written, and the \
      exit code is 65. A database at either version, or at their base, can be migrated to the new one.
      """
  )
  static let options = [
    first, second, newName, base, .dryRun("Show the new version, without writing it."),
  ]
  static let sections = ModelListVerb.sections

  private static let first = CommandOption("first", .requiredOperand, "A version.")
  private static let second = CommandOption("second", .requiredOperand, "Another version.")
  private static let newName = CommandOption(
    "as",
    .value("name"),
    "The name of the new version.",
    default: "the next one"
  )
  private static let base = CommandOption(
    "base",
    .value("version"),
    "The version that both were made from.",
    default: "the one that the files name"
  )

  static func result(_ call: Call) throws -> VerbResult {
    let options = call.options
    let merged = try call.remodel.merge(
      options[first] ?? "",
      options[second] ?? "",
      over: options[base],
      as: options[newName]
    )
    let isDryRun = options.has(.dryRun)
    if !isDryRun { try merged.write() }
    return VerbResult(MergeReport(merged: merged, isDryRun: isDryRun))
  }
}

/// The result of `model merge`.
struct MergeReport: Report {
  let merged: MergedVersion
  let isDryRun: Bool

  var warnings: [Diagnostic] { merged.warnings }

  var json: JSONObject {
    [
      "version": merged.name,
      "checksum": merged.checksum,
      "base": merged.base.name,
      "merged": [merged.first.name, merged.second.name],
      "written": !isDryRun,
      "files": merged.files.map(\.path),
    ]
  }

  var blocks: [Block] {
    if isDryRun {
      Block.text(merged.files.first?.text ?? "")
    } else {
      "\(versionName(merged.name)) has the changes of \"\(merged.first.name)\" and "
        + "\"\(merged.second.name)\" to \"\(merged.base.name)\""
      for file in merged.files { "  \(file.path)" }
    }
  }
}
