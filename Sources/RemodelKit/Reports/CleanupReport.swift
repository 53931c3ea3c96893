public import Diagnostics
public import MigrationExecution
public import MigrationPlanning
internal import SQLSyntax

/// The result of `cleanup`, or its plan.
public struct CleanupReport: Sendable {
  /// A retained object and its fate.
  public struct Item: Hashable, Sendable {
    /// The retained object.
    public let entry: RetainedEntry
    /// Its fate.
    public let fate: CleanupPlan.Fate
    /// Its size.
    public let amount: RetainedInspection.Amount?
  }

  /// The version that the database is at; none if it is at none.
  public let version: VersionReference?
  /// A Boolean value that indicates whether nothing was done.
  public let isDryRun: Bool
  /// The selected objects and those that are dropped with them.
  public var items: [Item]
  /// The statements that were run, or would be.
  public var statements: [PlannedStatement]
  /// Why it may not be carried out; none if it may.
  public var refusal: RemodelError?
  /// The warnings.
  public var warnings: [Diagnostic] = []

  /// A Boolean value that indicates whether a selected object stays.
  public var isRefused: Bool {
    refusal != nil || items.contains { $0.refusal != nil }
  }

  /// The reasons why objects stay, and the objects that were missing.
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

  /// The reason why it stays; `nil` if it is dropped.
  var refusal: Diagnostic? {
    switch fate {
    case .dropped, .droppedWithTable, .forgotten: nil
    case .depended(let dependents):
      Diagnostic(
        "\(name) stays, since another object depends on it",
        detail: dependents.shownInLines,
        hint:
          "Drop or change the dependent objects, or retire the version that is served by them, and clean up again."
      )
    case .replaced(let difference):
      Diagnostic(
        "\(name) stays: it is not the object of version \"\(entry.object.version)\"",
        detail: difference.sentence,
        hint:
          "Rename or drop it yourself, if it is not needed, and clean up again: this removes it from "
          + "the list."
      )
    }
  }

  /// A warning about a dropped object.
  var warning: Diagnostic? {
    guard fate == .forgotten else { return nil }
    return Diagnostic(
      .warning,
      "\(name) was dropped already",
      detail:
        "Another session has dropped it: it is only removed from the list of retained objects."
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
