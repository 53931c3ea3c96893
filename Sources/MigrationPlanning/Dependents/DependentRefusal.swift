internal import Diagnostics
package import SQLSyntax

/// A dependent object that a plan would break and cannot create again.
package struct DependentRefusal: Hashable, Sendable {
  /// The object, as the server describes it: `view public.popular_book`.
  package let name: String
  /// The effect of the plan on the used object.
  package let cause: Cause
  /// Why the object cannot be created again; `nil` if nothing of it remains.
  package let reason: String?

  /// The effects of a plan on a used object.
  package enum Cause: Hashable, Sendable {
    case typeChanged(column: SQLIdentifier, table: SQLIdentifier)
    case columnDropped(SQLIdentifier, table: SQLIdentifier)
    /// A filled column of another type takes the place of the column.
    case columnReplaced(SQLIdentifier, table: SQLIdentifier)
    case tableDropped(SQLIdentifier)
    /// A constraint or index is dropped.
    case partDropped(SQLIdentifier, table: SQLIdentifier)
    /// Rows of the table leave it, together with those that refer to them.
    case rowsLeave(SQLIdentifier)
    /// The migration writes to rows of the table.
    case rowsChange(SQLIdentifier)
    /// The table is rebuilt, and the new one replaces it.
    case tableReplaced(SQLIdentifier)
    /// The table that takes the place of the other one does not have the column.
    case columnGone(SQLIdentifier, table: SQLIdentifier)
    /// Another dependent object is dropped and created again.
    case recreated(String)
    /// Tables are filled before subscribers have them.
    case tablesFilled
    /// The rows of the table get other columns.
    case rowsGetColumns(SQLIdentifier)
  }

  /// The refusal in words.
  var diagnostic: Diagnostic {
    Diagnostic(
      "\(name) is in the way: it depends on \(cause.words)",
      detail: reason.map { "It cannot be dropped and created again as it is. \($0)" },
      hint: hint
    )
  }

  private var hint: String {
    switch cause {
    case .typeChanged, .columnReplaced, .recreated, .rowsChange, .rowsLeave, .tableReplaced,
      .tablesFilled,
      .rowsGetColumns:
      "Drop it before the migration, and create it again afterwards."
    case .columnDropped, .tableDropped:
      "Drop it or change it before, or leave what it depends on in place with --removals retain."
    case .columnGone: "Drop it or change it before the migration."
    case .partDropped:
      "Drop it before the migration."
    }
  }
}

extension DependentRefusal {
  /// Creates the refusal of a publication of all tables, which a copy would break for good.
  package init(publicationOfAllTables name: String) {
    self.init(
      name: "publication \(name)",
      cause: .tablesFilled,
      reason: "Subscribers would be sent rows of tables that they do not have, and stop there."
    )
  }

  /// Creates the refusal of a function whose body keeps to the columns that a table has.
  package init(rowFunction name: String, of table: SQLIdentifier) {
    self.init(
      name: name,
      cause: .rowsGetColumns(table),
      reason:
        "Its body selects the columns that the table had when the function was created, even if it was "
        + "written with *, so calls may fail."
    )
  }
}

extension DependentRefusal.Cause {
  /// The effect of the plan, as the end of a sentence.
  fileprivate var words: String {
    switch self {
    case .typeChanged(let column, let table):
      "column \"\(column)\" of table \"\(table)\", whose type changes"
    case .columnDropped(let column, let table):
      "column \"\(column)\" of table \"\(table)\", which is dropped"
    case .columnReplaced(let column, let table):
      "column \"\(column)\" of table \"\(table)\", which a filled one of another type replaces"
    case .tableDropped(let table): "table \"\(table)\", which is dropped"
    case .partDropped(let part, let table): "\"\(part)\" of table \"\(table)\", which is dropped"
    case .rowsLeave(let table): "table \"\(table)\", which rows leave"
    case .rowsChange(let table): "table \"\(table)\", whose rows the migration changes"
    case .tableReplaced(let table): "table \"\(table)\", which is rebuilt"
    case .columnGone(let column, let table):
      "column \"\(column)\" of table \"\(table)\", which is rebuilt without it"
    case .recreated(let name): "\(name), which has to be dropped and created again"
    case .rowsGetColumns(let table): "the rows of table \"\(table)\", which get other columns"
    case .tablesFilled: "all tables, and with them on those that a copy fills"
    }
  }
}
