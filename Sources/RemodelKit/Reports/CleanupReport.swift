public import Diagnostics
public import MigrationExecution
public import MigrationPlanning
internal import SQLSyntax

/// What `cleanup` did, or would do.
public struct CleanupReport: Sendable {
  /// Something retained and what became of it.
  public struct Item: Hashable, Sendable {
    /// What is retained.
    public let entry: RetainedEntry
    /// What became of it, or would.
    public let fate: CleanupPlan.Fate
    /// How much of it there was.
    public let amount: RetainedInspection.Amount?
  }

  /// The version that the database is at; none if it is at none.
  public let version: VersionReference?
  /// A Boolean value that indicates whether nothing was done.
  public let isDryRun: Bool
  /// What was asked to go and what goes with it.
  public var items: [Item]
  /// The statements that were run, or would be.
  public var statements: [PlannedStatement]
  /// Why it may not be carried out; none if it may.
  public var refusal: RemodelError?
  /// What may not have been meant.
  public var warnings: [Diagnostic] = []

  /// A Boolean value that indicates whether something stays that was asked to go.
  public var isRefused: Bool {
    refusal != nil || items.contains { $0.refusal != nil }
  }

  /// What stays and why, and what was gone.
  public var diagnostics: [Diagnostic] {
    (refusal?.diagnostics ?? []) + warnings + items.compactMap { $0.refusal ?? $0.warning }
  }
}

extension CleanupReport.Item {
  private var name: String {
    let object = entry.object
    return object.column.map { "column \"\($0)\" of table \"\(object.table)\"" }
      ?? "table \"\(object.table)\""
  }

  /// Why it stays; none if it goes.
  var refusal: Diagnostic? {
    switch fate {
    case .dropped, .droppedWithTable, .forgotten: nil
    case .depended(let dependents):
      Diagnostic(
        "\(name) stays, since something depends on it",
        detail: dependents.shownInLines,
        hint: "Drop or change what depends on it, and clean up again."
      )
    case .replaced(let difference):
      Diagnostic(
        "\(name) stays: it is not what version \"\(entry.object.version)\" has left",
        detail: difference.sentence,
        hint:
          "Rename or drop it yourself, if nobody needs it, and clean up again: it is taken off the "
          + "list then."
      )
    }
  }

  /// What somebody may want to know of what went.
  var warning: Diagnostic? {
    guard fate == .forgotten else { return nil }
    return Diagnostic(
      .warning,
      "\(name) was gone already",
      detail: "Somebody has dropped it: it is only taken off the list of what is retained."
    )
  }
}

extension RetainedState.Difference {
  fileprivate var sentence: String {
    switch self {
    case .notATable: "It is no table."
    case .lacksColumns(let columns):
      "It lacks \(columns.count == 1 ? "column" : "columns") "
        + columns.map { "\"\($0)\"" }.joined(separator: ", ") + "."
    case .otherType(let type, let expected):
      "It is of type \(type) and was of type \(expected.joined(separator: " or "))."
    }
  }
}
