internal import Diagnostics
public import MigrationPlanning
internal import SQLSyntax

/// A statement of a plan that has a hazard which is denied.
public struct DeniedStatement: Hashable, Sendable {
  /// The hazard.
  public let hazard: Hazard
  /// The version that its step leads to; none if it leads nowhere, but cleans up.
  public let step: String?
  /// The purpose of the statement.
  public let reason: String
}

/// A statement of a plan that keeps writers waiting for longer than they may.
public struct BlockingStatement: Hashable, Sendable {
  /// The version that its step leads to.
  public let step: String
  /// The purpose of the longest statement.
  public let reason: String
  /// The table that writers wait for.
  public let table: String
  /// For about how many seconds they wait; none if the size of a table is not known.
  public let seconds: Double?
  /// Whether the table waits for the end of a copy.
  public let isEndOfCopy: Bool
}

extension Diagnostic {
  /// Says which statements have hazards that are denied, and the way round each hazard.
  static func denied(_ statements: [DeniedStatement]) -> Diagnostic {
    // A cleanup has no alternative to its purpose.
    let hazards = Set(statements.filter { $0.step != nil }.map(\.hazard)).sorted()
    return Diagnostic(
      "the plan has hazards that are denied",
      detail: statements.map {
        "\($0.hazard.rawValue): \($0.reason)"
          + ($0.step.map { " (step to version \"\($0)\")" } ?? "")
      }.shownInLines,
      hint: (hazards.map { "\($0.rawValue): \($0.wayRound)" }
        + ["To accept a hazard, omit its --deny, or override REMODEL_DENY with --allow."])
        .joined(separator: "\n")
    )
  }

  /// Says which statements keep writers waiting for longer than they may.
  static func blocking(_ statements: [BlockingStatement], limit: Duration) -> Diagnostic {
    let longest =
      statements.contains { $0.seconds == nil } ? nil : statements.compactMap(\.seconds).max()
    let seconds = longest.map { Int($0.rounded(.up)) }
    let online =
      statements.allSatisfy(\.isEndOfCopy)
      ? "Put changes of tables that are not copied into a version of their own"
      : "Use --strategy online"
    return Diagnostic(
      seconds.map { "the plan blocks writers for about \($0) s, and --max-block is \(limit.text)" }
        ?? "the plan blocks writers for a time that is not known, and --max-block is \(limit.text)",
      detail: statements.map { statement in
        "Table \"\(statement.table)\" is locked for "
          + (statement.seconds.map { "about \(Int($0.rounded(.up))) s" }
            ?? "a time that is not known")
          + " by the step to version \"\(statement.step)\". Longest takes: \(statement.reason)."
      }.shownInLines,
      hint: seconds.map { "\(online), or let writers wait with --max-block \($0 + $0 / 4 + 1)s." }
        ?? "\(online), or see to it that the server can tell the sizes of the tables."
    )
  }
}

extension Hazard {
  /// How a change of the model avoids the hazard, in a sentence.
  fileprivate var wayRound: String {
    switch self {
    case .deletesData: "Retain removed tables and columns: --removals retain."
    case .rewritesTable:
      "Add a new attribute beside the old one and fill it in a mapping model, or use --strategy online."
    case .scansTable: "Use --strategy online, or do it while the table is small."
    case .blocksReads: "Use --strategy online, or migrate while nobody reads."
    case .blocksWrites: "Use --strategy online, or migrate while nobody writes."
    case .failsOnData: "Fix the rows first, and add the requirement in a later version."
    case .breaksPreviousRelease:
      "Stop the previous release first, or spread the change over two versions: add, then remove."
    }
  }
}

extension Duration {
  /// The duration as options have it.
  fileprivate var text: String {
    let milliseconds = components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    return milliseconds % 1000 == 0 ? "\(milliseconds / 1000)s" : "\(milliseconds)ms"
  }
}
