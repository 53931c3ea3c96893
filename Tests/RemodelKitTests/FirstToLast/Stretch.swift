import ModelMapping
import RemodelKit
import TestSupport
import Testing

/// Versions of a real model that follow one another, each inferable from the one before.
struct Stretch {
  let path: String
  let name: String
  /// The versions' names, the oldest first.
  let versions: [String]

  /// Takes the history of a bundle apart where a step cannot be inferred.
  static func all(of bundle: ModelBundle) throws -> [Stretch] {
    let models = try bundle.versions.map { try bundle.load($0).model }
    var stretches: [Stretch] = []
    var names: [String] = []
    for (index, version) in bundle.versions.enumerated() {
      names.append(version.name)
      let next = index + 1
      let isInferable =
        next < models.count
        && (try? CompleteMapping(
          from: models[index],
          to: models[next],
          earlierVersions: Array(models[..<next])
        )) != nil
      guard !isInferable else { continue }
      if names.count > 2 {
        stretches.append(Stretch(path: bundle.path, name: bundle.name, versions: names))
      }
      names = []
    }
    return stretches
  }

  var first: String { versions.first ?? "" }
  var last: String { versions.last ?? "" }
  var description: String { "\(name), \(first) to \(last)" }

  /// Migrates the same rows at once and version by version, and holds both ways to one another and
  /// to a new database.
  func compare(judge: SchemaJudge?) async throws -> Jump {
    let remodel = Remodel(RemodelConfiguration(modelsPath: path))
    return try await TestServer.withTwoDatabases { url, other in
      let atOnce = StretchDatabase(remodel, url)
      let stepwise = StretchDatabase(remodel, other)
      try await atOnce.create(first)
      try await stepwise.create(first)

      var jump = Jump()
      jump.versions = versions.count
      jump.isEmptied = try await !stepwise.migrate(over: versions.dropFirst())
      if jump.isEmptied {
        // Without rows, every step can be taken.
        try await stepwise.create(first)
        try await stepwise.removeRows()
        try await atOnce.removeRows()
        #expect(try await stepwise.migrate(over: versions.dropFirst()), "\(description)")
      }
      let clock = ContinuousClock()
      let begin = clock.now
      try await jump.add(atOnce.migrateAtOnce(to: last, of: description))
      jump.duration = begin.duration(to: clock.now)

      let expected = try await stepwise.rows(of: last)
      for (table, rows) in try await atOnce.rows(of: last) where expected[table] != rows {
        Issue.record("\(description): \(table) has \(rows) in place of \(expected[table] ?? [])")
      }

      let migrated = try await atOnce.catalog()
      try await stepwise.start(last)
      let difference = try await migrated.difference(to: stepwise.catalog())
      #expect(difference == [], "\(description)")
      if let judge {
        try await atOnce.dropRetained()
        let verdict = try await judge.difference(between: url, and: other)
        #expect(verdict.isEmpty, "\(description):\n\(verdict)")
      }
      return jump
    }
  }
}

/// What a migration over many versions came to.
struct Jump {
  var versions = 0
  var steps = 0
  var statements = 0
  /// How many tables and columns the steps leave in place although the last version lacks them.
  var retained = 0
  /// Whether the rows forbade a step, so that there were none.
  var isEmptied = false
  var duration = Duration.zero

  mutating func add(_ steps: [MigrationStep]) {
    self.steps += steps.count
    statements += steps.reduce(0) { $0 + $1.statements.count }
    retained += steps.reduce(0) { $0 + $1.retained.count }
  }
}
