internal import Diagnostics
internal import ObjectModel
internal import SQLSyntax

/// Plans which versions a database serves, step by step: the one that it is at, and the one before.
package struct InterfacePlanning {
  /// The versions that are served before the next step.
  package private(set) var interfaces: [VersionInterface]
  /// The beginning of the names of the schemas of views.
  private let prefix: String
  /// Whether the version before stays served.
  private let keepsPrevious: Bool
  /// The entities that the version before may lose.
  private let unservedEntities: Set<String>

  /// Creates the planning of the interfaces of a store.
  ///
  /// - Parameters:
  ///   - interfaces: The versions that are served.
  ///   - prefix: The beginning of the names of the schemas of views.
  ///   - keepsPrevious: Whether the version before stays served.
  ///   - unservedEntities: The entities that the version before may lose.
  package init(
    _ interfaces: [VersionInterface],
    prefix: String,
    keepsPrevious: Bool,
    unservedEntities: Set<String> = []
  ) {
    self.interfaces = interfaces
    self.prefix = prefix
    self.keepsPrevious = keepsPrevious
    self.unservedEntities = unservedEntities
  }

  /// Adds the changes of interfaces to the steps to a target, or back.
  ///
  /// - Parameter steps: The steps.
  /// - Returns: The steps.
  /// - Throws: That the version before cannot be served.
  package mutating func serve(
    _ steps: [MigrationStep]
  ) throws(PlanningError) -> [MigrationStep] {
    var served: [MigrationStep] = []
    for (index, step) in steps.enumerated() {
      served.append(try serve(step, isLast: index == steps.count - 1))
    }
    return served
  }

  /// Adds the changes of interfaces to a step.
  ///
  /// - Parameters:
  ///   - step: The step.
  ///   - isLast: Whether a release uses the version that it leads to, and not just the next step.
  /// - Returns: The step.
  /// - Throws: That the version before cannot be served.
  package mutating func serve(
    _ step: MigrationStep,
    isLast: Bool
  ) throws(PlanningError) -> MigrationStep {
    if keepsPrevious, step.kind == .migration, let source = step.source, interfaces.isEmpty {
      throw PlanningError(fact: .versionNotServed(source.name))
    }
    // By their names: versions that differ in their layout alone have the same hash, and an edit of the layout
    // is no other version.
    let (source, destination) = (step.source?.name, step.destination.name)
    let returned = interfaces.first { $0.versionName == destination }
    // Releases are on no version that was only passed.
    let isPassed = source == destination || !interfaces.contains { $0.versionName == source }
    let kept = interfaces.filter { interface in
      keepsPrevious && step.kind == .migration && interface != returned
        && (isPassed || interface.versionName == source)
    }
    var change = InterfaceChange(of: step)
    for interface in interfaces where interface != returned && !kept.contains(interface) {
      change.retire(interface)
    }
    for interface in kept { change.keep(interface) }
    let refused = change.unserved.filter { !$0.isAllowed(unservedEntities) }
    guard refused.isEmpty else { throw PlanningError(fact: .versionNotServable(refused)) }
    if let returned {
      change.replace(returned)
    } else if isLast {
      change.add(VersionInterface.schemaName(of: destination, prefix: prefix))
    }
    interfaces = change.interfaces
    return change.servedStep
  }

  /// Plans to serve the version that the database is at, to which nothing else changes.
  ///
  /// - Parameter version: The version.
  /// - Returns: The step.
  package func step(serving version: PlannedVersion) -> MigrationStep {
    let name = VersionInterface.schemaName(of: version.name, prefix: prefix)
    let interface = VersionInterface(of: version, schema: name)
    let statements = InterfaceStatements(schema: version.projection.schema)
    var step = MigrationStep(interfacesAt: version)
    step.statements = statements.creation(of: interface)
    step.interfaces = interfaces + [interface]
    return step
  }

  /// Plans to retire a version.
  ///
  /// - Parameters:
  ///   - interface: The interface of the version.
  ///   - version: The version that the database is at.
  ///   - completion: The step that adds the constraints which hold from then on, if there are any.
  /// - Returns: The step.
  package mutating func step(
    retiring interface: VersionInterface,
    at version: PlannedVersion,
    completing completion: MigrationStep? = nil
  ) -> MigrationStep {
    let schema = version.projection.schema
    var base =
      completion?.asking(about: interface.postponed, of: schema)
      ?? MigrationStep(interfacesAt: version)
    base.kind = .interfaces
    var change = InterfaceChange(of: base)
    change.retire(interface)
    interfaces.removeAll { $0 == interface }
    var step = change.servedStep
    step.interfaces = interfaces
    return step
  }
}

extension MigrationStep {
  /// Creates a step that changes nothing but interfaces.
  fileprivate init(interfacesAt version: PlannedVersion) {
    self.init(
      source: version,
      destination: version,
      passedVersions: [],
      mappingModel: nil,
      preconditions: [],
      lockedTables: [],
      statements: [],
      retained: [],
      renamedRetained: [:],
      droppedRetained: [],
      warnings: [],
      operations: []
    )
    kind = .interfaces
  }
}
