import ObjectModel
import SQLSyntax

@testable import MigrationPlanning

/// Rows and links.
extension ClaimCase {
  static let computeValues: [ClaimCase] = [
    ClaimCase(
      "of its own row",
      .computeValues(
        ComputeValues(
          table: "item",
          column: "note",
          value: "name || '!'",
          condition: "note IS DISTINCT FROM name || '!'",
          reads: [ColumnReference(table: "item", column: "name")]
        )
      )
    ),
    ClaimCase(
      "of those that refer to it",
      computing("(SELECT sum(score) FROM s.child WHERE child.item = item._id)", "child", "score")
    ),
    ClaimCase(
      "of the one that it refers to",
      computing("(SELECT total FROM s.parent WHERE parent._id = item.parent)", "parent", "total")
    ),
  ]

  static let updateRows: [ClaimCase] = [
    ClaimCase(
      "fill",
      updating(.fillNulls, "note", "''", where: "note IS NULL"),
      after: "UPDATE s.item SET note = NULL WHERE _id <= 500; ANALYZE s.item"
    ),
    ClaimCase("move", updating(.moveValues, "note", "name")),
    ClaimCase("move for some", updating(.moveValues, "note", "name", where: "_entity = 'Item'")),
    ClaimCase(
      "rename",
      updating(.renameEntities, "_entity", "'Thing'", where: "_entity = 'Item'")
    ),
  ]

  static let copyRows: [ClaimCase] = [
    ClaimCase("all", copying(to: "plain"), after: "TRUNCATE s.plain"),
    ClaimCase("some", copying(to: "plain", where: "_entity = 'Item'")),
    ClaimCase(
      "with keys above them",
      copying(to: "parent", sequence: "parent__id_seq"),
      after: "TRUNCATE s.parent CASCADE; \(itemsAgain)"
    ),
  ]

  static let retainRows: [ClaimCase] = [
    ClaimCase(
      "some",
      .retainRows(
        RetainRows(
          table: "item",
          newTable: "remodel_retained_1_item",
          entityName: "Item",
          condition: "_entity = 'Item'"
        )
      )
    )
  ]

  static let deleteRows: [ClaimCase] = [
    ClaimCase("all", .deleteRows(DeleteRows(table: "plain", losesRows: true))),
    ClaimCase(
      "referred to by nobody",
      .deleteRows(DeleteRows(table: "item", condition: "_entity = 'Item'", losesRows: false)),
      after: """
        TRUNCATE s.pair;
        ALTER TABLE s.pair DROP CONSTRAINT pair_item_fkey;
        UPDATE s.child SET item = NULL
        """,
      keyLocks: ["child": .rowShare]
    ),
  ]

  static let cutLinks: [ClaimCase] = [
    ClaimCase("in a column", cutting("child", "item", isJoinTable: false, to: "item")),
    ClaimCase(
      "in a column with places",
      cutting("item", "parent", position: "parent_position", isJoinTable: false, to: "parent")
    ),
    ClaimCase("in a join table", cutting("pair", "item", isJoinTable: true, to: "item")),
    ClaimCase(
      "to some rows",
      cutting("pair", "item", isJoinTable: true, to: "item", where: "_entity = 'Item'")
    ),
  ]

  static let cutDanglingLinks: [ClaimCase] = [
    ClaimCase(
      "in a column",
      .cutDanglingLinks(
        CutDanglingLinks(table: "child", column: "item", isJoinTable: false, referenced: "item")
      ),
      after: "ALTER TABLE s.child DROP CONSTRAINT child_item_fkey"
    ),
    ClaimCase(
      "in a join table",
      .cutDanglingLinks(
        CutDanglingLinks(table: "pair", column: "parent", isJoinTable: true, referenced: "parent")
      ),
      after: "ALTER TABLE s.pair DROP CONSTRAINT pair_parent_fkey"
    ),
  ]

