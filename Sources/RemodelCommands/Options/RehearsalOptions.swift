import RemodelKit

/// Whether a plan is carried out for trial, and where.
enum RehearsalOptions: OptionSection {
  static let title = "Rehearsal"
  static let options: [CommandOption] = [.rehearse, .rehearseRows, .live]
}

extension CommandOption {
  static let rehearse = CommandOption(
    "rehearse",
    .flag,
    "Carry the plan out on a throwaway server with the database's schema, and measure it."
  )
  fileprivate static let rehearseRows = CommandOption(
    "rehearse-rows",
    .value("number"),
    "Copy this many rows of each table, and the rows that they refer to.",
    default: "0"
  )
  fileprivate static let live = CommandOption(
    "live",
    .flag,
    "Rehearse in the database itself, in a transaction that is undone within --max-block."
  )
}

extension OptionValues {
  /// Returns how and where the plan is rehearsed; none if it is not.
  func rehearsal() throws(UsageError) -> Rehearsal? {
    guard has(.rehearse) else {
      guard let option = [CommandOption.live, .rehearseRows].first(where: has) else { return nil }
      throw UsageError(.missing("--rehearse", hint: "\(option.typed) is about a rehearsal."))
    }
    if has(.live) {
      guard !has(.rehearseRows) else { throw UsageError(.conflict("--live", "--rehearse-rows")) }
      guard has(.maxBlock) else {
        throw UsageError(
          .missing("--max-block", hint: "Say for how long the rehearsal may hold locks.")
        )
      }
      return .live
    }
    guard let setting = setting(.rehearseRows) else { return .apart(rows: 0) }
    guard let rows = Int(setting.text), rows >= 0 else {
      throw setting.unusable("a number of rows")
    }
    return .apart(rows: rows)
  }
}
