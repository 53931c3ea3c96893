import ObjectModel
import SQLSyntax

@testable import MigrationPlanning

/// Constraints, indexes, sequences, triggers.
extension ClaimCase {
  static let addConstraint: [ClaimCase] = [
    ClaimCase("primary key", constraining("plain", .primaryKey(["_id"]))),
    ClaimCase(
      "primary key of required columns",
      constraining("plain", .primaryKey(["item", "parent"])),
      after: "ALTER TABLE s.plain ALTER item SET NOT NULL, ALTER parent SET NOT NULL"
    ),
    ClaimCase("unique", constraining("item", .unique(["note"]))),
    ClaimCase("condition", constraining("item", .check("note <> ''", columns: ["note"]))),
    ClaimCase(
      "foreign key",
      constraining(
        "plain",
        .foreignKey(ForeignKey(column: "parent", references: "parent", onDelete: .noAction))
      )
    ),
    ClaimCase(
      "foreign key of an indexed column",
      constraining(
        "item",
        .foreignKey(ForeignKey(column: "parent", references: "parent", onDelete: .cascade))
      )
    ),
    ClaimCase(
      "foreign key to its own table",
      constraining(
        "item",
        .foreignKey(ForeignKey(column: "parent", references: "item", onDelete: .setNull))
      )
    ),
  ]

  static let alterConstraint: [ClaimCase] = [
    ClaimCase("that is not deferrable any more", altering(.notDeferrable)),
    ClaimCase("that is deferred", altering(.deferred)),
    ClaimCase(
      "that is deferrable now",
      altering(.immediate),
      after: "ALTER TABLE s.item ALTER CONSTRAINT item_parent_fkey NOT DEFERRABLE"
    ),
  ]

  private static func altering(_ deferrability: ForeignKey.Deferrability) -> MigrationOperation {
    let foreignKey = ForeignKey(
      column: "parent",
      references: "parent",
      onDelete: .noAction,
      deferrability: deferrability
    )
    return .alterConstraint(
      AlterConstraint(table: "item", name: "item_parent_fkey", foreignKey: foreignKey)
    )
  }

  static let dropConstraint: [ClaimCase] = [
    ClaimCase("primary key", dropping("pair", "pair_pkey", .primaryKey(["item", "parent"]))),
    ClaimCase("unique", dropping("item", "item_name_key", .unique(["name"]))),
    ClaimCase("condition", dropping("item", "item_rank_check", .check("true", columns: ["rank"]))),
    ClaimCase(
      "foreign key",
      dropping(
        "item",
        "item_parent_fkey",
        .foreignKey(ForeignKey(column: "parent", references: "parent", onDelete: .noAction))
      )
    ),
    ClaimCase(
      "foreign key to its own table",
      dropping(
        "item",
        "item_self_fkey",
        .foreignKey(ForeignKey(column: "parent", references: "item", onDelete: .noAction))
      ),
      after: """
        ALTER TABLE s.item ADD CONSTRAINT item_self_fkey FOREIGN KEY (parent) REFERENCES s.item (_id)
        """
    ),
  ]

  static let renameConstraint: [ClaimCase] = [
    ClaimCase("with an index", renaming("item_name_key", .constraint(of: "item", hasIndex: true))),
    ClaimCase("condition", renaming("item_rank_check", .constraint(of: "item", hasIndex: false))),
    ClaimCase(
      "foreign key",
      renaming("item_parent_fkey", .constraint(of: "item", hasIndex: false))
    ),
    ClaimCase(
      "that the server does not name",
      renaming("item_name_not_null", .notNull(of: "item", column: "name", isNamed: false))
    ),
  ]

  static let createIndex: [ClaimCase] = [
    ClaimCase(
      "of a column",
      indexing(Index(name: "new", elements: [Index.Element(column: "rank")]))
    ),
    ClaimCase(
      "unique",
      indexing(Index(name: "new", elements: [Index.Element(column: "rank")], isUnique: true))
    ),
    ClaimCase(
      "of some rows",
      indexing(
        Index(name: "new", elements: [Index.Element(column: "rank")], predicate: "price > 1")
      )
    ),
    ClaimCase(
      "of an expression",
      indexing(Index(name: "new", elements: [Index.Element(.expression("lower(note)"))]))
    ),
  ]

  static let dropIndex: [ClaimCase] = [
    ClaimCase("of a column", .dropIndex(DropIndex(table: "item", index: "item_name_idx")))
  ]

  static let renameIndex: [ClaimCase] = [
    ClaimCase(
      "of a column",
      .rename(RenameObject(kind: .index(of: "item"), name: "item_name_idx", newName: "new"))
    )
  ]

  static let renameSequence: [ClaimCase] = [
    ClaimCase(
      "of keys",
      .rename(
        RenameObject(kind: .sequence(of: "item", column: "_id"), name: "item_seq", newName: "new")
      )
    )
  ]

  static let createTrigger: [ClaimCase] = [
    ClaimCase("after deletes", triggering(.afterEachDelete)),
    ClaimCase("before writes", triggering(.beforeEachWrite(of: ["name"]))),
    ClaimCase("after statements", triggering(.afterStatement(.update))),
  ]

  static let dropTrigger: [ClaimCase] = [
    ClaimCase(
      "before writes",
      .dropTrigger(DropTrigger(table: "item", trigger: "item_touch", newTable: "item"))
    )
  ]

  static let renameRetained: [ClaimCase] = [
    ClaimCase(
      "table",
      .rename(RenameObject(kind: .retainedTable, name: "item", newName: "new"))
    ),
    ClaimCase(
      "index",
      .rename(RenameObject(kind: .retainedPart, name: "item_name_idx", newName: "new"))
    ),
    ClaimCase(
      "sequence",
      .rename(RenameObject(kind: .retainedPart, name: "item_seq", newName: "new"))
    ),
    ClaimCase(
      "column",
      .rename(RenameObject(kind: .retainedColumn(of: "item"), name: "note", newName: "new"))
    ),
  ]

  // MARK: - Parts

  private static func constraining(
    _ table: SQLIdentifier,
    _ definition: Constraint.Definition
  ) -> MigrationOperation {
    .addConstraint(
      AddConstraint(table: table, constraint: Constraint(name: "new", definition: definition))
    )
  }

  private static func dropping(
    _ table: SQLIdentifier,
    _ name: SQLIdentifier,
    _ definition: Constraint.Definition
  ) -> MigrationOperation {
    .dropConstraint(
      DropConstraint(table: table, constraint: Constraint(name: name, definition: definition))
    )
  }

  private static func renaming(
    _ name: SQLIdentifier,
    _ kind: RenameObject.Kind
  ) -> MigrationOperation {
    .rename(RenameObject(kind: kind, name: name, newName: "new"))
  }

  private static func indexing(_ index: Index) -> MigrationOperation {
    .createIndex(CreateIndex(table: "item", index: index))
  }

  private static func triggering(_ activation: Trigger.Activation) -> MigrationOperation {
    .createTrigger(
      CreateTrigger(
        table: "item",
        trigger: Trigger(name: "new", activation: activation, body: "PERFORM 1;"),
        columns: ["name"]
      )
    )
  }
}
