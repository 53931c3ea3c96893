import RemodelKit

/// Validation, hashes, inference and plan over models of growing size, 5 % of the entities changed.
enum PlanningBenchmark {
  static func run(runs: Int) throws {
    print("validation, hashes, inference and plan; 12 attributes an entity, 5 % of them changed")
    var base: Double?
    for count in [100, 500, 1000, 2000, 5000] {
      let bundle = try ModelBundle(
        name: "Benchmark",
        versions: [
          "1": model(entities: count, isChanged: false),
          "2": model(entities: count, isChanged: true),
        ]
      )
      let remodel = Remodel(models: bundle)
      var times: [Double] = []
      var statements = 0
      for _ in 0..<runs {
        times.append(
          try seconds {
            statements = try remodel.inferMapping(from: "1", to: "2").step.statements.count
          }
        )
      }
      let measurement = Measurement(times)
      let perEntity = measurement.median / Double(count)
      base = base ?? perEntity
      let growth = Measurement.ratio(perEntity / (base ?? perEntity))
      print(
        "  \(count) entities: \(measurement.summary), \(statements) statements, "
          + "per entity \(growth) times that of the smallest"
      )
    }
  }

  /// Entities in a chain of relationships; every twentieth one changes in one of four ways.
  static func model(entities count: Int, isChanged: Bool) -> ManagedObjectModel {
    let types: [AttributeType] = [.string, .integer32, .boolean, .date, .decimal, .uuid]
    let entities = (0..<count).map { index in
      var attributes = (0..<12).map { position in
        AttributeDescription(
          name: "attribute\(position)",
          type: types[position % types.count],
          isOptional: position % 3 != 0
        )
      }
      if isChanged, index % 20 == 0 {
        switch index / 20 % 4 {
        case 0: attributes.append(AttributeDescription(name: "added", type: .string))
        case 1:
          attributes[1].name = "renamed"
          attributes[1].renamingIdentifier = "attribute1"
        case 2: attributes[1].type = .integer64
        default: attributes.removeLast()  // The fourth way of four.
        }
      }
      let next = "Entity\((index + 1) % count)"
      let previous = "Entity\((index + count - 1) % count)"
      return EntityDescription(
        name: "Entity\(index)",
        attributes: attributes,
        relationships: [
          RelationshipDescription(
            name: "next",
            destinationEntityName: next,
            inverseName: "previous"
          ),
          RelationshipDescription(
            name: "previous",
            destinationEntityName: previous,
            inverseName: "next",
            isToMany: true
          ),
        ]
      )
    }
    return ManagedObjectModel(entities: entities)
  }
}
