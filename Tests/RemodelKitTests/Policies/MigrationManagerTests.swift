import Diagnostics
import ModelMapping
import ObjectModel
import PostgresClient
import RemodelKit
import TestSupport
import Testing

/// Policies that create rows of other entities and share what they know.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct MigrationManagerTests {
  private static let versions = [
    """
    remodel: 1
    entities:
      Person: { attributes: { name: string, city: string? } }
    """,
    """
    remodel: 1
    entities:
      Person:
        attributes: { name: string }
        relationships: { address: { to: Address?, inverse: people } }
      Address:
        attributes: { city: string, kind: string? }
        relationships: { people: { toMany: Person, inverse: address } }
    """,
  ]

  private static let mapping = """
    remodelMapping: 1
    source: "1"
    destination: "2"
    entities:
      - name: Addresses
        source: Person
        destination: Address
        policy: PersonPolicy
        attributes:
          kind: '"home"'
      - source: Person
        destination: Person
        policy: PersonPolicy
        relationships:
          address: FUNCTION($manager, "destinationInstancesForEntityMappingNamed:sourceInstances:", "Addresses", $source)
    """

  /// Looks addresses up, or creates them.
  private struct PersonPolicy: EntityMigrationPolicy {
    let version = "1"
    var sets = true

    func instanceCreation(for mapping: EntityMapping) throws -> InstanceCreation? {
      mapping.name == "Addresses"
        ? InstanceCreation(setting: ["city"], createdBy: "PersonToPerson")
        : InstanceCreation(setting: [], from: ["city"], usesManager: true)
    }

    func createDestinationInstances(
      forSource instances: [SourceInstance],
      in mapping: EntityMapping,
      manager: MigrationManager
    ) throws -> [DestinationInstance] {
      for source in instances {
        guard let city = try source.string(forKey: "city") else { continue }
        if let known = manager.userInfo[city] as? DestinationInstance {
          try manager.associate(source, with: known)
        } else {
          var address = try manager.createInstance(forEntityMappingNamed: "Addresses")
          if sets { try address.setValue(.string(city), forKey: "city") }
          try manager.associate(source, with: address)
          manager.userInfo[city] = address
        }
      }
      return instances.map(DestinationInstance.init(of:))
    }
  }

  private func withRows<Result>(
    _ policy: PersonPolicy = PersonPolicy(),
    _ strategy: CopyStrategy = .locked,
    body: (Remodel, String) async throws -> Result
  ) async throws -> Result {
    try await withBundle(Self.versions, mappings: ["1-2": Self.mapping]) { models in
      try await TestServer.withDatabase { url in
        let remodel = Remodel(
          RemodelConfiguration(
            modelsPath: models,
            strategy: strategy,
            policies: ["PersonPolicy": policy]
          )
        )
        _ = try await remodel.migrate(.url(url), to: "1")
        try PostgresConnection(to: .url(url)).execute(
          """
          INSERT INTO public.person (name, city) SELECT 'P' || i,
            CASE WHEN i % 10 = 0 THEN NULL ELSE 'City ' || i % 7 END
            FROM generate_series(1, 1000) AS i
          """
        )
        return try await body(remodel, url)
      }
    }
  }

  @Test
  func `rows of another entity are looked up or created, over all batches`() async throws {
    try await withRows { remodel, url in
      _ = try await remodel.migrate(.url(url))

      let found = try PostgresConnection(to: .url(url)).query(
        """
        SELECT concat_ws(' ', (SELECT count(*) FROM public.address WHERE kind = 'home'), count(*), \
        count(address), count(*) FILTER (WHERE a.city = 'City ' || substr(name, 2)::int % 7)) \
        FROM public.person LEFT JOIN public.address AS a ON a._id = address
        """
      ).value
      #expect(found == "7 1000 900 900")
    }
  }

  @Test
  func `a copy in several transactions is refused`() async throws {
    for strategy in [CopyStrategy.gated, .online] {
      try await withRows(PersonPolicy(), strategy) { remodel, url in
        let error = await #expect(throws: RemodelError.self) {
          try await remodel.migrate(.url(url))
        }
        #expect(error?.diagnostics.first?.hint?.contains("locked") ?? false)
      }
    }
  }

  @Test
  func `a required attribute needs a value`() async throws {
    try await withRows(PersonPolicy(sets: false)) { remodel, url in
      let error = await #expect(throws: (any Error).self) {
        try await remodel.migrate(.url(url))
      }
      let words = (error as? any DiagnosticError)?.diagnostics.first?.description ?? ""
      #expect(words.contains("city"))
    }
  }

  /// Numbers the rows of all entities in one sequence.
  private struct NumberingPolicy: EntityMigrationPolicy {
    let version = "1"

    func instanceCreation(for mapping: EntityMapping) throws -> InstanceCreation? {
      InstanceCreation(setting: ["name"], from: ["name"], usesManager: true)
    }

    func createDestinationInstances(
      forSource instances: [SourceInstance],
      in mapping: EntityMapping,
      manager: MigrationManager
    ) throws -> [DestinationInstance] {
      try instances.map { source in
        let number = (manager.userInfo["rows"] as? Int ?? 0) + 1
        manager.userInfo["rows"] = number
        var instance = DestinationInstance(of: source)
        try instance.setValue(.string("\(number)"), forKey: "name")
        return instance
      }
    }
  }

  @Test
  func `all policies of a step share a manager, whichever is the first`() async throws {
    let others =
      "\n  Animal: { attributes: { name: string } }\n  Zebra: { attributes: { name: string } }\n"
    let mappings = ["Animal", "Zebra"].map {
      "\n  - { source: \($0), destination: \($0), policy: NumberingPolicy }"
    }
    .joined()
    try await withBundle(
      Self.versions.map { $0 + others },
      mappings: ["1-2": Self.mapping + mappings]
    ) { models in
      try await TestServer.withDatabase { url in
        let remodel = Remodel(
          RemodelConfiguration(
            modelsPath: models,
            strategy: .locked,
            policies: ["PersonPolicy": PersonPolicy(), "NumberingPolicy": NumberingPolicy()]
          )
        )
        _ = try await remodel.migrate(.url(url), to: "1")
        let connection = try PostgresConnection(to: .url(url))
        try connection.execute(
          """
          INSERT INTO public.animal (name) VALUES ('a'), ('b');
          INSERT INTO public.zebra (name) VALUES ('c'), ('d');
          INSERT INTO public.person (name, city) VALUES ('P', 'Bonn'), ('Q', 'Bonn')
          """
        )

        _ = try await remodel.migrate(.url(url))

        let numbers = try connection.query(
          """
          SELECT string_agg(name, ' ' ORDER BY name) FROM \
          (SELECT name FROM public.animal UNION ALL SELECT name FROM public.zebra) AS n
          """
        ).value
        #expect(numbers == "1 2 3 4")
        #expect(try connection.query("SELECT count(*) FROM public.address").value == "1")
      }
    }
  }
}