  static let reinstateRows: [ClaimCase] = [
    ClaimCase(
      "of an entity",
      reinstating(.rows, "child", ["_id", "item"], ["item": "item"]),
      after: """
        CREATE TABLE s.gone AS SELECT * FROM s.child; TRUNCATE s.child; ANALYZE s.gone
        """
    ),
    ClaimCase(
      "links in a column",
      reinstating(.links(column: "item"), "child", ["_id", "item"], ["item": "item"]),
      after: """
        CREATE TABLE s.gone AS SELECT _id, item FROM s.child;
        UPDATE s.child SET item = NULL; ANALYZE s.gone, s.child
        """
    ),
    ClaimCase(
      "links in a join table",
      reinstating(
        .pairs,
        "pair",
        ["item", "parent"],
        ["item": "item", "parent": "parent"]
      ),
      after: """
        CREATE TABLE s.gone AS SELECT * FROM s.pair; TRUNCATE s.pair; ANALYZE s.gone
        """
    ),
  ]

  static let moveLinks: [ClaimCase] = [
    ClaimCase(
      "from a join table into a column",
      moving([LinkQuery(place: pairs)], to: keys),
      after: "UPDATE s.item SET parent = NULL",
      keyLocks: ["parent": .rowShare]
    ),
    ClaimCase(
      "into a column with links",
      moving([LinkQuery(place: pairs)], to: keys, hasLinks: true),
      after: "UPDATE s.item SET parent = NULL WHERE _id <= 500; ANALYZE s.item",
      keyLocks: ["parent": .rowShare]
    ),
    ClaimCase(
      "into a column with places",
      moving([LinkQuery(place: pairs)], to: placedKeys, numbering: [.ofOwner]),
      after: "UPDATE s.item SET parent = NULL",
      keyLocks: ["parent": .rowShare]
    ),
    ClaimCase(
      "from a column into a join table",
      moving([LinkQuery(place: keys)], to: pairs),
      after: "TRUNCATE s.pair",
      keyLocks: ["parent": .rowShare, "item": .rowShare]
    ),
    ClaimCase(
      "of some rows into a join table",
      moving(
        [
          LinkQuery(
            place: plainPairs,
            ownerCondition: LinkQuery.EndCondition(
              table: "item",
              key: "_id",
              condition: "_entity = 'Item'"
            ),
            targetCondition: LinkQuery.EndCondition(
              table: "parent",
              key: "_id",
              condition: "_entity = 'Parent'"
            )
          )
        ],
        to: pairs
      ),
      after: "TRUNCATE s.pair",
      keyLocks: ["parent": .rowShare, "item": .rowShare]
    ),
    ClaimCase(
      "of several into a join table",
      moving([LinkQuery(place: keys), LinkQuery(place: plainPairs)], to: pairs),
      after: "TRUNCATE s.pair",
      keyLocks: ["parent": .rowShare, "item": .rowShare]
    ),
    ClaimCase(
      "into a join table with links",
      moving([LinkQuery(place: keys)], to: pairs, hasLinks: true),
      keyLocks: ["parent": .rowShare, "item": .rowShare]
    ),
    ClaimCase(
      "into a join table with places and links",
      moving([LinkQuery(place: keys)], to: placedPairs, hasLinks: true, numbering: [.ofTarget]),
      keyLocks: ["parent": .rowShare, "item": .rowShare]
    ),
    ClaimCase(
      "into a join table with places",
      moving([LinkQuery(place: placedKeys)], to: placedPairs, numbering: [.ofTarget]),
      after: "TRUNCATE s.pair",
      keyLocks: ["parent": .rowShare, "item": .rowShare]
    ),
  ]

  static let numberLinks: [ClaimCase] = [
    ClaimCase(
      "in a column",
      .numberLinks(
        NumberLinks(
          table: "item",
          position: "parent_position",
          owner: "parent",
          key: ["_id"],
          hasPlaces: true
        )
      )
    ),
    ClaimCase(
      "in a join table",
      .numberLinks(
        NumberLinks(
          table: "pair",
          position: "place",
          owner: "parent",
          key: ["parent", "item"],
          hasPlaces: false
        )
      )
    ),
  ]

