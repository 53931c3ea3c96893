import ObjectModel
import SQLSyntax
import TestSupport
import Testing

@testable import CatalogComparison
@testable import MigrationPlanning

/// The comparison by itself, without a server.
@Suite
struct DriftComparisonTests {
  private let projection: ModelProjection

  init() throws {
    projection = try ModelProjection(
      ManagedObjectModel(entities: [
        EntityDescription(
          name: "Book",
          attributes: [
            AttributeDescription(name: "title", type: .string, isOptional: false),
            AttributeDescription(
              name: "pages",
              type: .integer32,
              defaultValue: .integer(1)
            ),
          ],
          uniquenessConstraints: [["title"]]
        )
      ]),
      schema: "public"
    )
  }

  /// The catalog of a database that is as the model says.
  private var catalog: [CatalogObject: ObjectDefinition] {
    ObjectExpectation.all(of: projection.schema).mapValues { expectation in
      var facets: [ObjectDefinition.Facet: String?] = [.definition: expectation.sql()]
      for (facet, requirement) in expectation.requirements {
        switch requirement {
        case .exactly(let text): facets.updateValue(text, forKey: facet)
        case .something: facets[facet] = "((pages + 1) > 0)"
        }
      }
      return ObjectDefinition(facets)
    }
  }

  private func column(_ name: String) -> CatalogObject {
    CatalogObject(.column, table: "book", name: name)
  }

  private func drifts(
    _ live: [CatalogObject: ObjectDefinition],
    recorded: [CatalogObject: ObjectDefinition]? = nil,
    majors: (recorded: Int, live: Int) = (15, 15),
    retained: [RetainedObject] = [],
    pending: Set<CatalogObject> = []
  ) -> DriftComparison.Result {
    DriftComparison(
      of: projection,
      recorded: RecordedDefinitions(serverMajor: majors.recorded, objects: recorded ?? catalog),
      live: LiveCatalog(serverMajor: majors.live, objects: live),
      retained: retained,
      pending: pending
    ).result()
  }

  private func summaries(_ result: DriftComparison.Result) -> [String] {
    result.drifts.map { "\($0.change.rawValue) \($0.object)" }
  }

  @Test
  func `what is as it should be is no drift`() {
    #expect(drifts(catalog) == DriftComparison.Result())
    #expect(catalog.count > 5)
  }

