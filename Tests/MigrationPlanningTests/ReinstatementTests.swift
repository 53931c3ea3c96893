import Diagnostics
import ModelMapping
import PostgresClient
import SQLSyntax
import TestSupport
import Testing

@testable import MigrationPlanning

/// A revert restores the tables of the version before with their contents, and a new migration
/// restores those of the later version.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct ReinstatementTests {
  @Test
  func `what random versions drop is there again when they are left`() async throws {
    let first = RandomCases.firstSeed
    var tally = ReturnTally()
    try await TestServer.withDatabase { url in
      for seed in first..<first + UInt64(RandomCases.count(orElse: 10)) {
        let connection = try PostgresConnection(to: .url(url))
        try connection.prepareSession()
        let path = try RandomPath.versions(2, seed: seed)
        guard path.versions.count == 2 else { continue }
        let trip = RoundTrip(path.versions[0], path.versions[1], name: "seed \(seed)", seed: seed)
        try trip.run(connection, &tally)
        try trip.run(connection, writes: true, &tally)
      }
    }
    print(tally)
    #expect(tally.losses == [:])
    #expect(tally.returned > tally.refused * 2, "\(tally)")
  }

  @Test(
    .sampled(oneIn: 3),
    .enabled(if: Corpora.isAvailable, "there are no real models on this machine")
  )
  func `what versions of real models drop is there again when they are left`() async throws {
    let pairs = try VersionPair.all().sample()
    var tally = ReturnTally()
    try await TestServer.withDatabase { url in
      let connection = try PostgresConnection(to: .url(url))
      try connection.prepareSession()
      for (number, pair) in pairs.enumerated() {
        guard let (source, destination) = try? pair.planned() else { continue }
        let trip = RoundTrip(source, destination, name: pair.name)
        // The pairs have another order each time.
        for writes in RandomCases.isEverything ? [false, true] : [number.isMultiple(of: 2)] {
          try trip.run(connection, writes: writes, &tally)
        }
      }
    }
    print(tally)
    #expect(tally.losses == [:])
    #expect(tally.returned > tally.refused * 2, "\(tally)")
  }
}

/// How many ways there and back there were.
private struct ReturnTally: CustomStringConvertible {
  var returned = 0
  var reinstated = 0
  var refused = 0
  var compared = 0
  var incomplete = 0
  var reasons: [String: Int] = [:]
  var losses: [String: Int] = [:]

  /// Records the differences from before.
  mutating func note(
    _ before: [SQLIdentifier: [String: [String: String?]]],
    _ after: [SQLIdentifier: [String: [String: String?]]],
    _ name: String
  ) {
    for (table, rows) in before {
      for (key, row) in rows {
        guard let now = after[table]?[key] else {
          losses["\(name): a row of \(table)", default: 0] += 1
          continue
        }
        // Where there was no value there may be a default now.
        for (column, value) in row where value != nil && now[column] != value {
          losses[
            "\(name): \(table).\(column): \(value ?? "null") is \((now[column] ?? nil) ?? "null")",
            default: 0
          ] += 1
        }
      }
    }
  }

  var description: String {
    "\(returned) returned, \(reinstated) of them with something retained, \(refused) refused by rule, \(compared) compared, \(incomplete) told to be incomplete\n"
      + reasons.sorted { $0.key < $1.key }.map { "  \($0.value) x \($0.key)\n" }.joined()
      + losses.sorted { $0.key < $1.key }.map { "  lost: \($0.value) x \($0.key)\n" }.joined()
  }
}

/// A way from one version to another, back, and there again.
private struct RoundTrip {
  let source: PlannedVersion
  let destination: PlannedVersion
  let name: String
  let seed: UInt64

  init(_ source: PlannedVersion, _ destination: PlannedVersion, name: String, seed: UInt64 = 1) {
    self.source = source
    self.destination = destination
    self.name = name
    self.seed = seed
  }