  // MARK: - Parts

  private static let itemsAgain: SQLFragment = """
    INSERT INTO s.item (name, rank) SELECT 'item ' || n, n FROM generate_series(1, 1000) AS n; \
    ANALYZE s.item
    """

  private static let keys = LinkPlace(table: "item", owner: "_id", target: "parent", key: "_id")
  private static let placedKeys = LinkPlace(
    table: "item",
    owner: "_id",
    target: "parent",
    ownerPosition: "parent_position",
    key: "_id"
  )
  private static let pairs = LinkPlace(table: "pair", owner: "item", target: "parent")
  private static let placedPairs = LinkPlace(
    table: "pair",
    owner: "item",
    target: "parent",
    targetPosition: "place"
  )
  private static let plainPairs = LinkPlace(table: "plain", owner: "item", target: "parent")

  private static func computing(
    _ value: SQLFragment,
    _ table: SQLIdentifier,
    _ column: SQLIdentifier
  ) -> MigrationOperation {
    .computeValues(
      ComputeValues(
        table: "item",
        column: "price",
        value: value,
        condition: "price IS DISTINCT FROM \(value)",
        reads: [ColumnReference(table: table, column: column)]
      )
    )
  }

  private static func updating(
    _ purpose: UpdateRows.Purpose,
    _ column: SQLIdentifier,
    _ value: SQLFragment,
    where condition: SQLFragment? = nil
  ) -> MigrationOperation {
    .updateRows(
      UpdateRows(
        table: "item",
        purpose: purpose,
        assignments: [UpdateRows.Assignment(column: column, value: value)],
        condition: condition
      )
    )
  }

  private static func copying(
    to table: SQLIdentifier,
    where condition: SQLFragment? = nil,
    sequence: SQLIdentifier? = nil
  ) -> MigrationOperation {
    .copyRows(
      CopyRows(
        source: "item",
        table: table,
        columns: [UpdateRows.Assignment(column: "_id", value: "_id")],
        condition: condition,
        sequence: sequence,
        readColumns: ["_id"]
      )
    )
  }

  private static func cutting(
    _ table: SQLIdentifier,
    _ column: SQLIdentifier,
    position: SQLIdentifier? = nil,
    isJoinTable: Bool,
    to referenced: SQLIdentifier,
    where condition: SQLFragment? = nil
  ) -> MigrationOperation {
    .cutLinks(
      CutLinks(
        table: table,
        column: column,
        position: position,
        isJoinTable: isJoinTable,
        referenced: referenced,
        condition: condition
      )
    )
  }

  private static func reinstating(
    _ way: ReinstateRows.Return.Way,
    _ table: SQLIdentifier,
    _ columns: [SQLIdentifier],
    _ references: [SQLIdentifier: SQLIdentifier]
  ) -> MigrationOperation {
    .reinstateRows(
      ReinstateRows(
        returns: [
          ReinstateRows.Return(
            way: way,
            table: table,
            retainedTable: "gone",
            columns: columns.map {
              .init(column: Column(name: $0, type: "bigint"), retainedName: $0)
            },
            references: Dictionary(
              references.map { ($0, ForeignKey(column: $0, references: $1, onDelete: .noAction)) },
              uniquingKeysWith: { first, _ in first }
            )
          )
        ]
      )
    )
  }

  private static func moving(
    _ sources: [LinkQuery],
    to place: LinkPlace,
    hasLinks: Bool = false,
    numbering numberedPositions: Set<LinkPlace.Position> = []
  ) -> MigrationOperation {
    .moveLinks(
      MoveLinks(
        place: place,
        isJoinTable: place.isJoinTable,
        sources: sources,
        hasLinks: hasLinks,
        numberedPositions: numberedPositions
      )
    )
  }
}
