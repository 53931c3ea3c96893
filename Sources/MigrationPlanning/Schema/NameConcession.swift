package import Diagnostics
package import ObjectModel
internal import SQLSyntax

/// A table or a column that another thing has the usual name of.
package struct NameConcession: Hashable, Sendable {
  /// The part of the model that it is of.
  package let element: ModelElement
  /// The name that the rules would give it.
  let wanted: SQLIdentifier
  /// The name that it has.
  let name: SQLIdentifier
  /// The table that the column is in; none of a table.
  let table: SQLIdentifier?

  /// What it is called, for people; without a place, which only the loader knows.
  package var diagnostic: Diagnostic {
    let thing = table.map { "a column of table \"\($0)\"" } ?? "a table"
    let isOfServer = table != nil && StorageNames.reservedColumns.contains(wanted)
    return Diagnostic(
      .warning,
      "\(thing) is called \"\(name)\"",
      detail: isOfServer
        ? "Every table has a column \"\(wanted)\" of its own."
        : "Something else has, or would share, the name \"\(wanted)\".",
      hint: table == nil
        ? "Give it a name of your own with \"table\" or \"joinTable\" (user info \"remodel.table\", "
          + "\"remodel.joinTable\"), if this one is not to your liking."
        : "Give it a name of your own with \"column\" (user info \"remodel.column\"), if this one is not to "
          + "your liking."
    )
  }
}
