internal import Diagnostics
internal import MigrationPlanning
internal import SQLSyntax

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
