import ObjectModel
import TestSupport
import Testing

@Suite
struct DistributionTests {
  private static let everyKind: [(DistributionDescription, String)] = [
    (.reference, "reference"), (.rows(by: nil), "by: _id"), (.rows(by: "a"), "by: a"),
    (.rows(by: "reference", colocateWith: "B"), "by: reference, colocateWith: B"),
    (.rows(by: nil, colocateWith: "B"), "by: _id, colocateWith: B"),
  ]

  @Test(arguments: everyKind)
  func `an archive keeps how a table is distributed`(
    distribution: DistributionDescription,
    words: String
  ) throws {
    let model = ManagedObjectModel(entities: [.init(name: "A", distribution: distribution)])

    let text = try ModelArchive.text(of: model)

    #expect(try ModelArchive.model(from: text) == model)
    #expect(distribution.description == words)
  }

  @Test(arguments: [
    "{}", #"{"kind":"schema"}"#, #"{"by":"a"}"#, #"{"kind":"reference","by":"a"}"#,
    #"{"kind":"reference","colocateWith":"B"}"#, #""reference""#, #"{"kind":"rows","by":1}"#,
  ])
  func `an archive with another distribution is damaged`(distribution: String) {
    let text = #"{"entities":[{"name":"A","distribution":\#(distribution)}]}"#

    #expect(throws: DecodingError.self) { try ModelArchive.model(from: text) }
  }

  @Test
  func `a reference table has no names to change`() {
    let renamed = Self.everyKind.map { distribution, _ in
      var distribution = distribution
      distribution.propertyName = "x"
      distribution.colocatedEntityName = "Y"
      return distribution.description
    }

    #expect(renamed == ["reference"] + Array(repeating: "by: x, colocateWith: Y", count: 4))
  }

  @Test
  func `rows are beside those that are named, else beside those that they belong to`() throws {
    let model = ManagedObjectModel(entities: [
      .init(name: "Tenant", distribution: .rows(by: nil)),
      .init(name: "Guest", superentityName: "Tenant"),
      .init(
        name: "Order",
        relationships: [.init(name: "guest", destinationEntityName: "Guest", isOptional: false)],
        distribution: .rows(by: "guest")
      ),
      .init(name: "Item", distribution: .rows(by: nil, colocateWith: "Order")),
      .init(name: "Other", distribution: .rows(by: nil, colocateWith: "Guest")),
      .init(name: "Country", distribution: .reference),
      .init(name: "Ring", distribution: .rows(by: nil, colocateWith: "Ring")),
    ])

    let neighbors = model.entities.map { model.colocatedEntity(of: $0)?.name }

    #expect(neighbors == [nil, nil, "Tenant", "Order", nil, nil, "Ring"])
    #expect(
      model.entities.map(model.colocation)
        == ["Tenant", "Guest", "Tenant", "Tenant", "Other", "Country", "Ring"]
    )
  }
}
