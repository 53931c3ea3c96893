import ModelMapping
import ObjectModel
import TestSupport
import Testing

@testable import MigrationPlanning

@Suite
struct TransactionDivisionTests {
  @Test(arguments: [0, 5], [1, 60, 100, 150, 300, 10_000])
  func `a creation is divided where one more statement would take too many locks`(
    start: Int,
    limit: Int
  ) throws {
    let version = try PlannedVersion(DerivedModel().model, named: "1")
    let step = try MigrationPlanner().step(creating: version)

    let parts = step.transactions(from: start, limit: limit)

    #expect(parts.flatMap(Array.init) == Array(start..<step.statements.count))
    #expect(parts.allSatisfy { $0.count == 1 || count(of: $0, step) <= limit })
    for (part, next) in zip(parts, parts.dropFirst()) {
      #expect(count(of: part.lowerBound..<next.lowerBound + 1, step) > limit)
    }
  }

  @Test
  func `one transaction takes what all its statements take`() throws {
    let version = try PlannedVersion(DerivedModel().model, named: "1")
    let step = try MigrationPlanner().step(creating: version)
    let all = 0..<step.statements.count

    #expect(step.lockCount == count(of: all, step))
    #expect(step.transactions(from: 0, limit: step.lockCount) == [all])
    #expect(step.transactions(from: 0, limit: step.lockCount - 1).count == 2)
  }

  @Test
  func `each dropped default is counted`() throws {
    let versions = try [AttributeValue.integer(0), nil].enumerated().map { number, value in
      let attributes = (0..<50).map { column in
        AttributeDescription(
          name: "a\(column)",
          type: .integer32,
          isOptional: true,
          defaultValue: value
        )
      }
      let model = ManagedObjectModel(
        entities: [EntityDescription(name: "A", attributes: attributes)]
      )
      return try PlannedVersion(model, named: "\(number + 1)")
    }
    let step = try MigrationPlanner().step(
      from: versions[0],
      to: versions[1],
      by: CompleteMapping(
        from: versions[0].projection.model,
        to: versions[1].projection.model,
        earlierVersions: []
      )
    )

    #expect(step.lockCount >= count(of: 0..<0, step) + 50)
  }

  private func count(of part: Range<Int>, _ step: MigrationStep) -> Int {
    let objects = Set(step.statements[part].flatMap(\.lockedObjects))
    return objects.map(\.entries).reduce(32, +)
  }
}
