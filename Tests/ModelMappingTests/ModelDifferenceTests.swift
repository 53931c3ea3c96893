import ModelMapping
import ObjectModel
import TestSupport
import Testing

@Suite
struct ModelDifferenceTests {
  @Test
  func `equal models do not differ`() {
    #expect(ModelDifference(from: Samples.library, to: Samples.library).changes == [])
  }

  @Test
  func `every change is listed in Core Data's terms`() {
    var entities = Samples.library.entities
    entities[0].name = "Writer"
    entities[0].renamingIdentifier = "Author"
    entities[0].tableName = "people"
    entities[0].attributes[0].name = "fullName"
    entities[0].attributes[0].renamingIdentifier = "name"
    entities[0].attributes[0].type = .varchar(40)
    entities[0].attributes[0].isOptional = true
    entities[0].attributes[0].validation.minimumLength = 1
    entities[0].attributes.append(AttributeDescription(name: "born", type: .calendarDate))
    entities[0].relationships[0].deleteRule = .deny
    entities[0].relationships[0].isOrdered = true
    entities[0].uniquenessConstraints = [["fullName"], ["born"]]
    entities[1].isAbstract = false
    entities[1].attributes[0].defaultValue = nil
    entities[1].relationships[0].destinationEntityName = "Writer"
    entities[1].relationships[0].name = "writer"
    entities[1].relationships[0].renamingIdentifier = "author"
    entities[0].relationships[0].inverseName = "writer"
    entities[0].relationships[0].maximumCount = 5
    entities[1].fetchIndexes = []
    entities[2].superentityName = nil
    entities[2].key = .uuid
    entities[2].attributes.removeFirst()
    entities[2].compoundIndexes = [["size"]]
    entities.append(EntityDescription(name: "Shelf"))
    let destination = ManagedObjectModel(
      entities: entities,
      composites: Samples.library.composites
    )

    let there = ModelDifference(from: Samples.library, to: destination)
    let back = ModelDifference(from: destination, to: Samples.library)

    let lines =
      there.changes.map(\.description) + ["", "and back:", ""] + back.changes.map(\.description)
    expectGolden(lines.joined(separator: "\n") + "\n", named: "difference.txt")
  }
}
