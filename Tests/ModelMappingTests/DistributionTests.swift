import ModelMapping
import ObjectModel
import TestSupport
import Testing

@Suite
struct DistributionTests {
  /// Returns a model of an owner and an entity that may be distributed beside it.
  private static func model(
    _ distribution: DistributionDescription?,
    link: String = "tenant",
    was identifier: String? = nil,
    owner: String = "Tenant",
    wasOwner: String? = nil
  ) -> ManagedObjectModel {
    ManagedObjectModel(entities: [
      .init(
        name: "Order",
        attributes: [.init(name: "number", type: .integer64, isOptional: false)],
        relationships: [
          .init(
            name: link,
            destinationEntityName: owner,
            isOptional: false,
            renamingIdentifier: identifier
          )
        ],
        distribution: distribution
      ),
      .init(name: owner, renamingIdentifier: wasOwner, distribution: .rows(by: nil)),
    ])
  }

  private static let beside = DistributionDescription.rows(by: "number", colocateWith: "Tenant")

  // MARK: - Differences

  private static let differences: [(DistributionDescription?, DistributionDescription?, String)] = [
    (nil, .reference, "Order: distribution none -> reference"),
    (.rows(by: "tenant"), nil, "Order: distribution by: tenant -> none"),
    (.rows(by: nil), beside, "Order: distribution by: _id -> by: number, colocateWith: Tenant"),
  ]

  @Test(arguments: differences)
  func `another distribution is a change`(
    before: DistributionDescription?,
    after: DistributionDescription?,
    line: String
  ) {
    let source = Self.model(before)
    let destination = Self.model(after)

    let changes = ModelDifference(from: source, to: destination).changes

    #expect(changes.map(\.kind) == [.distributionChanged])
    #expect(changes.map(\.description) == [line])
    #expect(source.versionHashes().checksum == destination.versionHashes().checksum)
  }

  @Test
  func `another name of the property is no other distribution`() {
    let source = Self.model(.rows(by: "tenant"))
    let destination = Self.model(.rows(by: "owner"), link: "owner", was: "tenant")

    let changes = ModelDifference(from: source, to: destination).changes

    #expect(changes.map(\.kind) == [.relationshipRenamed, .renamingIdentifierChanged])
  }

  @Test
  func `another name of the entity beside is no other distribution`() {
    let source = Self.model(Self.beside)
    let destination = Self.model(
      .rows(by: "number", colocateWith: "Client"),
      owner: "Client",
      wasOwner: "Tenant"
    )

    let changes = ModelDifference(from: source, to: destination).changes

    #expect(changes.map(\.kind) == [.entityRenamed, .renamingIdentifierChanged])
  }

  @Test
  func `another entity of the same name is another one to be beside`() {
    func model(_ name: String, was identifier: String?) -> ManagedObjectModel {
      ManagedObjectModel(
        entities: [
          .init(name: "Order", distribution: .rows(by: nil, colocateWith: "Tenant")),
          .init(name: name, renamingIdentifier: identifier, distribution: .rows(by: nil)),
        ] + (name == "Tenant" ? [] : [.init(name: "Tenant", renamingIdentifier: "New")])
      )
    }

    let changes = ModelDifference(from: model("Tenant", was: nil), to: model("Old", was: "Tenant"))
      .changes

    #expect(changes.first?.kind == .distributionChanged)
    #expect(changes.first?.before == "by: _id, colocateWith: Old")
  }

  @Test
  func `a mapping is inferred between all kinds of distribution`() throws {
    let models = [
      Self.model(nil), Self.model(.reference), Self.model(.rows(by: "tenant")),
      Self.model(Self.beside),
    ]
    let plain = try CompleteMapping(from: models[0], to: models[0])

    for source in models {
      for destination in models {
        let mapping = try CompleteMapping(from: source, to: destination)

        #expect(mapping.mappingModel == plain.mappingModel)
        #expect(mapping.warnings.isEmpty)
      }
    }
  }

  // MARK: - Merges

  @Test
  func `a merge has the distribution of the version that changed it`() {
    let base = Self.model(nil)

    for distribution in [.reference, .rows(by: "tenant"), Self.beside] {
      let distributed = Self.model(distribution)
      for (first, second) in [(base, distributed), (distributed, base), (distributed, distributed)]
      {
        let merge = ModelMerge(of: first, and: second, over: base)

        #expect(merge.conflicts.isEmpty)
        #expect(merge.model == distributed)
      }
      #expect(ModelMerge(of: base, and: distributed, over: distributed).model == base)
    }
  }

  @Test
  func `two other distributions are a conflict`() {
    let merge = ModelMerge(
      of: Self.model(Self.beside),
      and: Self.model(.reference),
      over: Self.model(.rows(by: "tenant"))
    )

    #expect(merge.conflicts.map(\.subject) == ["the distribution of entity \"Order\""])
    #expect(merge.conflicts.map(\.first.value) == ["by: number, colocateWith: Tenant"])
    #expect(merge.conflicts.map(\.second.value) == ["reference"])
  }

  @Test
  func `a merge distributes by what one version has renamed`() {
    let merge = ModelMerge(
      of: Self.model(nil, link: "owner", was: "tenant", owner: "Client", wasOwner: "Tenant"),
      and: Self.model(.rows(by: "tenant", colocateWith: "Tenant")),
      over: Self.model(nil)
    )

    #expect(merge.isClean)
    #expect(
      merge.model.entities[0].distribution == .rows(by: "owner", colocateWith: "Client")
    )
  }

  @Test
  func `what one version removes cannot be what the other one distributes by`() {
    var entity = Self.model(nil).entities[0]
    entity.attributes.removeAll()

    let merge = ModelMerge(
      of: ManagedObjectModel(entities: [entity, Self.model(nil).entities[1]]),
      and: Self.model(Self.beside),
      over: Self.model(nil)
    )

    #expect(merge.conflicts.map(\.subject) == ["the distribution of entity \"Order\""])
    #expect(merge.conflicts.map(\.first.value) == ["has no property \"number\""])
    #expect(merge.conflicts.map(\.second.value) == ["uses property \"number\""])
  }

  @Test
  func `an entity that one version removes cannot be what rows of the other one are beside`() {
    func model(
      _ distribution: DistributionDescription?,
      hasOther: Bool = true
    ) -> ManagedObjectModel {
      ManagedObjectModel(
        entities: [.init(name: "Order", distribution: distribution)]
          + (hasOther ? [.init(name: "Tenant", distribution: .rows(by: nil))] : [])
      )
    }

    let merge = ModelMerge(
      of: model(nil, hasOther: false),
      and: model(.rows(by: nil, colocateWith: "Tenant")),
      over: model(nil)
    )

    #expect(merge.conflicts.map(\.subject) == ["the distribution of entity \"Order\""])
    #expect(merge.conflicts.map(\.first.value) == ["has no entity \"Tenant\""])
    #expect(merge.conflicts.map(\.second.value) == ["uses entity \"Tenant\""])
  }
}
