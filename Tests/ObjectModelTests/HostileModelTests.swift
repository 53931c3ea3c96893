import Diagnostics
import ObjectModel
import TestSupport
import Testing

/// Models that are made to use up time or the stack.
@Suite(.timeLimit(.minutes(30)))
struct HostileModelTests {
  @Test
  func `nothing but brackets is no type`() {
    #expect(AttributeType("string" + String(repeating: "[]", count: 50_000)) == nil)
  }

  @Test(arguments: [1, 2])
  func `composites that grow without end are reported`(parts: Int) {
    let composites = (0..<3000).map { index in
      let elements = (0..<parts).map { part in
        AttributeDescription(
          name: "part\(part)",
          type: index == 2999 ? .string : .composite("C\(index + 1)")
        )
      }
      return CompositeDescription(name: "C\(index)", elements: elements)
    }
    let entity = EntityDescription(
      name: "A",
      attributes: [AttributeDescription(name: "x", type: .composite("C0"))]
    )

    let complaints = ManagedObjectModel(entities: [entity], composites: composites).complaints()

    #expect(complaints.contains { $0.fact == .oversizedComposite && $0.severity == .error })
  }

  @Test(arguments: 0..<200)
  func `whatever names whatever as its parent, each superentity is there once`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let count = 1 + seed % 9
    let names = (0..<count).map { "E\($0)" }
    let entities = names.map { name in
      EntityDescription(
        name: name,
        superentityName: (names + ["Nobody"]).randomElement(using: &random)
      )
    }
    let model = ManagedObjectModel(entities: entities)

    for entity in entities {
      var expected: [String] = []
      var current = entity
      while let parent = current.superentityName.flatMap({ model.entity(named: $0) }),
        parent.name != entity.name, !expected.contains(parent.name)
      {
        expected.append(parent.name)
        current = parent
      }
      #expect(model.superentities(of: entity).map(\.name) == expected)
    }
  }
}
