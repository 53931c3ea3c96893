import SQLSyntax

@testable import MigrationPlanning

/// Objects outside of the model that are dropped and created again.
extension ClaimCase {
  static let dropDependent: [ClaimCase] = DependentSample.all.map { sample in
    ClaimCase(
      sample.object.name,
      .dropDependent(
        DropDependent(object: sample.object, usedDependents: [], statement: sample.drop)
      ),
      after: sample.preparation.map { "\($0); \(sample.creation)" } ?? sample.creation
    )
  }

  static let createDependent: [ClaimCase] = DependentSample.all.map { sample in
    ClaimCase(
      sample.object.name,
      .createDependent(
        CreateDependent(
          object: sample.object,
          usedDependents: [],
          statements: sample.create,
          scansTables: sample.scansTables
        )
      ),
      after: sample.preparation
    )
  }
}

/// An object of a kind that can be created again, as read from the catalog.
private struct DependentSample: Sendable {
  var object: DependentObject
  var preparation: SQLFragment?
  var create: [SQLFragment]
  var drop: SQLFragment
  var scansTables = false

  var creation: SQLFragment { create.joined(separator: "; ") }

  /// Creates a sample that uses the names of items.
  init(
    _ kind: DependentObject.Kind,
    _ name: String,
    isAttached: Bool = false,
    uses: Set<DependentObject.Usage> = [.column("item", "name")],
    after preparation: SQLFragment? = nil,
    create: SQLFragment...,
    drop: SQLFragment,
    scansTables: Bool = false
  ) {
    object = DependentObject(
      name: name,
      kind: kind,
      attachedTable: isAttached ? "item" : nil,
      uses: uses,
      recreation: .possible(drop: drop, create: create, scansTables: scansTables)
    )
    self.preparation = preparation
    self.create = create
    self.drop = drop
    self.scansTables = scansTables
  }

  static let all: [DependentSample] = [
    DependentSample(
      .view,
      "view public.v",
      create: "CREATE VIEW public.v AS SELECT name FROM s.item",
      "COMMENT ON VIEW public.v IS 'names'",
      drop: "DROP VIEW public.v"
    ),
    DependentSample(
      .materializedView,
      "materialized view public.m",
      uses: [.column("item", "name"), .column("parent", "total")],
      create: """
        CREATE MATERIALIZED VIEW public.m AS SELECT item.name, parent.total \
        FROM s.item JOIN s.parent ON item.parent = parent._id WITH NO DATA
        """,
      "CREATE INDEX m_idx ON public.m (name)",
      "REFRESH MATERIALIZED VIEW public.m",
      drop: "DROP MATERIALIZED VIEW public.m",
      scansTables: true
    ),
    DependentSample(
      .materializedView,
      "materialized view public.u without rows",
      create: "CREATE MATERIALIZED VIEW public.u AS SELECT name FROM s.item WITH NO DATA",
      drop: "DROP MATERIALIZED VIEW public.u"
    ),
    DependentSample(
      .routine,
      "function public.f()",
      create: """
        CREATE FUNCTION public.f() RETURNS bigint LANGUAGE sql \
        BEGIN ATOMIC SELECT count(name) FROM s.item; END
        """,
      drop: "DROP FUNCTION public.f()"
    ),
    DependentSample(
      .routine,
      "function public.g(s.item)",
      uses: [.rowType("item")],
      create: """
        CREATE FUNCTION public.g(s.item) RETURNS text LANGUAGE sql AS 'SELECT $1.name'
        """,
      drop: "DROP FUNCTION public.g(s.item)"
    ),
    DependentSample(
      .rule,
      "rule r on s.item",
      isAttached: true,
      create: "CREATE RULE r AS ON UPDATE TO s.item WHERE NEW.name = '' DO INSTEAD NOTHING",
      drop: "DROP RULE r ON s.item"
    ),
    DependentSample(
      .trigger,
      "trigger t on s.item",
      isAttached: true,
      create: """
        CREATE TRIGGER t BEFORE UPDATE OF name ON s.item FOR EACH ROW \
        EXECUTE FUNCTION s.item_touch()
        """,
      "COMMENT ON TRIGGER t ON s.item IS 'touch'",
      drop: "DROP TRIGGER t ON s.item"
    ),
    DependentSample(
      .policy,
      "policy p on s.item",
      isAttached: true,
      create: "CREATE POLICY p ON s.item USING (name <> '')",
      "COMMENT ON POLICY p ON s.item IS 'named'",
      drop: "DROP POLICY p ON s.item"
    ),
    DependentSample(
      .policy,
      "policy q on s.item, about parents",
      isAttached: true,
      uses: [.column("item", "parent"), .column("parent", "total")],
      create: """
        CREATE POLICY q ON s.item USING \
        (EXISTS (SELECT FROM s.parent WHERE parent._id = item.parent AND total > 1))
        """,
      drop: "DROP POLICY q ON s.item"
    ),
    DependentSample(
      .statistics,
      "statistics object public.d",
      isAttached: true,
      create: "CREATE STATISTICS public.d ON name, rank FROM s.item",
      drop: "DROP STATISTICS public.d"
    ),
    DependentSample(
      .publicationTable,
      "publication of table s.item in publication b",
      isAttached: true,
      after: "CREATE PUBLICATION b",
      create: "ALTER PUBLICATION b ADD TABLE ONLY s.item WHERE (name <> '')",
      drop: "ALTER PUBLICATION b DROP TABLE ONLY s.item"
    ),
  ]
}
