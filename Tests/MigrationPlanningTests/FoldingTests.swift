import Diagnostics
import FoundationEssentials
import ModelLoading
import ModelMapping
import ObjectModel
import PostgresClient
import SQLSyntax
import TestSupport
import Testing

@testable import MigrationPlanning

/// A folded step has the same result as its steps one after the other, whenever these succeed.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(60)))
struct FoldingTests {
  @Test
  func `folded steps of random histories give the same rows as the steps themselves`() async throws
  {
    let seeds = RandomCases.count(orElse: 10)
    let tally = try await TestServer.withDatabase { url in
      let connection = try PostgresConnection(to: .url(url))
      try connection.prepareSession()
      var tally = Tally()
      for number in 0..<seeds {
        let seed = RandomCases.firstSeed + UInt64(number)
        var generator = ModelGenerator(seed: seed)
        var models = [generator.model()]
        for _ in 0..<4 { models.append(generator.randomEdit(of: models[models.count - 1])) }
        let names = models.indices.map { String($0 + 1) }
        guard let history = try? History("seed \(seed)", models, names) else { continue }
        tally.add(try history.compare(seed: seed, connection))
      }
      return tally
    }
    print("folding: \(tally)")
    #expect(tally.folded > 0)
  }

  @Test(
    .sampled(oneIn: 2),
    .enabled(if: Corpora.isAvailable, "there are no real models on this machine")
  )
  func `folded histories of real models give the same rows as their steps`() async throws {
    let paths = Corpora.bundles
    let isEverything = ProcessInfo.processInfo.environment["REMODEL_CASES"] == "all"
    let tally = try await TestServer.withDatabase { url in
      let connection = try PostgresConnection(to: .url(url))
      try connection.prepareSession()
      var tally = Tally()
      for path in paths {
        let bundle = try ModelBundle(at: path)
        guard bundle.versions.count >= 5, isEverything || bundle.versions.count <= 8 else {
          continue
        }
        let models = try bundle.versions.map { try bundle.load($0).model }
        for history in try Self.inferable(bundle.name, models, bundle.versions.map(\.name)) {
          tally.add(try history.compare(seed: 1, connection))
        }
      }
      return tally
    }
    print("folding real models: \(tally)")
    #expect(tally.folded > 0)
  }

  /// Takes a history apart where a step cannot be inferred.
  private static func inferable(
    _ name: String,
    _ models: [ManagedObjectModel],
    _ names: [String]
  ) throws -> [History] {
    var histories: [History] = []
    var start = 0
    for end in models.indices {
      let isLast = end == models.indices.last
      let isBroken =
        !isLast
        && (try? CompleteMapping(
          from: models[end],
          to: models[end + 1],
          earlierVersions: Array(models[...end])
        )) == nil
      guard isLast || isBroken else { continue }
      if end - start >= 2 {
        histories.append(
          try History(name, Array(models[start...end]), Array(names[start...end]))
        )
      }
      start = end + 1
    }
    return histories
  }
}

/// Versions of one model with the mappings between them.
private struct History {
  private let name: String
  private let versions: [PlannedVersion]
  private let mappings: [CompleteMapping]

  enum Outcome {
    case folded(into: Int, of: Int)
    /// The rows do not allow one of the steps.
    case violated
  }

  init(_ name: String, _ models: [ManagedObjectModel], _ names: [String]) throws {
    self.name = "\(name), \(names.first ?? "") to \(names.last ?? "")"
    versions = try zip(models, names).map { try PlannedVersion($0, named: $1) }
    mappings = try models.indices.dropFirst().map { index in
      try CompleteMapping(
        from: models[index - 1],
        to: models[index],
        earlierVersions: Array(models[..<index])
      )
    }
  }

  /// Migrates the same rows step by step and in as few steps as they can be folded into.
  func compare(seed: UInt64, _ connection: borrowing PostgresConnection) throws -> Outcome {
    let steps = versions.indices.dropFirst().map {
      (versions[$0 - 1], versions[$0], mappings[$0 - 1])
    }
    guard let expected = try contents(after: steps, seed, connection) else { return .violated }
    let legs = legs
    guard let found = try contents(after: legs, seed, connection) else {
      Issue.record("\(name): the folded steps ask for more than the steps themselves")
      return .violated
    }
    for (table, rows) in expected where found[table] != rows {
      Issue.record("\(name): \(table) has \(found[table] ?? []) in place of \(rows)")
    }
    return .folded(into: legs.count, of: steps.count)
  }

  private var legs: [(PlannedVersion, PlannedVersion, CompleteMapping)] {
    var legs: [(PlannedVersion, PlannedVersion, CompleteMapping)] = []
    for (index, mapping) in mappings.enumerated() {
      let end = versions[index + 1]
      if let (start, middle, before) = legs.last,
        let folded = before.followed(
          by: mapping,
          from: start.projection.model,
          over: middle.projection.model,
          to: end.projection.model,
          hashes: (start.hashes, end.hashes)
        )
      {
        legs[legs.count - 1] = (start, end, folded)
      } else {
        legs.append((versions[index], end, mapping))
      }
    }
    return legs
  }

  /// Returns the rows of the last version by table; `nil` if the rows do not allow a step.
  private func contents(
    after steps: [(PlannedVersion, PlannedVersion, CompleteMapping)],
    _ seed: UInt64,
    _ connection: borrowing PostgresConnection
  ) throws -> [String: [[String?]]]? {
    var migration = LiveMigration(MigrationPlanner(), name: name)
    try migration.create(versions[0], seed: seed, connection)
    for (source, destination, mapping) in steps {
      guard
        try migration.migrateUnlessViolated(
          from: source,
          to: destination,
          by: mapping,
          connection
        )
      else { return nil }
    }
    guard let last = versions.last else { return [:] }
    try migration.compareCatalog(with: last, connection)
    var contents: [String: [[String?]]] = [:]
    for table in last.projection.schema.sortedTables {
      let columns = table.columns.map(\.name)
      let owner = last.projection.schema.qualified(table.name)
      contents[table.name.name] = try connection.query(
        "SELECT \(columns) FROM \(owner) ORDER BY \(columns.prefix(2).map { $0 })"
      ).rows
    }
    return contents
  }
}

private struct Tally: CustomStringConvertible {
  var folded = 0
  private var steps = 0
  private var legs = 0
  private var violated = 0

  mutating func add(_ outcome: History.Outcome) {
    switch outcome {
    case .folded(let count, let total):
      folded += 1
      legs += count
      steps += total
    case .violated: violated += 1
    }
  }

  var description: String {
    "\(folded) histories, \(steps) steps folded into \(legs); \(violated) with rows that forbid a step"
  }
}
