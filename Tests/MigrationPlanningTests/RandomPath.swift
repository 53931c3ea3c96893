import ModelMapping
import TestSupport
import Testing

@testable import MigrationPlanning

/// Random versions, each of which can be inferred from the one before; those that cannot are left
/// out and counted.
struct RandomPath {
  private(set) var versions: [PlannedVersion]
  private(set) var refused = 0
  private var generator: ModelGenerator

  init(seed: UInt64) throws {
    generator = ModelGenerator(seed: seed)
    versions = [try PlannedVersion(generator.model(), named: "1")]
  }

  /// Goes on to a next version.
  mutating func next() throws -> (
    source: PlannedVersion, destination: PlannedVersion, mapping: CompleteMapping
  )? {
    guard let source = versions.last else { return nil }
    for _ in 0..<8 {
      let model = generator.randomEdit(of: source.projection.model)
      let destination = try PlannedVersion(model, named: "\(versions.count + 1)")
      do {
        let mapping = try CompleteMapping(from: source.projection.model, to: model)
        versions.append(destination)
        return (source, destination, mapping)
      } catch {
        refused += 1
      }
    }
    return nil
  }

  /// Goes on so many versions.
  static func versions(_ count: Int, seed: UInt64) throws -> RandomPath {
    var path = try RandomPath(seed: seed)
    while path.versions.count < count, try path.next() != nil {}
    return path
  }
}

/// How many random versions could be inferred.
struct PlannedShare: CustomStringConvertible {
  private var planned = 0
  private var refused = 0

  mutating func add(_ path: RandomPath) {
    planned += path.versions.count - 1
    refused += path.refused
  }

  /// A Boolean value that indicates whether few enough are left out for the property to mean something.
  var isEnough: Bool { planned >= refused * 3 }

  var description: String { "\(planned) steps planned, \(refused) refused by rule" }
}
