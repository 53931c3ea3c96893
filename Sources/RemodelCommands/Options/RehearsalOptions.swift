import ArgumentParser
import RemodelKit

/// Whether a plan is carried out for trial, and where.
struct RehearsalOptions: ParsableArguments {
  @Flag(
    name: .long,
    help: "Carry the plan out on a throwaway server with the database's schema, and measure it."
  )
  var rehearse = false

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Take so many rows of each table along, and the rows that they refer to. (default: 0)",
      valueName: "number"
    )
  )
  var rehearseRows: String?

  @Flag(
    name: .long,
    help: "Rehearse in the database itself, in a transaction that is undone within --max-block."
  )
  var live = false

  /// Returns how the plan is rehearsed; none if it is not.
  ///
  /// - Parameter isLimited: Whether the call says for how long writers may be made to wait.
  /// - Returns: How, and where.
  /// - Throws: What is wrong with the options.
  func rehearsal(isLimited: Bool) throws(UsageError) -> Rehearsal? {
    guard rehearse else {
      guard !live, rehearseRows == nil else {
        throw UsageError(
          .missing(
            "--rehearse",
            hint: "\(live ? "--live" : "--rehearse-rows") is about a rehearsal."
          )
        )
      }
      return nil
    }
    if live {
      guard rehearseRows == nil else { throw UsageError(.conflict("--live", "--rehearse-rows")) }
      guard isLimited else {
        throw UsageError(
          .missing("--max-block", hint: "Say for how long the rehearsal may hold locks.")
        )
      }
      return .live
    }
    guard let rehearseRows else { return .apart(rows: 0) }
    guard let rows = Int(rehearseRows), rows >= 0 else {
      throw Setting(source: .option("--rehearse-rows"), text: rehearseRows)
        .unusable("a number of rows")
    }
    return .apart(rows: rows)
  }
}
