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

  init(seed: UInt64, hasCollidingNames: Bool = false, hasPartitions: Bool = false) throws {
    generator = ModelGenerator(
      seed: seed,
      hasCollidingNames: hasCollidingNames,
      hasPartitions: hasPartitions
    )
    versions = [try PlannedVersion(generator.model(), named: "1")]
  }

  /// Goes on to a next version.
  mutating func next() throws -> (
    source: PlannedVersion, destination: PlannedVersion, mapping: CompleteMapping
  )? {
    guard let source = versions.last else { return nil }
    let model = source.projection.model
    guard let next = generator.inferredEdit(of: model, refused: &refused) else { return nil }
    let destination = try PlannedVersion(next.model, named: "\(versions.count + 1)")
    versions.append(destination)
    return (source, destination, next.mapping)
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
