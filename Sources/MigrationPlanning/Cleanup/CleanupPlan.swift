internal import SQLSyntax

/// The objects that a cleanup drops, table by table, and those that it keeps.
///
/// It drops only retained objects: those that other objects depend on stay.
public struct CleanupPlan: Sendable {
  /// The fate of a retained object.
  public enum Fate: Hashable, Sendable {
    /// It is dropped.
    case dropped
    /// It is dropped with the table that it is in.
    case droppedWithTable
    /// Somebody has dropped it, so that it is only taken off the list.
    case forgotten
    /// It stays, since something depends on it, as the server calls it.
    case depended([String])
    /// It stays, since something else has its name.
    case replaced(RetainedState.Difference)
  }

  /// A retained object and its fate.
  package struct Removal: Hashable, Sendable {
    /// The retained object.
    package let entry: RetainedEntry
    /// The fate of the object.
    package let fate: Fate
  }

  /// The selected objects and those that are dropped with them, in the order of the tables.
  package let removals: [Removal]
  /// The steps, each a short transaction of its own: one for a table.
  package let steps: [MigrationStep]

  /// Plans a cleanup.
  ///
  /// - Parameters:
  ///   - selection: The objects to drop.
  ///   - entries: All retained objects.
  ///   - version: The version of the database.
  ///   - dependents: Objects outside of the store that use its tables.
  ///   - states: The states of retained objects; those without a state exist.
  ///   - interfaces: The versions that are served, which may read retained objects.
  package init(
    _ selection: CleanupSelection,
    of entries: [RetainedEntry],
    at version: PlannedVersion,
    dependents: [DependentObject],
    states: [RetainedObject: RetainedState],
    interfaces: [VersionInterface] = []
  ) {
    let tables = Dictionary(grouping: entries, by: \.object.table)
    let cleanups = tables.sorted { $0.key < $1.key }.map { table, all in
      TableCleanup(
        of: table,
        all,
        chosen: all.filter(selection.includes),
        dependents: dependents,
        states: states,
        interfaces: interfaces
      )
    }
    removals = cleanups.flatMap(\.removals)
    steps = cleanups.compactMap { $0.step(at: version) }
  }
}

private struct TableCleanup {
  private let table: SQLIdentifier
  private let dependents: [DependentObject]
  private let states: [RetainedObject: RetainedState]
  private let interfaces: [VersionInterface]
  private(set) var removals: [CleanupPlan.Removal] = []
  private var operations: [MigrationOperation] = []

  init(
    of table: SQLIdentifier,
    _ all: [RetainedEntry],
    chosen: [RetainedEntry],
    dependents: [DependentObject],
    states: [RetainedObject: RetainedState],
    interfaces: [VersionInterface]
  ) {
    self.interfaces = interfaces
    self.table = table
    self.dependents = dependents.filter { object in
      object.uses.contains { $0.table == table }
    }
    self.states = states
    guard let whole = chosen.first(where: { $0.object.column == nil }) else {
      for entry in chosen { add(entry, dropping: entry.object.column) }
      return
    }
    let drop = MigrationOperation.dropTable(DropTable(contents: Table(name: table)))
    let fate = fate(of: whole.object, by: drop)
    removals.append(CleanupPlan.Removal(entry: whole, fate: fate))
    let columns = all.filter { $0.object.column != nil }
    switch fate {
    case .dropped:
      operations = [drop]
      removals += columns.map { CleanupPlan.Removal(entry: $0, fate: .droppedWithTable) }
    case .forgotten:
      removals += columns.map { CleanupPlan.Removal(entry: $0, fate: .forgotten) }
    case .droppedWithTable, .depended, .replaced: break
    }
  }

  private mutating func add(_ entry: RetainedEntry, dropping column: SQLIdentifier?) {
    guard let column else { return }
    let drop = MigrationOperation.dropColumn(DropColumn(table: table, column: column))
    let fate = fate(of: entry.object, by: drop)
    removals.append(CleanupPlan.Removal(entry: entry, fate: fate))
    if fate == .dropped { operations.append(drop) }
  }

  private func fate(
    of object: RetainedObject,
    by drop: MigrationOperation
  ) -> CleanupPlan.Fate {
    switch states[object] ?? .present {
    case .gone: return .forgotten
    case .replaced(let difference): return .replaced(difference)
    case .present: break
    }
    // Whether its view is there or not.
    let readers = interfaces.filter { $0.reads(object) }
    if !readers.isEmpty {
      return .depended(readers.map { "version \"\($0.versionName)\", which is served" })
    }
    do {
      _ = try DependentChanges(dependents, in: [drop])
      return .dropped
    } catch {
      guard case .dependentsInTheWay(let refusals) = error.fact else { return .depended([]) }
      return .depended(refusals.map(\.name))
    }
  }

  /// The transaction; none if there is nothing to do.
  func step(at version: PlannedVersion) -> MigrationStep? {
    let leaving = removals.filter { removal in
      switch removal.fate {
      case .dropped, .droppedWithTable, .forgotten: true
      case .depended, .replaced: false
      }
    }
    guard !leaving.isEmpty else { return nil }
    let schema = version.projection.schema
    let lock = MigrationStep.LockedTable(name: schema.qualified(table), mode: .accessExclusive)
    var step = MigrationStep(
      source: version,
      destination: version,
      passedVersions: [],
      mappingModel: nil,
      preconditions: [],
      lockedTables: operations.isEmpty ? [] : [lock],
      statements: StatementCompiler.statements(
        for: operations,
        in: schema,
        hazards: StepHazards(ofRemovals: operations)
      ),
      retained: [],
      renamedRetained: [:],
      droppedRetained: Set(leaving.map(\.entry.object)),
      warnings: [],
      operations: operations
    )
    step.kind = .cleanup
    return step
  }
}
