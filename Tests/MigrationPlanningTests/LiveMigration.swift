import MigrationExecution
import ModelMapping
import PostgresClient
import SQLSyntax
import TestSupport
import Testing

@testable import MigrationPlanning

/// A database that migrates from version to version, and satisfies the live law after each step:
/// its catalog equals that of a fresh database, and it has every row and value that both versions
/// have.
struct LiveMigration {
  private(set) var planner: MigrationPlanner
  /// Where it is, for reports.
  private(set) var place: String
  private let name: String
  /// What is in place although the version that it is at does not have it.
  private(set) var retained: [RetainedObject] = []
  /// How many steps were taken with the rows as they were, with some mended, and without rows.
  private(set) var outcomes: [RowRepair.Outcome: Int] = [:]
  /// Whether statements run one by one, and their locks and effects are compared with the
  /// predictions.
  private let isMeasured: Bool
  /// How many statements were as predicted, how many read less, how many were different.
  private(set) var verdicts: [ImpactComparison.Verdict: Int] = [:]
  /// What the last step made without the values that it had once.
  private(set) var emptyElements: [EmptyElement] = []
  /// Whether rows were deleted to which others led that keep the places of their links.
  var hasStrayPlaces = false
  /// How many statements were run after the transactions of their steps.
  private(set) var lateStatementCount = 0

  init(_ planner: MigrationPlanner, name: String, isMeasured: Bool = false) {
    self.planner = planner
    self.name = name
    self.isMeasured = isMeasured
    place = name
  }

  /// Creates a version in a new schema `s`, with rows in every table.
  mutating func create(
    _ version: PlannedVersion,
    seed: UInt64 = 1,
    _ connection: borrowing PostgresConnection
  ) throws {
    planner.serverMajor = connection.serverVersion / 10_000
    try connection.execute("DROP SCHEMA IF EXISTS s CASCADE; CREATE SCHEMA s")
    try execute(planner.step(creating: version), connection)
    var filler = RowFiller(version.projection, seed: seed)
    try filler.fill(connection)
  }

  mutating func migrate(
    from source: PlannedVersion,
    to destination: PlannedVersion,
    by mapping: CompleteMapping,
    _ connection: borrowing PostgresConnection
  ) throws {
    place = "\(name), \(source.name) to \(destination.name)"
    let step = try step(from: source, to: destination, by: mapping)
    emptyElements = StepLosses(by: step).emptyElements
    let repair = try RowRepair(mapping, step, from: source, to: destination)
    let outcome = try repair.mend(connection)
    outcomes[outcome, default: 0] += 1
    // What is bound again may have lost what it led to.
    if planner.reinstatement == nil, !hasStrayPlaces {
      let faults = try RowRules(source).violations(connection)
      #expect(faults == [], "\(place): before")
    }
    let kept = KeptRows(mapping.mappingModel, source, destination)
    let removed = RemovedRows(step, from: source)
    let before = try kept.contents(isMigrated: false, connection)
    let removedBefore = try removed.keys(connection)

    do {
      if isMeasured {
        try measure(step, connection)
      } else {
        try execute(step, connection)
      }
    } catch {
      record("\(error)", step)
      throw error
    }

    retained = step.retainedAfterwards(retained)
    let after = try kept.contents(isMigrated: true, connection)
    let isReturn = planner.reinstatement.map { !$0.apart.isEmpty } ?? false
    for difference in kept.differences(before, after, isReturn: isReturn) {
      record(difference, step)
    }
    for violation in try RowRules(destination).violations(connection)
    where !violation.contains("places in") || !hasStrayPlaces {
      record(violation, step)
    }
    for fault in try removed.faults(removedBefore, connection) { record(fault, step) }
    try compareCatalog(with: destination, step, connection)
    try expectDerivedValues(of: destination, step, connection)
    if outcome != .untouched { try refill(destination, connection) }
  }

  /// Plans a step; what takes a copy, or cannot be done while others read and write, is done at once.
  private mutating func step(
    from source: PlannedVersion,
    to destination: PlannedVersion,
    by mapping: CompleteMapping
  ) throws -> MigrationStep {
    let step = try planner.step(from: source, to: destination, by: mapping, retained: retained)
    guard planner.isPhased, step.copy != nil || step.onlineObstacle != nil else {
      lateStatementCount += step.lateStatements.count
      return step
    }
    var planner = planner
    planner.isPhased = false
    planner.strategy = .locked
    return try planner.step(from: source, to: destination, by: mapping, retained: retained)
  }

