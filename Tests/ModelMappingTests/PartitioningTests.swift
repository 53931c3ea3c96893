import ModelMapping
import ObjectModel
import TestSupport
import Testing

@Suite
struct PartitioningTests {
  /// Returns a model of one entity that may be partitioned by its attribute.
  private static func model(
    _ partitioning: PartitioningDescription?,
    by attribute: String = "placed",
    was identifier: String? = nil
  ) -> ManagedObjectModel {
    var model = Samples.model(
      "Order",
      AttributeDescription(
        name: attribute,
        type: .date,
        isOptional: false,
        renamingIdentifier: identifier
      ),
      AttributeDescription(name: "sent", type: .date, isOptional: false)
    )
    var entity = model.entities[0]
    entity.partitioning = partitioning
    model = ManagedObjectModel(entities: [entity])
    return model
  }

  private static func monthly(
    _ attribute: String = "placed",
    keep: PartitioningDescription.Interval? = nil
  ) -> PartitioningDescription {
    PartitioningDescription(
      .range(attribute: attribute, every: .time(1, .month)),
      retention: keep
    )
  }

  private static let byKey = PartitioningDescription(.hash(attribute: nil, partitions: 16))

  // MARK: - Differences

  private static let differences: [(PartitioningDescription?, PartitioningDescription?, String)] = [
    (
      nil, monthly(),
      "Order: partitioning none -> range(placed), every: 1 month, ahead: 3"
    ),
    (
      monthly(), nil,
      "Order: partitioning range(placed), every: 1 month, ahead: 3 -> none"
    ),
    (
      monthly(keep: .time(2, .year)), byKey,
      "Order: partitioning range(placed), every: 1 month, ahead: 3, keep: 2 years -> hash(_id, 16)"
    ),
  ]

  @Test(arguments: differences)
  func `another partitioning is a change`(
    before: PartitioningDescription?,
    after: PartitioningDescription?,
    line: String
  ) {
    let source = Self.model(before)
    let destination = Self.model(after)

    let changes = ModelDifference(from: source, to: destination).changes

    #expect(changes.map(\.kind) == [.partitioningChanged])
    #expect(changes.map(\.description) == [line])
    #expect(source.versionHashes().checksum == destination.versionHashes().checksum)
  }

  @Test
  func `another name of the attribute is no other partitioning`() {
    let source = Self.model(Self.monthly())
    let destination = Self.model(Self.monthly("ordered"), by: "ordered", was: "placed")

    let changes = ModelDifference(from: source, to: destination).changes

    #expect(changes.map(\.kind) == [.attributeRenamed, .renamingIdentifierChanged])
  }

  @Test
  func `a mapping is inferred between tables that are partitioned and those that are not`() throws {
    let models = [Self.model(nil), Self.model(Self.monthly()), Self.model(Self.byKey)]

    for source in models {
      for destination in models {
        let mapping = try CompleteMapping(from: source, to: destination)
        let plain = try CompleteMapping(from: models[0], to: models[0])

        #expect(mapping.mappingModel == plain.mappingModel)
        #expect(mapping.warnings.isEmpty)
      }
    }
  }

  // MARK: - Merges

  @Test
  func `a merge has the partitioning of the version that changed it`() {
    let base = Self.model(nil)
    let partitioned = Self.model(Self.monthly())

    for (first, second) in [(base, partitioned), (partitioned, base), (partitioned, partitioned)] {
      let merge = ModelMerge(of: first, and: second, over: base)

      #expect(merge.isClean)
      #expect(merge.model == partitioned)
    }
    #expect(ModelMerge(of: base, and: partitioned, over: partitioned).model == base)
  }

  @Test
  func `two other partitionings are a conflict`() {
    let merge = ModelMerge(
      of: Self.model(Self.monthly(keep: .time(2, .year))),
      and: Self.model(Self.byKey),
      over: Self.model(Self.monthly())
    )

    #expect(merge.conflicts.map(\.subject) == ["the partitioning of entity \"Order\""])
    #expect(
      merge.conflicts.map(\.first.value) == [
        "range(placed), every: 1 month, ahead: 3, keep: 2 years"
      ]
    )
    #expect(merge.conflicts.map(\.second.value) == ["hash(_id, 16)"])
  }

  @Test
  func `a merge partitions by the attribute that one version has renamed`() {
    let merge = ModelMerge(
      of: Self.model(nil, by: "ordered", was: "placed"),
      and: Self.model(Self.monthly()),
      over: Self.model(nil)
    )

    #expect(merge.isClean)
    #expect(merge.model.entities[0].partitioning == Self.monthly("ordered"))
  }

  @Test
  func `an attribute that one version removes cannot be what the other one partitions by`() {
    var entity = Self.model(nil).entities[0]
    entity.attributes.removeFirst()

    let merge = ModelMerge(
      of: ManagedObjectModel(entities: [entity]),
      and: Self.model(Self.monthly()),
      over: Self.model(nil)
    )

    #expect(merge.conflicts.map(\.subject) == ["the partitioning of entity \"Order\""])
    #expect(merge.conflicts.map(\.first.value) == ["has no property \"placed\""])
    #expect(merge.conflicts.map(\.second.value) == ["uses property \"placed\""])
  }
}
