internal import Diagnostics
internal import SQLSyntax

/// A change that a table does not survive as what it is, or that its server only seems to make.
package struct KindRefusal: Hashable, Sendable {
  /// The table.
  let table: SQLIdentifier
  /// Its kind.
  let kind: TableKind
  /// The change.
  let cause: Cause

  /// The changes that are refused.
  enum Cause: Hashable, Sendable {
    /// A copy reads the table or takes its place.
    case copied
    /// A copy reads the table, or takes its place, while others write.
    case copiedMeanwhile
    /// The model has it elsewhere, and people have put it there.
    case elsewhere
    /// The column that decides which node a row is on gets another type or default.
    case distributionColumn(SQLIdentifier)
    /// It would be created in another schema, and filled.
    case intoSchema
    /// The server does not have Citus.
    case withoutCitus
    /// Citus distributes its schema as a whole.
    case inDistributedSchema
    /// Citus is to distribute its schema as a whole, of which it has been a table by itself.
    case beforeSchema
    /// Citus is to distribute the schema as a whole, which is that of all.
    case publicSchema
    /// Citus is to distribute the schema no longer, and has given keys to rows of the table.
    case keysOfNodes
    /// A table in one place refers to it, which other nodes do not enforce.
    case referenced(by: SQLIdentifier)
    /// It refers to a table that its nodes do not have.
    case refersToLocal(SQLIdentifier)
    /// It refers to a table whose rows may be on other nodes.
    case refersElsewhere(SQLIdentifier)
    /// Each node would compute the default of a new column for itself.
    case computedByNodes(column: SQLIdentifier)
    /// A trigger would run on its nodes, which Citus refuses.
    case trigger(SQLIdentifier)
    /// Values would be unique in each part of the table alone, by a constraint or an index.
    case uniqueInParts(SQLIdentifier)
    /// Foreign keys are checked by every statement, in whichever order rows are put back.
    case rowsReturn
  }

  var diagnostic: Diagnostic {
    let name = "table \"\(table)\"" + ("\(kind)".isEmpty ? "" : ", which is \(kind),")
    return switch cause {
    case .copied:
      Diagnostic(
        "\(name) cannot be copied",
        detail: "An ordinary table would take its place.",
        hint: kind.placement == nil
          ? "Declare how it is partitioned in the model, or do without the copy."
          : "Declare in the model that it is distributed so, or do without the copy."
      )
    case .copiedMeanwhile:
      Diagnostic(
        "\(name) cannot be copied while others write",
        detail: "The triggers that record what they write would run on the nodes.",
        hint: "Choose --strategy locked: writers wait until the rows are copied."
      )
    case .elsewhere:
      Diagnostic(
        "\(name) cannot be distributed in another way in one step",
        hint: "Declare in a version before how it is distributed now."
      )
    case .distributionColumn(let column):
      Diagnostic(
        "column \"\(column)\" of \(name) cannot get another type or default",
        detail: "Its values decide which node a row is on.",
        hint: "Distribute the entity by something else, or not at all, in a version before."
      )
    case .intoSchema:
      Diagnostic(
        "table \"\(table)\" cannot be \(kind) in another schema of the same database",
        hint: "Migrate in place, or into another database."
      )
    case .withoutCitus:
      Diagnostic(
        "table \"\(table)\" cannot be \(kind): the database does not have Citus",
        hint: "CREATE EXTENSION citus, on every node; a throwaway server does not have it, so "
          + "rehearse with --live."
      )
    case .inDistributedSchema:
      Diagnostic(
        "table \"\(table)\" cannot be \(kind): its schema is distributed as a whole",
        hint: "Remove the distribution from the model, or SELECT citus_schema_undistribute(…) "
          + "before."
      )
    case .beforeSchema:
      Diagnostic(
        "\(name) cannot be distributed with its schema",
        hint: "SELECT undistribute_table(…) before, or leave distribution out of the layout."
      )
    case .publicSchema:
      Diagnostic(
        "schema \"public\" cannot be distributed as a whole",
        hint: "Choose another schema with --schema: Citus wants one for each tenant."
      )
    case .keysOfNodes:
      Diagnostic(
        "\(name) cannot be moved to the coordinator with its schema",
        detail: "Citus does not undo the distribution of tables with identity columns.",
        hint: "Copy the store with --into-schema or --into-database."
      )
    case .referenced(let referring):
      Diagnostic(
        "table \"\(referring)\" cannot refer to \(name.dropLast())",
        detail: "Other nodes would delete rows that rows of \"\(referring)\" refer to.",
        hint:
          "Keep the identifier as an attribute in place of the relationship, or distribute both tables."
      )
    case .refersToLocal(let referenced):
      Diagnostic(
        "\(name) cannot refer to table \"\(referenced)\", which is on the coordinator alone",
        hint: "SELECT create_reference_table('\(referenced)') once the table exists, and add the "
          + "relationship in the version after."
      )
    case .refersElsewhere(let referenced):
      Diagnostic(
        "\(name) cannot refer to table \"\(referenced)\", whose rows may be on other nodes",
        hint: "Keep the identifier as an attribute in place of the relationship."
      )
    case .computedByNodes(let column):
      Diagnostic(
        "column \"\(column)\" of \(name) would get other values on each node",
        detail: "Each node computes the default of a new column for itself.",
        hint:
          "Use a constant default, or add the attribute as an optional one without a default, and "
          + "give it the default in the version after."
      )
    case .trigger(let trigger):
      Diagnostic(
        "\(name) cannot have trigger \"\(trigger)\"",
        detail: "Citus runs no triggers on tables whose rows are on several nodes.",
        hint:
          "Let the application do what it does: drop the trigger if it is yours, or leave the derived "
          + "attribute or the cascade out of the model."
      )
    case .uniqueInParts(let object):
      Diagnostic(
        "\"\(object)\" cannot keep values unique in \(name.dropLast())",
        detail: "The server knows only whether values are unique in one part of the table.",
        hint: "Add to the constraint: "
          + kind.uniquingColumns.map { "\"\($0)\"" }.joined(separator: ", ") + "."
      )
    case .rowsReturn:
      Diagnostic(
        "rows cannot be put back into \(name.dropLast())",
        detail: "Citus checks foreign keys before all rows are there.",
        hint: "Restore them from a backup."
      )
    }
  }
}