  /// Fills the tables again after rows had to be removed.
  private func refill(
    _ version: PlannedVersion,
    _ connection: borrowing PostgresConnection
  ) throws {
    let schema = version.projection.schema
    // The new rows get keys from 1 on, which retained rows and links may have.
    let apart = retained.filter { object in
      switch object.origin?.content {
      case .rows, .links: true
      case .column, .table, .partition, nil: false
      }
    }
    let tables = (schema.sortedTables.map(\.name) + apart.map(\.table))
      .map { "\(schema.qualified($0))" as SQLFragment }
    if !tables.isEmpty { try connection.execute("TRUNCATE \(tables.joined(separator: ", "))") }
    var filler = RowFiller(version.projection)
    try filler.fill(connection)
  }

  private mutating func measure(
    _ step: MigrationStep,
    _ connection: borrowing PostgresConnection
  ) throws {
    let tables = try connection.query(
      "SELECT relname FROM pg_class WHERE relnamespace = 's'::regnamespace AND relkind = 'r'"
    ).compactMap { $0["relname"].map { "s.\(SQLIdentifier($0))" as SQLFragment } }
    if !tables.isEmpty { try connection.execute("ANALYZE \(tables.joined(separator: ", "))") }
    let comparisons = try StatementTrial(step, metadataSchema: "remodel").run(connection)
    for (statement, comparison) in zip(step.statements, comparisons) {
      verdicts[comparison.verdict, default: 0] += 1
      guard comparison.verdict == .different else { continue }
      Issue.record("\(place):\n\(statement.sql)\n\(comparison.differences)")
    }
  }

  private func execute(
    _ step: MigrationStep,
    _ connection: borrowing PostgresConnection
  ) throws {
    try connection.execute("BEGIN; SET CONSTRAINTS ALL IMMEDIATE")
    for table in step.lockedTables {
      let mode: SQLFragment =
        switch table.mode {
        case .accessExclusive: "ACCESS EXCLUSIVE"
        case .shareRowExclusive: "SHARE ROW EXCLUSIVE"
        case .share: "SHARE"
        case .accessShare, .rowShare, .rowExclusive, .shareUpdateExclusive, .exclusive: "EXCLUSIVE"
        }
      try connection.execute("LOCK TABLE \(table.name) IN \(mode) MODE")
    }
    let tables = try connection.query(
      """
      SELECT oid, relname FROM pg_class WHERE relnamespace = 's'::regnamespace AND relkind = 'r'
      """
    ).rows
    for statement in step.statements { try connection.execute(statement.sql) }
    try expectAnnouncedLocks(of: step, tables, connection)
    try expectCountedLocks(of: step, connection)
    try connection.execute("COMMIT")
    for statement in step.lateStatements { try connection.execute(statement.sql) }
  }

  /// Whatever keeps writers from a table that was there before has been announced.
  private func expectAnnouncedLocks(
    of step: MigrationStep,
    _ tables: [[String?]],
    _ connection: borrowing PostgresConnection
  ) throws {
    let names = Dictionary(
      tables.map { ($0[0] ?? "", SQLIdentifier($0[1] ?? "")) },
      uniquingKeysWith: { first, _ in first }
    )
    let known = step.source?.projection.schema.tables ?? [:]
    let announced = Set(step.lockedTables.map(\.name.name))
    let locks = try connection.query(
      """
      SELECT relation, mode FROM pg_locks WHERE pid = pg_backend_pid() AND locktype = 'relation' \
      AND mode IN ('AccessExclusiveLock', 'ShareRowExclusiveLock', 'ShareLock', 'ExclusiveLock')
      """
    )
    for lock in locks {
      guard let name = lock["relation"].flatMap({ names[$0] }), known[name] != nil else { continue }
      if !announced.contains(name) { record("\(name): \(lock["mode"] ?? "")", step) }
    }
  }

  /// What triggers keep is what the expression gives for the rows as they are.
  private func expectDerivedValues(
    of version: PlannedVersion,
    _ step: MigrationStep,
    _ connection: borrowing PostgresConnection
  ) throws {
    for (place, derivation) in version.projection.derivations where !derivation.isStamp {
      let table = version.projection.schema.qualified(place.table)
      let stale = try connection.query(
        """
        SELECT count(*) AS n FROM \(table) WHERE \(place.column) IS DISTINCT FROM \(derivation.value)
        """
      )
      if stale.first?.integer("n") != 0 { record("\(place): stale values", step) }
    }
  }

