import SQLSyntax

@testable import MigrationPlanning

/// Tables and their columns.
extension ClaimCase {
  static let createTable: [ClaimCase] = [
    ClaimCase("alone", .createTable(CreateTable(contents: newTable))),
    ClaimCase(
      "with a reference",
      .createTable(CreateTable(contents: newTable.with(reference(to: "parent"))))
    ),
    ClaimCase(
      "with a reference to itself",
      .createTable(CreateTable(contents: newTable.with(reference(to: "new"))))
    ),
  ]

  static let dropTable: [ClaimCase] = [
    ClaimCase("without references", .dropTable(DropTable(contents: Table(name: "plain")))),
    ClaimCase(
      "between others",
      .dropTable(
        DropTable(contents: Table(name: "item", constraints: [reference(to: "parent")]))
      ),
      after: """
        ALTER TABLE s.child DROP CONSTRAINT child_item_fkey;
        ALTER TABLE s.pair DROP CONSTRAINT pair_item_fkey
        """
    ),
    ClaimCase(
      "with references to others",
      .dropTable(
        DropTable(
          contents: Table(
            name: "pair",
            constraints: [reference(to: "item"), reference(to: "parent")]
          )
        )
      )
    ),
  ]

  static let renameTable: [ClaimCase] = [
    ClaimCase("between others", .renameTable(RenameTable(name: "item", newName: "thing")))
  ]

  static let retainTable: [ClaimCase] = [
    ClaimCase("between others", .retainTable(RetainTable(contents: Table(name: "item"))))
  ]

  static let addColumn: [ClaimCase] = [
    ClaimCase("nullable", adding(Column(name: "new", type: "text"))),
    ClaimCase(
      "with a constant",
      adding(Column(name: "new", type: "integer", defaultExpression: "1"))
    ),
    ClaimCase(
      "required, with a constant",
      adding(
        Column(
          name: "new",
          type: "numeric(10,2)",
          notNullConstraint: "item_new_not_null",
          defaultExpression: "1.5::numeric(10,2)"
        )
      )
    ),
    ClaimCase(
      "required, without rows",
      adding(Column(name: "new", type: "integer", notNullConstraint: "item_new_not_null")),
      after: "TRUNCATE s.item, s.child, s.pair"
    ),
    ClaimCase(
      "generated",
      adding(Column(name: "new", type: "integer", generation: "\("rank" as SQLIdentifier) * 3"))
    ),
    ClaimCase(
      "with the keys of a sequence",
      adding(
        Column(
          name: "new",
          type: "bigint",
          notNullConstraint: "plain_new_not_null",
          identitySequence: "plain_new_seq"
        ),
        to: "plain"
      )
    ),
    ClaimCase(
      "with a reference",
      adding(Column(name: "new", type: "bigint"), referringTo: "parent")
    ),
    ClaimCase(
      "with a reference to its own table",
      adding(Column(name: "new", type: "bigint"), referringTo: "item")
    ),
    ClaimCase(
      "required, with a reference, without rows",
      adding(
        Column(name: "new", type: "bigint", notNullConstraint: "item_new_not_null"),
        referringTo: "parent"
      ),
      after: "TRUNCATE s.item, s.child, s.pair"
    ),
  ]

  static let dropColumn: [ClaimCase] = [
    ClaimCase("indexed", .dropColumn(DropColumn(table: "item", column: "price"))),
    ClaimCase(
      "generated",
      .dropColumn(DropColumn(table: "item", column: "twice", readColumns: ["rank"]))
    ),
    ClaimCase(
      "generated, replaced",
      .dropColumn(
        DropColumn(table: "item", column: "twice", readColumns: ["rank"], isReplaced: true)
      )
    ),
  ]

  static let renameColumn: [ClaimCase] = [
    ClaimCase(
      "indexed",
      .renameColumn(RenameColumn(table: "item", name: "name", newName: "title"))
    )
  ]

  static let retainColumn: [ClaimCase] = [
    ClaimCase("nullable", retaining(Column(name: "note", type: "text"))),
    ClaimCase(
      "required",
      retaining(
        Column(name: "name", type: "character varying(20)", notNullConstraint: "item_name_not_null")
      )
    ),
    ClaimCase(
      "generated",
      retaining(
        Column(name: "twice", type: "integer", generation: "\("rank" as SQLIdentifier) * 2")
      )
    ),
  ]

