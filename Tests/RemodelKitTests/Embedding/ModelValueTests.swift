import ModelLoading
import ModelMapping
import ObjectModel
import PostgresClient
import RemodelKit
import TestSupport
import Testing

/// Models and mapping models that no file holds.
@Suite
struct ModelValueTests {
  private func book(_ attributes: AttributeDescription...) -> ManagedObjectModel {
    ManagedObjectModel(entities: [EntityDescription(name: "Book", attributes: attributes)])
  }

  private var source: ManagedObjectModel {
    book(AttributeDescription(name: "title", type: .string, isOptional: false))
  }

  private var destination: ManagedObjectModel {
    book(
      AttributeDescription(name: "title", type: .string, isOptional: false),
      AttributeDescription(name: "initial", type: .string, isOptional: false)
    )
  }

  private var mapping: VersionMapping {
    get throws {
      let initial = PropertyMapping(
        name: "initial",
        valueExpression: .expression(
          try Expression(parsing: "uppercase(substring($source.title, 0, 1))")
        )
      )
      return VersionMapping(
        from: "1",
        to: "2",
        MappingModel(
          entityMappings: [
            EntityMapping(
              name: "BookToBook",
              type: .transform,
              sourceEntityName: "Book",
              destinationEntityName: "Book",
              attributeMappings: [initial]
            )
          ]
        )
      )
    }
  }

  @Test(.tags(.server), .enabled(if: TestServer.isAvailable))
  func `a source and a destination model with a mapping model migrate`() async throws {
    let bundle = try ModelBundle(
      name: "Shop",
      versions: ["1": source, "2": destination],
      mappings: [mapping]
    )
    let remodel = Remodel(models: bundle)
    try await TestServer.withDatabase { url in
      _ = try await remodel.migrate(.url(url), to: "1")
      let connection = try PostgresConnection(to: .url(url))
      try connection.execute("INSERT INTO public.book (title) VALUES ('emma')")

      #expect(try await remodel.plan(.url(url)).plan.steps.count == 1)
      #expect(try await remodel.migrate(.url(url)).outcome == .migrated)

      #expect(try connection.query("SELECT initial FROM public.book").value == "E")
      #expect(try await remodel.verify(.url(url), asksRows: true).isClean)
      #expect(try await remodel.check(.url(url)).isCurrent)
    }
  }

  @Test
  func `a plan between models needs no file and no database`() throws {
    let bundle = try ModelBundle(name: "Shop", versions: ["1": source, "2": source])

    let report = try Remodel(models: bundle).plan(from: "1")

    #expect(report.plan.steps.map(\.destination.name) == ["2"])
  }

  @Test
  func `what inference cannot know is missing without the mapping model`() throws {
    let bundle = try ModelBundle(name: "Shop", versions: ["1": source, "2": destination])
    let complete = try ModelBundle(
      name: "Shop",
      versions: ["1": source, "2": destination],
      mappings: [mapping]
    )

    _ = try Remodel(models: complete).plan(from: "1")
    let report = try Remodel(models: bundle).plan(from: "1")

    // A required attribute without a value is a question to the rows.
    #expect(report.plan.steps[0].preconditions.isEmpty == false)
  }

  @Test
  func `a model that is built by hand and faulty is refused`() throws {
    let faulty = ManagedObjectModel(
      entities: [EntityDescription(name: "Book"), EntityDescription(name: "Book")]
    )

    let error = #expect(throws: ModelLoadingError.self) {
      try ModelBundle(name: "Shop", versions: ["1": faulty])
    }

    #expect(error?.diagnostics.first?.location?.path == "Shop/1")
    let twice = #expect(throws: ModelLoadingError.self) {
      try ModelBundle(name: "Shop", versions: ["1": source, "1": destination])
    }
    #expect(twice?.diagnostics.map(\.message) == ["version \"1\" is there twice"])
    let none = #expect(throws: ModelLoadingError.self) {
      try ModelBundle(name: "Shop", versions: [:])
    }
    #expect(none?.kind == .noBundle)
  }
}