  /// Goes there, back, and there again.
  ///
  /// - Parameters:
  ///   - connection: The database.
  ///   - writes: Whether rows go and come between.
  ///   - tally: What is counted.
  /// - Throws: The server's error.
  func run(
    _ connection: borrowing PostgresConnection,
    writes: Bool = false,
    _ tally: inout ReturnTally
  ) throws {
    guard
      let mapping = try? CompleteMapping(
        from: source.projection.model,
        to: destination.projection.model
      )
    else { return }
    var migration = LiveMigration(MigrationPlanner(), name: name)
    do {
      try migration.create(source, seed: seed, connection)
      let here = try contents(of: source, connection)
      try migration.migrate(from: source, to: destination, by: mapping, connection)
      let hasRetained = !migration.retained.isEmpty
      if writes {
        try write(to: destination, connection)
        migration.hasStrayPlaces = true
      }
      let there = try contents(of: destination, connection)
      try migration.goBack(from: destination, to: source, connection)
      // Where rows had to be mended or left out, they are others.
      let isUntouched = migration.outcomes.keys.allSatisfy { $0 == .untouched }
      // Objects that cannot be put back are reported before.
      let isComplete = migration.emptyElements.isEmpty
      if !isComplete { tally.incomplete += 1 }
      if isUntouched, !writes, isComplete {
        tally.note(here, try contents(of: source, connection), "\(name), back")
      }
      tally.returned += 1
      if hasRetained { tally.reinstated += 1 }
      try migration.goBack(from: source, to: destination, connection)
      guard migration.outcomes.keys.allSatisfy({ $0 == .untouched }) else { return }
      tally.compared += 1
      guard isComplete, migration.emptyElements.isEmpty else { return }
      tally.note(there, try contents(of: destination, connection), "\(name), again")
    } catch let error as InferenceError {
      try connection.execute("ROLLBACK")
      tally.refused += 1
      for diagnostic in error.diagnostics {
        tally.reasons[diagnostic.detail ?? diagnostic.message, default: 0] += 1
      }
    } catch let error as any DiagnosticError {
      try connection.execute("ROLLBACK")
      Issue.record("\(migration.place):\n\(error.diagnostics.map(\.description))")
    }
  }

  /// Takes rows out of every table and puts others in, as far as they let themselves be.
  private func write(
    to version: PlannedVersion,
    _ connection: borrowing PostgresConnection
  ) throws {
    for table in version.projection.schema.sortedTables {
      let name = version.projection.schema.qualified(table.name)
      for remainder in [0, 1] {
        _ = try? connection.execute(
          """
          DELETE FROM \(name) WHERE ctid IN (SELECT ctid FROM (SELECT ctid, row_number() OVER () AS n \
          FROM \(name)) AS r WHERE n % 5 = \(SQLLiteral.integer(Int64(remainder))))
          """
        )
      }
    }
    var filler = RowFiller(version.projection, seed: seed + 1)
    _ = try? filler.fill(connection)
    if connection.transactionStatus != .idle { try connection.execute("ROLLBACK") }
  }

  /// Returns rows by table and key; for places of links, which may be numbered again, the ranks.
  private func contents(
    of version: PlannedVersion,
    _ connection: borrowing PostgresConnection
  ) throws -> [SQLIdentifier: [String: [String: String?]]] {
    var contents: [SQLIdentifier: [String: [String: String?]]] = [:]
    for table in version.projection.schema.sortedTables {
      let columns = table.columns.map(\.name).sorted()
      let keys = table.constraints.first(where: \.isPrimaryKey)?.columns ?? []
      let values = columns.map { (column: SQLIdentifier) -> SQLFragment in
        guard let owner = version.projection.owner(ofPosition: column, in: table.name) else {
          return "\(column)"
        }
        return """
          CASE WHEN \(column) IS NOT NULL \
          THEN rank() OVER (PARTITION BY \(owner) ORDER BY \(column)) END AS \(column)
          """
      }
      let result = try connection.query(
        """
        SELECT \(values.joined(separator: ", ")) \
        FROM \(version.projection.schema.qualified(table.name))
        """
      )
      for row in result {
        let values = Dictionary(
          columns.map { ($0.name, row[$0.name]) },
          uniquingKeysWith: { first, _ in first }
        )
        let key = keys.map { (values[$0.name] ?? nil) ?? "" }.joined(separator: "-")
        contents[table.name, default: [:]][key] = values
      }
    }
    return contents
  }
}