  static let changeColumnType: [ClaimCase] = [
    ClaimCase(
      "longer, indexed",
      changing("name", "character varying(20)", "character varying(40)", isIndexed: true)
    ),
    ClaimCase(
      "unbounded, indexed",
      changing("name", "character varying(20)", "text", isIndexed: true)
    ),
    ClaimCase("shorter", changing("name", "character varying(20)", "character varying(15)")),
    ClaimCase("of a length", changing("note", "text", "character varying(40)")),
    ClaimCase(
      "of more digits",
      changing("price", "numeric(10,2)", "numeric(12,2)", isIndexed: true)
    ),
    ClaimCase("of any digits", changing("price", "numeric(10,2)", "numeric", isIndexed: true)),
    ClaimCase("of another scale", changing("price", "numeric(10,2)", "numeric(12,4)")),
    ClaimCase(
      "with a time zone",
      changing("born", "timestamp without time zone", "timestamp with time zone")
    ),
    ClaimCase(
      "wider, with defaults",
      .changeColumnType(
        ChangeColumnType(
          table: "item",
          column: "rank",
          before: "integer",
          after: "bigint",
          defaultBefore: "0",
          defaultAfter: "0"
        )
      ),
      after: "ALTER TABLE s.item DROP COLUMN twice"
    ),
    ClaimCase(
      "with a time zone, indexed",
      changing(
        "born",
        "timestamp without time zone",
        "timestamp with time zone",
        isIndexed: true
      ),
      after: "CREATE INDEX item_born_idx ON s.item (born)"
    ),
    ClaimCase(
      "without a time zone",
      changing("born", "timestamp with time zone", "timestamp without time zone"),
      after: "ALTER TABLE s.item ALTER born TYPE timestamp with time zone"
    ),
  ]

  static let setNotNull: [ClaimCase] = [
    ClaimCase(
      "indexed",
      .setNotNull(
        SetNotNull(table: "item", column: "price", constraint: "item_price_not_null")
      )
    )
  ]

  static let dropNotNull: [ClaimCase] = [
    ClaimCase("indexed", .dropNotNull(DropNotNull(table: "item", column: "name")))
  ]

  static let setDefault: [ClaimCase] = [
    ClaimCase(
      "a constant",
      .setDefault(SetDefault(table: "item", column: "rank", expression: "1"))
    ),
    ClaimCase("none", .setDefault(SetDefault(table: "item", column: "rank"))),
    ClaimCase(
      "none, as the column comes",
      .setDefault(SetDefault(table: "item", column: "rank", newColumnType: "integer"))
    ),
    ClaimCase(
      "none, as the column comes with a modifier",
      .setDefault(SetDefault(table: "item", column: "price", newColumnType: "numeric(10,2)"))
    ),
  ]

  static let dropExpression: [ClaimCase] = [
    ClaimCase(
      "of another column",
      .dropExpression(DropExpression(table: "item", column: "twice", readColumns: ["rank"]))
    )
  ]

  // MARK: - Parts

  private static let newTable = Table(
    name: "new",
    columns: [
      Column(
        name: "_id",
        type: "bigint",
        notNullConstraint: "new_id_not_null",
        identitySequence: "new_seq"
      ),
      Column(name: "text", type: "text"),
      Column(name: "reference", type: "bigint"),
    ],
    constraints: [Constraint(name: "new_pkey", definition: .primaryKey(["_id"]))]
  )

  private static func reference(to table: SQLIdentifier) -> Constraint {
    Constraint(
      name: "new_reference_fkey",
      definition: .foreignKey(column: "reference", references: table, onDelete: .setNull)
    )
  }

  private static func adding(
    _ column: Column,
    to table: SQLIdentifier = "item",
    referringTo referenced: SQLIdentifier? = nil
  ) -> MigrationOperation {
    let reference = referenced.map {
      Constraint(
        name: "item_new_fkey",
        definition: .foreignKey(column: column.name, references: $0, onDelete: .cascade)
      )
    }
    return .addColumn(AddColumn(table: table, column: column, reference: reference))
  }

  private static func retaining(_ column: Column) -> MigrationOperation {
    .retainColumn(RetainColumn(table: "item", column: column))
  }

  private static func changing(
    _ column: SQLIdentifier,
    _ before: SQLTypeName,
    _ after: SQLTypeName,
    isIndexed: Bool = false
  ) -> MigrationOperation {
    .changeColumnType(
      ChangeColumnType(
        table: "item",
        column: column,
        before: before,
        after: after,
        isIndexed: isIndexed
      )
    )
  }
}

extension Table {
  fileprivate func with(_ constraint: Constraint) -> Table {
    var table = self
    table.constraints.append(constraint)
    return table
  }
}
