import Diagnostics
import ModelLoading
import ModelMapping
import ObjectModel
import RemodelKit
import SQLSyntax
import TestSupport

@testable import MigrationPlanning

/// The results of reverts of random histories.
struct ReturnTally: CustomStringConvertible {
  var histories = 0
  var steps = 0
  var returned = 0
  /// Why ways there ended early, and ways back, with how often.
  var ends: [String: Int] = [:]
  var refusals: [String: Int] = [:]
  /// What breaks the law.
  var faults: [String] = []

  var description: String {
    "\(histories) histories, \(steps) steps there, \(returned) steps back\n"
      + ends.sorted { $0.key < $1.key }.map { "  there \($0.value) x \($0.key)\n" }.joined()
      + refusals.sorted { $0.key < $1.key }.map { "  back \($0.value) x \($0.key)\n" }.joined()
      + faults.map { "  FAULT \($0)\n" }.joined()
  }
}

/// A path over versions and back over each of them, which restores all values of rows.
struct ReturnTrip {
  typealias Rows = [SQLIdentifier: [String: [SQLIdentifier: String?]]]

  let name: String
  let models: [ManagedObjectModel]
  let projections: [ModelProjection]
  /// What became of what from each version to the next.
  let pairings: [ModelPairing]
  let seed: UInt64
  /// Whether users delete and add rows, so that required values may be missing.
  let deletesRows: Bool

  init(_ models: [ManagedObjectModel], name: String, seed: UInt64) throws {
    self.name = name
    self.models = models
    self.seed = seed
    projections = try models.map { try ModelProjection($0, schema: "public") }
    pairings = try models.indices.dropFirst().map { index in
      let (before, after) = (models[index - 1], models[index])
      let mapping = try CompleteMapping(
        from: before,
        to: after,
        earlierVersions: Array(models[..<index])
      )
      return ModelPairing(mapping.mappingModel, from: before, to: after)
    }
    deletesRows = seed.isMultiple(of: 3)
  }

  /// Goes there and back, and once more.
  func run(again: Bool, _ tally: inout ReturnTally) async throws {
    let texts = try models.enumerated().map {
      try ModelForm.yaml.text(of: $1, named: "\($0 + 1)")
    }
    var copy = tally
    copy.histories += 1
    try await withBundle(texts) { bundle in
      try await TestServer.withDatabase { url in
        let remodel = Remodel(RemodelConfiguration(modelsPath: bundle))
        var known = try await goThere(remodel, url, [], &copy)
        let isBack = try await goBack(remodel, url, &known, &copy, isWriting: !again)
        if isBack, again, known.count > 1 {
          known = try await goThere(remodel, url, known, &copy)
          _ = try await goBack(remodel, url, &known, &copy, isWriting: true)
        }
      }
    }
    tally = copy
  }

  /// Migrates from version to version as far as the rows allow, and returns what each had in the end.
  private func goThere(
    _ remodel: Remodel,
    _ url: String,
    _ before: [Rows],
    _ tally: inout ReturnTally
  ) async throws -> [Rows] {
    var known: [Rows] = []
    var random = SeededGenerator(seed: seed &+ UInt64(before.count))
    for (position, projection) in projections.enumerated() {
      if !before.isEmpty, position >= before.count { break }
      do {
        _ = try await remodel.migrate(.url(url), to: "\(position + 1)")
      } catch let error as any DiagnosticError {
        let words = Self.words(error)
        tally.ends[words, default: 0] += 1
        if !before.isEmpty { tally.faults.append("\(name), \(position + 1) again: \(error)") }
        break
      }
      tally.steps += 1
      if before.indices.contains(position) {
        try compare(before[position], position, url, "again", &tally)
      }
      let connection = try PostgresConnection(to: .url(url))
      try connection.prepareSession()
      var filler = RowFiller(projection, seed: seed &+ UInt64(position))
      if position == 0, before.isEmpty { try filler.fill(connection) }
      known.append(try contents(of: projection, connection))
      // What is written changes what later versions have to have again.
      guard position > 0, before.isEmpty else { continue }
      let unwritten = known[position]
      try filler.complete(connection, leavingOut: tablesWithKeys(at: position))
      try write(to: position, connection, &random)
      known[position] = try contents(of: projection, connection)
      note(unwritten, known[position], at: position, in: &known)
    }
    return known
  }

  /// Returns the tables of a version that had rows before: their keys may be those of rows that went.
  private func tablesWithKeys(at position: Int) -> Set<SQLIdentifier> {
    let projection = projections[position]
    return Set(
      projection.model.entities.filter {
        pairings[position - 1].sourceEntity(of: $0.name) != nil
      }.compactMap { projection.table(of: $0) }
    )
  }

  /// Goes back step by step and compares; returns whether the first version was reached.
  private func goBack(
    _ remodel: Remodel,
    _ url: String,
    _ known: inout [Rows],
    _ tally: inout ReturnTally,
    isWriting: Bool
  ) async throws -> Bool {
    var random = SeededGenerator(seed: seed &+ 1000)
    for position in known.indices.dropLast().reversed() {
      do {
        _ = try await remodel.revert(.url(url), to: "\(position + 1)")
      } catch let error as any DiagnosticError {
        tally.refusals[Self.words(error), default: 0] += 1
        if !isRight(error) {
          let words = error.diagnostics.map(\.description).joined(separator: " / ")
          tally.faults.append("\(name), to \(position + 1): \(words)")
        }
        return false
      }
      tally.returned += 1
      try compare(known[position], position, url, "back", &tally)
      try await compareCatalog(position, url, remodel, &tally)
      guard isWriting, position > 0 else { continue }
      let connection = try PostgresConnection(to: .url(url))
      try connection.prepareSession()
      let unwritten = try contents(of: projections[position], connection)
      try write(to: position, connection, &random)
      let written = try contents(of: projections[position], connection)
      note(unwritten, written, at: position, in: &known)
    }
    return !known.isEmpty
  }

