import ModelMapping
import ObjectModel
import Testing

@Suite
struct DraftMappingTests {
  private func draft(
    _ source: ManagedObjectModel,
    _ destination: ManagedObjectModel
  ) -> DraftMapping {
    let error = #expect(throws: InferenceError.self) {
      try CompleteMapping(from: source, to: destination)
    }
    return DraftMapping(from: source, to: destination, obstacles: error?.obstacles ?? [])
  }

  @Test
  func `what cannot be inferred is a hole of its property`() {
    let source = ManagedObjectModel(entities: [
      EntityDescription(
        name: "Book",
        attributes: [
          AttributeDescription(name: "title", type: .string),
          AttributeDescription(name: "pages", type: .integer32),
        ]
      )
    ])
    let destination = ManagedObjectModel(entities: [
      EntityDescription(
        name: "Work",
        renamingIdentifier: "Book",
        attributes: [
          AttributeDescription(name: "title", type: .string),
          AttributeDescription(name: "pages", type: .date),
        ]
      )
    ])

    let draft = draft(source, destination)

    #expect(
      draft.mappingModel.entityMappings == [
        EntityMapping(
          name: "BookToWork",
          type: .transform,
          sourceEntityName: "Book",
          destinationEntityName: "Work",
          attributeMappings: [PropertyMapping(name: "pages")]
        )
      ]
    )
    #expect(draft.holes.map(\.element) == [.attributeMapping(entityMapping: 0, 0)])
    #expect(draft.holes.first?.reason.contains("integer32 becomes timestamp") == true)
    #expect(draft.mappingModel.complaints(from: source, to: destination) == [])
  }

  @Test
  func `a change of the entity is a hole of its mapping`() {
    let source = ManagedObjectModel(entities: [EntityDescription(name: "Book")])
    let destination = ManagedObjectModel(entities: [EntityDescription(name: "Book", key: .uuid)])

    let draft = draft(source, destination)

    #expect(draft.mappingModel.entityMappings.map(\.name) == ["BookToBook"])
    #expect(draft.holes.map(\.element) == [.entityMapping(0)])
  }
}
