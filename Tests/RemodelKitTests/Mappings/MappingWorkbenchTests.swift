import Diagnostics
import FoundationEssentials
import PostgresClient
import RemodelKit
import TestSupport
import Testing

/// Drafts with all properties, and previews of rows.
@Suite(.timeLimit(.minutes(30)))
struct MappingWorkbenchTests {
  private static let versions = [
    """
    remodel: 1
    entities:
      Customer:
        attributes: { fullName: string?, city: string?, score: integer16?, old: date? }
        relationships: { orders: { toMany: Order, inverse: customer } }
      Order:
        attributes: { amount: decimal? }
        relationships: { customer: { to: Customer?, inverse: orders } }
    """,
    """
    remodel: 1
    entities:
      Customer:
        attributes:
          fullName: string?
          score: integer32?
          level: { type: integer16, default: 3 }
          isActive: { type: boolean, default: true }
          note: { type: string, default: none }
          born: string
        relationships: { orders: { toMany: Order, inverse: customer } }
      Order:
        attributes: { amount: decimal? }
        relationships: { customer: { to: Customer?, inverse: orders } }
      Town:
        attributes: { name: string? }
    """,
  ]

  @Test
  func `a draft has every property, and a hole where nobody knows`() async throws {
    try await withBundle(Self.versions) { models in
      let remodel = Remodel(models: models)
      let draft = try remodel.draftMapping(from: "1", to: "2", writingOut: ["Customer", "Town"])

      expectGolden(draft.text, named: "written-out.yaml")
      #expect(
        throws: RemodelError.self
      ) { try remodel.draftMapping(from: "1", to: "2", writingOut: ["Custmer"]) }
    }
  }

  @Test
  func `a draft without holes costs no more than inference`() async throws {
    let versions = Self.versions.map {
      $0.replacing("city: string?, ", with: "").replacing("born: string\n", with: "\n")
    }
    try await withBundle(versions) { models in
      let draft = try Remodel(models: models)
        .draftMapping(from: "1", to: "2", writingOut: ["Order", "Customer"])
      #expect(draft.holes.isEmpty)
      try await withBundle(versions, mappings: ["1-2": draft.text]) { mapped in
        let inferred = try Remodel(models: models).plan(from: "1", to: "2")
        let written = try Remodel(models: mapped).plan(from: "1", to: "2")

        #expect(
          written.plan.steps.flatMap(\.statements).map(\.sql.text)
            == inferred.plan.steps.flatMap(\.statements).map(\.sql.text)
        )
      }
    }
  }

  @Test
  func `a plan file has that no step is inferred`() throws {
    var settings = PlanSettings()
    settings.usesMappingsOnly = true

    let text = try JSONEncoder().encode(settings)

    #expect(try JSONDecoder().decode(PlanSettings.self, from: text) == settings)
    let usual = String(decoding: try JSONEncoder().encode(PlanSettings()), as: UTF8.self)
    #expect(!usual.contains("mappingsOnly"))
  }

  @Test(.tags(.server), .enabled(if: TestServer.isAvailable))
  func `without inference a step needs a mapping model`() async throws {
    try await withBundle(Self.versions) { models in
      try await TestServer.withDatabase { url in
        var configuration = RemodelConfiguration(modelsPath: models)
        configuration.usesMappingsOnly = true
        let remodel = Remodel(configuration)
        _ = try await remodel.migrate(.url(url), to: "1")

        let error = await #expect(throws: RemodelError.self) {
          try await remodel.migrate(.url(url))
        }
        #expect(error?.fact == .stepWithoutMappingModel("1", "2"))
        #expect(try await Remodel(models: models).migrate(.url(url)).outcome == .migrated)
        // There is no step any more.
        #expect(try await remodel.check(.url(url)).isCurrent)
      }
    }
  }

  private static let mapping = """
    remodelMapping: 1
    source: "1"
    destination: "2"
    entities:
      - name: Towns
        source: Customer
        destination: Town
        distinct: [$source.city]
        attributes: { name: uppercase($source.city) }
      - source: Customer
        destination: Customer
        where: $source.score > 0
        attributes:
          fullName: concat($source.fullName, " of ", $source.city)
          born: '"1900"'
          note: concat($destination.fullName, "!")
    """

  @Test(.tags(.server), .enabled(if: TestServer.isAvailable))
  func `a preview shows rows side by side, and changes nothing`() async throws {
    try await withBundle(Self.versions, mappings: ["1-2": Self.mapping]) { models in
      try await TestServer.withDatabase { url in
        let remodel = Remodel(models: models)
        _ = try await remodel.migrate(.url(url), to: "1")
        let connection = try PostgresConnection(to: .url(url))
        try connection.execute(
          """
          INSERT INTO public.customer (full_name, city, score) VALUES ('Ada', 'Rome', 1),
            ('Bob', 'Rome', 0), ('Cy', 'Oslo', 2);
          INSERT INTO public."order" (amount, customer) VALUES (1.5, 1), (2, 3)
          """
        )
        let customers = try await remodel.previewMapping(.url(url), of: "Customer", rows: 1)
        let towns = try await remodel.previewMapping(.url(url), of: "Town")
        let orders = try await remodel.previewMapping(.url(url), of: "Order")

        let own = try #require(customers.mappings.first { $0.destinationEntityName == "Customer" })
        #expect(own.rows.count == 1)
        #expect(own.value("_id") == "1")
        #expect(own.value("fullName") == "Ada of Rome")
        #expect(own.value("note") == "Ada of Rome!")
        #expect(own.value("level") == "3")
        let made = try #require(towns.mappings.first)
        #expect(made.rows.count == 2)
        #expect(
          Set(made.rows.map { $0.destination.first { $0.name == "name" }?.text }) == [
            "ROME", "OSLO",
          ]
        )
        #expect(made.rows[0].destination.first { $0.name == "_id" }?.origin == "new")
        #expect(orders.mappings.first?.value("customer") == "1")
        #expect(try await !remodel.check(.url(url)).isCurrent)
        await #expect(throws: RemodelError.self) {
          try await remodel.previewMapping(.url(url), of: "Ordr")
        }
      }
    }
  }

  @Test(.tags(.server), .enabled(if: TestServer.isAvailable))
  func `SQL of a mapping cannot write in a preview`() async throws {
    let writing = Self.mapping.replacing(
      #"'"1900"'"#,
      with: #"SQL("(SELECT public.break_in())")"#
    )
    try await withBundle(Self.versions, mappings: ["1-2": writing]) { models in
      try await TestServer.withDatabase { url in
        let remodel = Remodel(models: models)
        _ = try await remodel.migrate(.url(url), to: "1")
        let connection = try PostgresConnection(to: .url(url))
        try connection.execute(
          """
          INSERT INTO public.customer (full_name, score) VALUES ('Ada', 1);
          CREATE TABLE public.trace (i int);
          CREATE FUNCTION public.break_in() RETURNS text LANGUAGE sql
            AS 'INSERT INTO public.trace VALUES (1); SELECT ''x'''
          """
        )
        await #expect(throws: (any Error).self) {
          try await remodel.previewMapping(.url(url), of: "Customer")
        }
        #expect(try connection.query("SELECT count(*) FROM public.trace").value == "0")
      }
    }
  }
}

extension PreviewedMapping {
  /// Returns a value of the first row of the destination.
  fileprivate func value(_ name: String) -> String? {
    rows.first?.destination.first { $0.name == name }?.text
  }
}