  @Test
  func `storage parameters of the model are compared, and no others`() throws {
    let projection = try ModelProjection(
      ManagedObjectModel(entities: [EntityDescription(name: "A", storage: ["fillfactor": "80"])]),
      schema: "public"
    )
    let table = CatalogObject(.table, table: "a")
    let recorded = ObjectExpectation.all(of: projection.schema).mapValues { expectation in
      ObjectDefinition(
        expectation.requirements.mapValues { requirement in
          if case .exactly(let text) = requirement { text } else { "something" }
        }
      )
    }
    func drifts(_ storage: String?) -> [Drift] {
      var live = recorded
      live[table]?.facets.updateValue(storage, forKey: .storage)
      return DriftComparison(
        of: projection,
        recorded: RecordedDefinitions(serverMajor: 15, objects: recorded),
        live: LiveCatalog(serverMajor: 15, objects: live)
      ).result().drifts
    }

    #expect(drifts("fillfactor=80, parallel_workers=4").isEmpty)
    #expect(drifts("fillfactor=80.0").isEmpty)
    let drift = try #require(drifts("fillfactor=90, parallel_workers=4").first)
    #expect(drift.actual == "storage fillfactor=90")
    #expect(drift.expected == "storage fillfactor=80")
    #expect(
      drift.remedy.map(\.text) == ["ALTER TABLE \"public\".\"a\" SET (\"fillfactor\" = '80')"]
    )
    #expect(drift.hint.contains("records what it finds") == false)
    #expect(drifts(nil).count == 1)
  }

  @Test
  func `a missing schema is reported once`() {
    let result = DriftComparison(
      of: projection,
      recorded: nil,
      live: LiveCatalog(serverMajor: 15, hasSchema: false, objects: [:])
    ).result()

    #expect(summaries(result) == ["missing schema \"public\""])
  }

  @Test
  func `a missing table is reported without its parts`() {
    let result = drifts([:])

    #expect(summaries(result) == ["missing table \"book\""])
    #expect(result.drifts.first?.element == .entity("Book"))
  }

  @Test
  func `every missing object is reported`() {
    for object in catalog.keys where object.kind != .table {
      var live = catalog
      live[object] = nil

      #expect(summaries(drifts(live)) == ["missing \(object)"])
    }
  }

  @Test
  func `every facet that the model determines is compared`() {
    for (object, expectation) in ObjectExpectation.all(of: projection.schema) {
      for facet in expectation.requirements.keys {
        var live = catalog
        live[object]?.facets.updateValue(
          expectation.requirements[facet] == .something ? nil : "another",
          forKey: facet
        )

        let withoutRecord = drifts(live, recorded: [:])
        #expect(summaries(withoutRecord) == ["changed \(object)"], "\(facet)")
        #expect(summaries(drifts(live)) == ["changed \(object)"], "\(facet)")
        // Nor does it help that it was recorded so.
        #expect(summaries(drifts(live, recorded: live)) == ["changed \(object)"], "\(facet)")
      }
    }
  }

  @Test
  func `what was recorded wrongly is not demanded`() {
    var recorded = catalog
    recorded[column("title")]?.facets.updateValue("NULL", forKey: .nullability)
    recorded[column("pages")]?.facets.updateValue(nil, forKey: .defaultExpression)

    #expect(drifts(catalog, recorded: recorded).drifts == [])
  }

  @Test
  func `servers of different versions may word expressions differently`() {
    var live = catalog
    live[column("pages")]?.facets[.defaultExpression] = "pages + 1 > 0"
    live[column("title")]?.facets[.notNullConstraint] = "book_title_not_null"

    #expect(summaries(drifts(live)) == ["changed column \"pages\" of table \"book\""])
    #expect(drifts(live, majors: (15, 18)).drifts == [])
    live[column("pages")]?.facets[.defaultExpression] = "pages + 2 > 0"
    #expect(drifts(live, majors: (15, 18)).drifts.count == 1)
  }

  @Test
  func `the name of a constraint that both servers know is compared`() {
    var recorded = catalog
    recorded[column("title")]?.facets[.notNullConstraint] = "book_title_not_null"
    var live = catalog
    live[column("title")]?.facets[.notNullConstraint] = "mine"

    let result = drifts(live, recorded: recorded, majors: (18, 18))

    #expect(result.drifts.count == 1)
    #expect(
      result.drifts.first?.remedy.map(\.text) == [
        """
        ALTER TABLE "public"."book" RENAME CONSTRAINT "mine" TO "book_title_not_null"
        """
      ]
    )
  }

  @Test
  func `a renamed object is reported once, unless two candidates match`() {
    var live = catalog
    live[column("name")] = live[column("title")]
    live[column("title")] = nil
    #expect(summaries(drifts(live)).first == "renamed column \"title\" of table \"book\"")

    live[column("label")] = live[column("name")]
    let either = summaries(drifts(live))
    #expect(either.contains("missing column \"title\" of table \"book\""))
    #expect(either.filter { $0.hasPrefix("extra") }.count == 2)
  }

  @Test
  func `a retained object is no addition, and is reported when it is missing`() {
    let retained = [
      RetainedObject(table: "book", column: "old", version: "1", relationNames: ["book_old_idx"]),
      RetainedObject(table: "label", version: "1"),
    ]
    var live = catalog
    live[column("old")] = ObjectDefinition([.type: "text"])
    live[CatalogObject(.index, table: "book", name: "book_old_idx")] = ObjectDefinition([:])
    live[CatalogObject(.table, table: "label")] = ObjectDefinition([:])

    #expect(drifts(live, retained: retained).drifts == [])
    #expect(
      summaries(drifts(catalog, retained: retained))
        == ["missing column \"old\" of table \"book\"", "missing table \"label\""]
    )
  }

  @Test
  func `work that is known of is pending, and only that`() throws {
    let key = try #require(catalog.keys.first { $0.name == "book_title_key" })
    var live = catalog
    live[key]?.facets[.validity] = "NOT VALID"
    let result = drifts(live, pending: [key])
    #expect(result.drifts == [] && result.pending == [key])

    live[key]?.facets[.columns] = "pages"
    #expect(summaries(drifts(live, pending: [key])) == ["changed \(key)"])
  }

  @Test
  func `additions of every kind are reported`() {
    for kind in CatalogObject.Kind.allCases {
      let object = CatalogObject(kind, table: "book", name: "mine")
      var live = catalog
      live[object] = ObjectDefinition([.definition: "mine", .references: "public.mine"])

      #expect(summaries(drifts(live)) == (kind == .table ? [] : ["extra \(object)"]), "\(kind)")
    }
  }
}
