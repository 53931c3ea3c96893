package import Diagnostics
package import ObjectModel
internal import SQLSyntax

/// A table, a column or an index that another thing has the usual name of.
package struct NameConcession: Hashable, Sendable {
  /// The part of the model that it is of.
  package let element: ModelElement
  /// The name that the rules would give it.
  let wanted: SQLIdentifier
  /// The name that it has.
  let name: SQLIdentifier
  /// The table that the column is in; none of a table.
  let table: SQLIdentifier?
  /// A Boolean value that indicates whether it is an index.
  var isIndex = false

  /// What it is called, for people; without a place, which only the loader knows.
  package var diagnostic: Diagnostic {
    if isIndex {
      return Diagnostic(
        .warning,
        "index \"\(wanted)\" is called after its table and columns",
        detail: wanted.name.utf8.count > SQLIdentifier.maximumLength
          ? "Names of PostgreSQL have at most \(SQLIdentifier.maximumLength) bytes."
          : "Something else of the model has the name \"\(wanted)\".",
        hint:
          "Give it a name that nothing else has, or one with \"names\" (user info \"remodel.name.NAME\")."
      )
    }
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
