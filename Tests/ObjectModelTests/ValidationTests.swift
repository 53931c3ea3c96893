import Diagnostics
import ObjectModel
import TestSupport
import Testing

@Suite
struct ValidationTests {
  /// A model that has one fault, and what is said about it.
  struct Case: CustomTestStringConvertible {
    let message: String
    let model: ManagedObjectModel

    init(_ message: String, _ entities: [EntityDescription]) {
      self.init(message, ManagedObjectModel(entities: entities))
    }

    init(_ message: String, _ model: ManagedObjectModel) {
      self.message = message
      self.model = model
    }

    var testDescription: String { message }
  }

  @Test(
    arguments: names + hierarchies + storage + partitions + partitionedTables + distributions
      + distributedTables + attributes + relationships + lists
  )
  func `a fault is reported`(_ testCase: Case) {
    let messages = testCase.model.complaints().map { $0.diagnostic(in: testCase.model).message }

    #expect(messages == [testCase.message])
  }

  @Test
  func `a fault of partitions is explained`() {
    let lines = (Self.partitions + Self.partitionedTables).flatMap { testCase in
      testCase.model.complaints().map { "\($0.diagnostic(in: testCase.model))" }
    }

    expectGolden(lines.joined(separator: "\n\n") + "\n", named: "partition-faults.txt")
  }

  @Test
  func `a fault of a distribution is explained`() {
    let lines = (Self.distributions + Self.distributedTables).flatMap { testCase in
      testCase.model.complaints().map { "\($0.diagnostic(in: testCase.model))" }
    }

    expectGolden(lines.joined(separator: "\n\n") + "\n", named: "distribution-faults.txt")
  }

  // MARK: - What is allowed

  @Test(arguments: rightDistributions)
  func `a table can be distributed`(_ testCase: Case) {
    let messages = testCase.model.complaints().map { $0.diagnostic(in: testCase.model).message }

    #expect(messages == [])
  }

  @Test(arguments: rightPartitions)
  func `a table can be partitioned`(_ testCase: Case) {
    let messages = testCase.model.complaints().map { $0.diagnostic(in: testCase.model).message }

    #expect(messages == [])
  }

  @Test
  func `a table without an attribute to partition by is compared with nothing`() {
    let model = ManagedObjectModel(entities: [
      .init(
        name: "A",
        attributes: [.init(name: "x", type: .string)],
        uniquenessConstraints: [["x"]],
        partitioning: .init(.list(attribute: "y", values: nil))
      )
    ])

    #expect(model.complaints().count == 1)
  }

  @Test(arguments: [AttributeType.string, .boolean, .sql("macaddr"), .sql("mood"), .inet])
  func `what a GiST index compares may be unique together with a range`(type: AttributeType) {
    let model = ManagedObjectModel(entities: [
      .init(
        name: "A",
        attributes: [.init(name: "x", type: type), .init(name: "r", type: .range(.int4range))],
        uniquenessConstraints: [["x", "r"]]
      )
    ])

    #expect(model.complaints().isEmpty)
  }

  @Test
  func `an abstract root has storage parameters for the rows of its subentities`() {
    let model = ManagedObjectModel(entities: [
      .init(name: "A", isAbstract: true, storage: ["fillfactor": "80"]),
      .init(name: "B", superentityName: "A"),
    ])

    #expect(model.complaints().isEmpty)
  }

  @Test(
    arguments: [
      (StorageParameter.autovacuumEnabled, "OFF", "false"), (.autovacuumEnabled, "1", "true"),
      (.autovacuumEnabled, "maybe", nil), (.vacuumIndexCleanup, "yes", "on"),
      (.vacuumIndexCleanup, "AUTO", "auto"), (.autovacuumVacuumScaleFactor, "0.020", "0.02"),
      (.autovacuumVacuumScaleFactor, "2e-2", "0.02"), (.fillfactor, "80.0", "80"),
      (.fillfactor, "9", nil), (.autovacuumVacuumCostDelay, "nan", nil),
    ] as [(StorageParameter, String, String?)]
  )
  func `storage parameters are read in all spellings that the server takes`(
    parameter: StorageParameter,
    text: String,
    value: String?
  ) {
    #expect(parameter.value(ofServer: text) == value)
  }

  @Test
  func `siblings may share a property name`() {
    let model = ManagedObjectModel(entities: [
      .init(name: "A"),
      .init(name: "B", superentityName: "A", attributes: [.init(name: "x", type: .string)]),
      .init(name: "C", superentityName: "A", attributes: [.init(name: "x", type: .date)]),
    ])

    #expect(model.complaints().isEmpty)
  }

  @Test
  func `constraints may name inherited attributes and to-one relationships`() {
    let model = ManagedObjectModel(entities: [
      .init(
        name: "A",
        attributes: [.init(name: "x", type: .string)],
        relationships: [.init(name: "r", destinationEntityName: "A")]
      ),
      .init(name: "B", superentityName: "A", uniquenessConstraints: [["x", "r"]]),
    ])

    #expect(model.complaints().isEmpty)
  }

  @Test
  func `a minimum on an optional relationship is an old editor's habit`() {
    let relationship = RelationshipDescription(
      name: "r",
      destinationEntityName: "A",
      minimumCount: 1
    )

    let model = ManagedObjectModel(entities: [.init(name: "A", relationships: [relationship])])

    #expect(model.complaints().isEmpty)
  }

  // MARK: - Size

  @Test(.timeLimit(.minutes(30)), arguments: [true, false])
  func `five thousand entities are validated, be they a chain or a family`(isChain: Bool) {
    let entities = (0..<5000).map { index in
      EntityDescription(
        name: "E\(index)",
        superentityName: index == 0 ? nil : "E\(isChain ? index - 1 : 0)",
        attributes: (0..<8).map { .init(name: "a\(index)_\($0)", type: .string) },
        relationships: [
          .init(name: "r\(index)", destinationEntityName: "E\(index)", inverseName: "r\(index)")
        ]
      )
    }
    let model = ManagedObjectModel(entities: entities)

    // In time that grows with the square of their number this would not come to its end.
    #expect(model.complaints().isEmpty)
  }
}