  /// Nothing has been dropped for good: only values that have no counterpart are a reason, and rows that
  /// users wrote which the version has no place for.
  private func isRight(_ error: any DiagnosticError) -> Bool {
    if let error = error as? ExecutionError, case .preconditionsViolated = error.fact {
      return true
    }
    guard let error = error as? RemodelError else { return false }
    return switch error.fact {
    case .noMapping: true
    default: false
    }
  }

  // MARK: - Comparing

  private func compare(
    _ before: Rows,
    _ position: Int,
    _ url: String,
    _ way: String,
    _ tally: inout ReturnTally
  ) throws {
    let connection = try PostgresConnection(to: .url(url))
    try connection.prepareSession()
    let after = try contents(of: projections[position], connection)
    for (table, rows) in before {
      let places = places(of: table, at: position)
      for (key, row) in rows {
        guard let now = after[table]?[key] else {
          tally.faults.append("\(name), \(position + 1) \(way): row \(key) of \(table) is gone")
          continue
        }
        // Where there was no value there may be one now; only the order of places counts.
        for (column, value) in row where value != nil && now[column] != value {
          if let owner = places[column] {
            guard (row[owner] ?? nil) != nil, (now[column] ?? nil) == nil else { continue }
          }
          tally.faults.append(
            "\(name), \(position + 1) \(way): \(table).\(column) of \(key): \(value ?? "null") is "
              + ((now[column] ?? nil) ?? "null")
          )
        }
      }
      for (column, owner) in places {
        for key in misplaced(rows, after[table] ?? [:], by: column, of: owner) {
          tally.faults.append(
            "\(name), \(position + 1) \(way): \(table).\(column) of \(key): the order is another one"
          )
        }
      }
    }
  }

  /// Returns the columns with places of links, with those that have the keys of the owners.
  private func places(of table: SQLIdentifier, at position: Int) -> [SQLIdentifier: SQLIdentifier] {
    let projection = projections[position]
    var places: [SQLIdentifier: SQLIdentifier] = [:]
    for (column, origin) in projection.columnOrigins[table] ?? [:] {
      guard case .position(let name, let relationshipName) = origin,
        let entity = projection.model.entity(named: name),
        let relationship = entity.relationships.first(where: { $0.name == relationshipName })
      else { continue }
      places[column] = projection.linkPlace(of: relationship, declaredBy: entity)?.owner
    }
    return places
  }

  /// Returns the links that precede others of the same owner which they followed before.
  private func misplaced(
    _ before: [String: [SQLIdentifier: String?]],
    _ after: [String: [SQLIdentifier: String?]],
    by column: SQLIdentifier,
    of owner: SQLIdentifier
  ) -> [String] {
    func place(_ row: [SQLIdentifier: String?]?) -> (owner: String, place: Int)? {
      guard let row, let name = row[owner] ?? nil, let place = row[column] ?? nil else {
        return nil
      }
      return Int(place).map { (name, $0) }
    }
    var owners: [String: [(key: String, before: Int, after: Int)]] = [:]
    for (key, row) in before {
      guard let former = place(row), let now = place(after[key]), former.owner == now.owner else {
        continue
      }
      owners[former.owner, default: []].append((key, former.place, now.place))
    }
    return owners.values.flatMap { links in
      let sorted = links.sorted { $0.before < $1.before }
      return zip(sorted, sorted.dropFirst()).filter {
        $0.before < $1.before && $0.after >= $1.after
      }
      .map(\.0.key)
    }
  }

  private func compareCatalog(
    _ position: Int,
    _ url: String,
    _ remodel: Remodel,
    _ tally: inout ReturnTally
  ) async throws {
    let found = try CatalogSnapshot(ofStoreAt: url)
    let fresh = try await TestServer.withDatabase { fresh in
      _ = try await remodel.migrate(.url(fresh), to: "\(position + 1)")
      return try CatalogSnapshot(ofStoreAt: fresh)
    }
    tally.faults += found.difference(to: fresh).map { "\(name), \(position + 1) catalog: \($0)" }
  }

  private func contents(
    of projection: ModelProjection,
    _ connection: borrowing PostgresConnection
  ) throws -> Rows {
    var contents: Rows = [:]
    for table in projection.schema.sortedTables {
      let columns = table.columns.map(\.name).sorted()
      let keys = table.constraints.first(where: \.isPrimaryKey)?.columns ?? []
      let result = try connection.query(
        "SELECT \(columns) FROM \(projection.schema.qualified(table.name))"
      )
      for row in result {
        let values = Dictionary(
          columns.map { ($0, row[$0.name]) },
          uniquingKeysWith: { first, _ in first }
        )
        let key = keys.map { (values[$0] ?? nil) ?? "" }.joined(separator: "-")
        contents[table.name, default: [:]][key] = values
      }
    }
    return contents
  }

  /// What an error says without names, by which errors are counted.
  private static func words(_ error: any DiagnosticError) -> String {
    var words = ""
    var isQuoted = false
    for character in error.description {
      if character == "\"" { isQuoted.toggle() }
      if character == "\"" || !isQuoted { words.append(character) }
    }
    return words.split(separator: "\n").prefix(2).joined(separator: " / ")
  }
}