  /// The locks are no more than counted, and not so few that the count would mean nothing.
  ///
  /// Those on the fast path are among them: which ones are is a matter of what came first. Servers
  /// before 18 do not lock constraints, row types and functions of triggers that are made, which are
  /// always counted.
  private func expectCountedLocks(
    of step: MigrationStep,
    _ connection: borrowing PostgresConnection
  ) throws {
    // How many partitions there are is known to the server alone.
    let tables = [step.source, step.destination].compactMap(\.self)
      .flatMap { $0.projection.schema.tables.values }
    guard tables.allSatisfy({ $0.partitioning == nil }) else { return }
    let held = try connection.query(
      """
      SELECT count(DISTINCT (locktype, relation, classid, objid)) FROM pg_locks \
      WHERE pid = pg_backend_pid()
      """
    ).value.flatMap { Int($0) }
    let count = held ?? 0
    // The preconditions take locks in the step's own transaction; here they were checked before.
    let asked = 4 * Set(step.preconditions.map(\.entityName)).count
    let triggers = step.statements.count { $0.sql.text.hasPrefix("CREATE TRIGGER") }
    let locked = Set(step.statements.flatMap(\.lockedObjects))
    // Older servers lock no constraint.
    let constraints = locked.count { if case .constraint = $0 { true } else { false } }
    let unlocked = triggers + (connection.serverVersion < 180_000 ? constraints : 0)
    if count > step.lockCount || step.lockCount > 2 * count + asked + unlocked + 60 {
      let names = try connection.query(
        """
        SELECT locktype, coalesce(relation::regclass::text, classid::regclass::text), mode \
        FROM pg_locks WHERE pid = pg_backend_pid() ORDER BY 1, 2, 3
        """
      ).rows.map { $0.map { $0 ?? "" }.joined(separator: " ") }
      record(
        "\(count) locks, \(step.lockCount) counted\n\(names.joined(separator: "\n"))",
        step
      )
    }
  }

  private func compareCatalog(
    with destination: PlannedVersion,
    _ step: MigrationStep,
    _ connection: borrowing PostgresConnection
  ) throws {
    let migrated = try CatalogSnapshot(
      of: "s",
      on: connection,
      leavingOut: CatalogSnapshot.Exclusions(retained)
    )
    try connection.execute("BEGIN; ALTER SCHEMA s RENAME TO migrated; CREATE SCHEMA s")
    for statement in try planner.step(creating: destination).statements {
      try connection.execute(statement.sql)
    }
    let fresh = try CatalogSnapshot(of: "s", on: connection)
    try connection.execute("ROLLBACK")
    let difference = migrated.difference(to: fresh)
    if !difference.isEmpty { record(difference.joined(separator: "\n"), step) }
  }

  private func record(_ difference: String, _ step: MigrationStep) {
    let statements = step.statements.map(\.sql.text).joined(separator: ";\n")
    Issue.record("\(place):\n\(difference)\n\(statements)")
  }
}

extension LiveMigration {
  /// Goes to a version that the database has been at.
  mutating func goBack(
    from current: PlannedVersion,
    to former: PlannedVersion,
    _ connection: borrowing PostgresConnection
  ) throws {
    let reinstatement = Reinstatement(of: current, to: former, retained, isReturn: true)
    let source = reinstatement?.source ?? current
    let mapping = try CompleteMapping(
      from: source.projection.model,
      to: former.projection.model,
      isReturn: true,
      earlierVersions: [former.projection.model]
    )
    retained.removeAll { reinstatement?.objects.contains($0) ?? false }
    planner.reinstatement = reinstatement
    defer { planner.reinstatement = nil }
    try migrate(from: source, to: former, by: mapping, connection)
  }

  /// Carries out a step as it is.
  ///
  /// - Returns: Whether the rows allow it; if not, nothing is done.
  mutating func migrateUnlessViolated(
    from source: PlannedVersion,
    to destination: PlannedVersion,
    by mapping: CompleteMapping,
    _ connection: borrowing PostgresConnection
  ) throws -> Bool {
    place = "\(name), \(source.name) to \(destination.name)"
    let step = try planner.step(from: source, to: destination, by: mapping, retained: retained)
    for precondition in step.preconditions {
      let count = try connection.query(precondition.query).first?.integer("count") ?? 0
      guard count == 0 else { return false }
    }
    try execute(step, connection)
    retained = step.retainedAfterwards(retained)
    return true
  }

  /// Holds the catalog to that of a fresh database.
  func compareCatalog(
    with destination: PlannedVersion,
    _ connection: borrowing PostgresConnection
  ) throws {
    let step = try planner.step(creating: destination)
    try compareCatalog(with: destination, step, connection)
  }
}
