import MigrationPlanning
import RemodelKit
import SQLSyntax
import TestSupport
import Testing

/// A database that is brought over a stretch of versions, through the front door.
struct StretchDatabase {
  private let remodel: Remodel
  private let url: String

  init(_ remodel: Remodel, _ url: String) {
    self.remodel = remodel
    self.url = url
  }

  /// Creates a version, without rows.
  func start(_ version: String) async throws {
    try connect { connection in
      try connection.execute(
        """
        DROP SCHEMA public CASCADE; CREATE SCHEMA public; DROP SCHEMA IF EXISTS remodel CASCADE
        """
      )
    }
    _ = try await remodel.migrate(.url(url), to: version)
  }

  /// Creates a version, with rows in every table.
  func create(_ version: String) async throws {
    try await start(version)
    let projection = try projection(of: version)
    try connect { connection in
      var filler = RowFiller(projection)
      try filler.fill(connection)
    }
  }

  /// Migrates to one version after the other.
  ///
  /// - Returns: Whether the rows allow it.
  func migrate(over versions: ArraySlice<String>) async throws -> Bool {
    for version in versions {
      do {
        _ = try await remodel.migrate(.url(url), to: version)
      } catch let error as ExecutionError {
        guard case .preconditionsViolated = error.fact else { throw error }
        return false
      }
    }
    return true
  }

  /// Migrates to a version in as few steps as there can be, and holds that to the live law.
  ///
  /// - Returns: The steps.
  func migrateAtOnce(to version: String, of name: String) async throws -> [MigrationStep] {
    let steps = try await remodel.plan(.url(url), to: version).plan.steps
    for step in steps {
      expectNoTableAlteredTwice(in: step, of: name)
      guard let source = step.source, let mapping = step.mappingModel else { continue }
      let kept = KeptRows(mapping, source, step.destination)
      let before = try connect { try kept.contents(isMigrated: false, $0) }
      let report = try await remodel.migrate(.url(url), to: step.destination.name)
      let after = try connect { try kept.contents(isMigrated: true, $0) }

      #expect(report.steps.map(\.destination) == [step.destination.name], "\(name)")
      #expect(kept.differences(before, after) == [], "\(name), to \(step.destination.name)")
      let drift = try await remodel.verify(.url(url)).drift
      #expect(drift.map(\.object.description) == [], "\(name), to \(step.destination.name)")
    }
    #expect(try await remodel.plan(.url(url), to: version).plan.steps.isEmpty, "\(name)")
    return steps
  }

  /// What can be said of a table in one statement is, unless rows have to move in between.
  private func expectNoTableAlteredTwice(in step: MigrationStep, of name: String) {
    var altered: Set<Substring> = []
    for statement in step.statements {
      let text = statement.sql.text
      if ["UPDATE", "INSERT", "DELETE", "WITH", "DO"].contains(where: text.hasPrefix) {
        altered = []
      }
      let start = "ALTER TABLE "
      guard text.hasPrefix(start), !text.contains(" RENAME ") else { continue }
      let table = text.dropFirst(start.count).prefix { !$0.isWhitespace }
      #expect(altered.insert(table).inserted, "\(name): \(text)")
    }
  }

  func removeRows() async throws {
    try connect { connection in
      let tables = try connection.query(
        """
        SELECT string_agg(format('%I.%I', schemaname, tablename), ', ') AS names FROM pg_tables \
        WHERE schemaname = 'public'
        """
      )
      guard let names = tables.first?["names"] else { return }
      try connection.execute("DO \(SQLLiteral.text("BEGIN TRUNCATE \(names); END"))")
    }
  }

  /// Returns the rows of the tables of a version, by table, in order.
  func rows(of version: String) async throws -> [String: [[String?]]] {
    let schema = try projection(of: version).schema
    return try connect { connection in
      var contents: [String: [[String?]]] = [:]
      for table in schema.sortedTables {
        let columns = table.columns.map(\.name)
        contents[table.name.name] = try connection.query(
          "SELECT \(columns) FROM \(schema.qualified(table.name)) ORDER BY \(columns)"
        ).rows
      }
      return contents
    }
  }

  /// Returns the catalog without retained objects.
  func catalog() async throws -> CatalogSnapshot {
    let retained = try await remodel.status(.url(url)).retained
    return try connect { connection in
      try CatalogSnapshot(
        of: "public",
        on: connection,
        leavingOut: CatalogSnapshot.Exclusions(retained)
      )
    }
  }

  func dropRetained() async throws {
    let retained = try await remodel.status(.url(url)).retained
    try connect { try SchemaJudge.drop(retained, in: "public", $0) }
  }

  private func projection(of version: String) throws -> ModelProjection {
    let bundle = try ModelBundle(at: remodel.configuration.modelsPath)
    let found = try #require(bundle.version(named: version))
    return try ModelProjection(bundle.load(found).model, schema: "public")
  }

  @discardableResult
  private func connect<Result>(
    _ body: (borrowing PostgresConnection) throws -> Result
  ) throws -> Result {
    let connection = try PostgresConnection(to: .url(url))
    try connection.prepareSession()
    return try body(connection)
  }
}
