import Diagnostics
import ModelMapping
import PostgresClient
import RemodelKit
import TestSupport
import Testing

/// What the variables of Core Data's mapping models offer besides rows.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct MappingVariableTests {
  private static let versions = [
    """
    remodel: 1
    entities:
      Reader:
        attributes: { name: string, age: integer16? }
        userInfo: { team: blue }
    """,
    """
    remodel: 1
    entities:
      Person:
        renamingIdentifier: Reader
        attributes: { name: string, age: integer16?, note: string?, number: integer32?, isAdult: boolean?, token: uuid? }
    """,
  ]

  private static func mapping(_ attributes: [String]) -> String {
    """
    remodelMapping: 1
    source: "1"
    destination: "2"
    entities:
      - name: People
        source: Reader
        destination: Person
        policy: PersonPolicy
        userInfo: { origin: old }
        attributes:
    \(attributes.map { "      \($0)" }.joined(separator: "\n"))
    """
  }

  private struct PersonPolicy: EntityMigrationPolicy {
    let version = "1"
  }

  /// Migrates a reader and returns the row as JSON.
  private func migrate(
    _ attributes: [String],
    userInfo: [String: String] = [:]
  ) async throws -> String? {
    try await withBundle(Self.versions, mappings: ["1-2": Self.mapping(attributes)]) { models in
      try await TestServer.withDatabase { url in
        var configuration = RemodelConfiguration(
          modelsPath: models,
          policies: ["PersonPolicy": PersonPolicy()]
        )
        configuration.userInfo = userInfo
        let remodel = Remodel(configuration)
        _ = try await remodel.migrate(.url(url), to: "1")
        try PostgresConnection(to: .url(url))
          .execute("INSERT INTO public.reader (name, age) VALUES ('ada', 36), ('bob', 7)")
        _ = try await remodel.migrate(.url(url))
        return try PostgresConnection(to: .url(url)).query(
          """
          SELECT string_agg(concat_ws(' ', note, number, is_adult), ', ' ORDER BY _id) \
          FROM public.person
          """
        ).value
      }
    }
  }

  @Test(arguments: [
    ("$entityMapping.name", "People"), ("$entityMapping.userInfo.origin", "old"),
    ("$entityMapping.sourceEntityName", "Reader"),
    ("$entityMapping.destinationEntityName", "Person"),
    ("$propertyMapping.name", "note"), ("$entityPolicy.className", "PersonPolicy"),
    ("$entityMapping.entityMigrationPolicyClassName", "PersonPolicy"),
    ("$source.entity.name", "Reader"), ("$source.entity.userInfo.team", "blue"),
    ("$destination.entity.name", "Person"), ("$manager.userInfo.shop", "north"),
    ("$manager.currentEntityMapping.name", "People"),
    ("FUNCTION($manager, \"userInfo\").shop", "north"),
    ("FUNCTION($manager.userInfo, \"objectForKey:\", \"shop\")", "north"),
    ("FUNCTION($manager, \"destinationEntityForEntityMapping:\", $entityMapping).name", "Person"),
    ("concat($destination.entity.renamingIdentifier, $source.entity.superentity.name)", "Reader"),
  ])
  func `a name is a constant`(expression: String, value: String) async throws {
    let found = try await migrate(["  note: '\(expression)'"], userInfo: ["shop": "north"])

    #expect(found == "\(value), \(value)")
  }

  @Test
  func `an attribute of the new row is read where it is set`() async throws {
    let found = try await migrate([
      "  note: concat($destination.number, $destination.name)", "  number: $source.age * 2",
      "  name: uppercase($source.name)", "  isAdult: $source.age > 18",
    ])

    #expect(found == "72ADA 72 t, 14BOB 14 f")
  }

  @Test
  func `a property's own user info is read`() async throws {
    let found = try await migrate([
      "  note: { value: $propertyMapping.userInfo.mark, userInfo: { mark: x } }"
    ])

    #expect(found == "x, x")
  }

  @Test(arguments: [
    ("note: $entityMapping.nam", "name"),
    ("note: $manager.userInfo.shop", "--user-info shop=VALUE"),
    ("note: $manager.userinfo.shop", "userInfo"), ("note: $entityMapping.userInfo.orign", "origin"),
    ("note: $destination.note", "attributes that do not depend on it"),
    ("note: CAST($destination.token, \"NSString\")\n        token: uuid()", "uuid()"),
    ("note: $destination.nothing", "stored and not derived"),
    ("note: $source.entity.nam", "name"), ("note: $manager", "$source"),
  ])
  func `what there is not is refused with a hint`(attribute: String, hint: String) async throws {
    try await withBundle(
      Self.versions,
      mappings: ["1-2": Self.mapping(["  \(attribute)"])]
    ) { models in
      let remodel = Remodel(models: models, policies: ["PersonPolicy": PersonPolicy()])
      let error = #expect(throws: (any Error).self) { try remodel.validateMappings() }
      let words = (error as? any DiagnosticError)?.diagnostics.map(\.description)
      #expect(words?.count == 1)
      #expect(words?.first?.contains(hint) ?? false, "\(words ?? [])")
    }
  }
}
