import RemodelKit

/// Loading every version of a bundle.
enum LoadingBenchmark {
  static func run(bundle path: String, runs: Int) throws {
    let bundle = try ModelBundle(at: path)
    var entities = 0
    var attributes = 0
    let times = try (0..<runs).map { _ in
      try seconds {
        let models = try bundle.versions.map { try bundle.load($0).model }
        entities = models.reduce(0) { $0 + $1.entities.count }
        attributes = models.reduce(0) { total, model in
          total + model.entities.reduce(0) { $0 + $1.attributes.count }
        }
      }
    }
    print("loading \(bundle.name) whole")
    print(
      "  \(bundle.versions.count) versions, \(entities) entities, \(attributes) attributes: "
        + Measurement(times).summary
    )
  }
}
