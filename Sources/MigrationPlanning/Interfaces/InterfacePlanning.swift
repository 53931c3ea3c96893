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
    let retired = interfaces.filter { $0 != returned && !kept.contains($0) }
    var served = step
    let schema = step.destination.projection.schema
    let statements = InterfaceStatements(schema: schema)
    var before = retired.flatMap(InterfaceStatements.retirement)
    var after: [PlannedStatement] = []
    served.lockedViews = retired.flatMap { interface in interface.views.map(interface.place) }
    var found: [VersionInterface] = []
    var unserved: [UnservedTable] = []
    for interface in kept {
      var changed = interface
      for index in interface.views.indices {
        let reasons = changed.views[index].follow(step)
        if !reasons.isEmpty {
          unserved.append(
            UnservedTable(interface.views[index], of: interface, reasons, in: step.source)
          )
        }
      }
      let touched = interface.views.indices.filter {
        changed.views[$0] != interface.views[$0] || step.touches(interface.views[$0].table)
      }
      let old = touched.map { interface.views[$0] }
      served.lockedViews += old.map(interface.place)
      before += InterfaceStatements.removal(of: old, in: interface)
      after += statements.creation(of: touched.map { changed.views[$0] }, in: changed)
      served.addWarnings(of: changed, before: interface)
      served.bridgeBreakages(of: changed, before: interface)
      found.append(changed)
    }
    let refused = unserved.filter { !$0.isAllowed(unservedEntities) }
    guard refused.isEmpty else { throw PlanningError(fact: .versionNotServable(refused)) }
    served.unservedTables = unserved
    if let version = unserved.first?.versionName {
      served.warnings.append(
        Diagnostic(
          .warning,
          "version \"\(version)\" stays served without some entities",
          detail: unserved.map(\.summary).joined(separator: "\n")
        )
      )
    }
    if let returned {
      let current = VersionInterface(of: step.destination, schema: returned.schema)
      served.lockedViews += returned.views.map(returned.place)
      before += InterfaceStatements.removal(of: returned.views, in: returned)
      after += statements.creation(of: current.views, in: current)
      found.append(current)
    } else if isLast {
      let name = VersionInterface.schemaName(of: step.destination.name, prefix: prefix)
      let current = VersionInterface(of: step.destination, schema: name)
      after += statements.creation(of: current)
      found.append(current)
    }
    served.retiredInterfaces = retired
    served.statements = before + served.statements + after
    served.interfaces = found
    interfaces = found
    return served
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
  /// - Returns: The step.
  package func step(
    retiring interface: VersionInterface,
    at version: PlannedVersion
  ) -> MigrationStep {
    var step = MigrationStep(interfacesAt: version)
    step.statements = InterfaceStatements.retirement(of: interface)
    step.lockedViews = interface.views.map(interface.place)
    step.interfaces = interfaces.filter { $0 != interface }
    step.retiredInterfaces = [interface]
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

  /// Returns whether a view of a table could be in the way.
  fileprivate func touches(_ table: SQLIdentifier?) -> Bool {
    guard let table else { return false }
    return lockedTables.contains { $0.name.name == table }
  }

  /// Removes what the plan says of a release that uses the tables themselves.
  fileprivate mutating func bridgeBreakages(
    of interface: VersionInterface,
    before: VersionInterface
  ) {
    let served = zip(interface.views, before.views).filter { $0.0.table != nil }
    let tables = Set(served.compactMap { $0.1.table })
    for index in statements.indices {
      statements[index].removeBreakages { $0.isBridgedByView && tables.contains($0.table) }
    }
  }

  /// Warns of rows and references that the release on a served version does not expect.
  fileprivate func surprises(
    of view: InterfaceView,
    _ former: SQLIdentifier
  ) -> [String] {
    guard let table = view.table else { return [] }
    let known = Set(source?.projection.concreteEntities(of: former).map(\.name) ?? [])
    let added = destination.projection.concreteEntities(of: table).map(\.name)
      .filter { !known.isEmpty && !known.contains($0) }
    let loose = releaseTables.first { $0.name == former }?.looseReferences ?? []
    return added.map { "Table \"\(view.name)\" can have rows of entity \"\($0)\"." }
      + view.columns.filter { column in loose.contains { $0 == column.name } }.map {
        "Column \"\($0.name)\" of table \"\(view.name)\" can refer to rows that are gone."
      }
  }

  /// Warns of what the release on a served version does not expect.
  fileprivate mutating func addWarnings(of interface: VersionInterface, before: VersionInterface) {
    let surprises = zip(interface.views, before.views).flatMap { view, former in
      former.table.map { self.surprises(of: view, $0) } ?? []
    }
    if !surprises.isEmpty {
      warnings.append(
        Diagnostic(
          .warning,
          "version \"\(interface.versionName)\" stays served, and finds what it does not know",
          detail: surprises.joined(separator: "\n"),
          hint: "Make sure that the release takes it."
        )
      )
    }
    let schema = destination.projection.schema
    let columns = interface.views.flatMap { view in
      view.columns.filter { column in
        guard let table = view.table, column.isRequired, !column.isFilledByServer else {
          return false
        }
        guard let found = schema.tables[table]?.column(column.source) else {
          // What is retained has its default, if it had one.
          return schema.tables[table] != nil && column.defaultExpression == nil
        }
        return found.isNullable
      }.map { "column \"\($0.name)\" of table \"\(view.name)\"" }
    }
    guard !columns.isEmpty else { return }
    warnings.append(
      Diagnostic(
        .warning,
        "version \"\(interface.versionName)\" stays served, and may read NULL where it has values",
        detail: columns.joined(separator: "\n"),
        hint: "Make sure that the release reads it, or give the attribute a default before."
      )
    )
  }
}

extension InterfaceView {
  /// Has the view show what a step makes of its table.
  ///
  /// - Parameter step: The step.
  /// - Returns: Why it cannot any more; nothing if it can.
  fileprivate mutating func follow(_ step: MigrationStep) -> [String] {
    guard let former = table else { return [] }
    if let release = step.releaseTables.first(where: { $0.name == former }) {
      return follow(release, step)
    }
    // A table that was retained by an earlier step of the way.
    let object = step.renamedRetained.first { $0.key.table == former && $0.key.column == nil }
    if step.droppedRetained.contains(where: { $0.table == former && $0.column == nil }) {
      table = nil
      return ["uses table \"\(former)\", which is dropped"]
    }
    table = object?.value.table ?? former
    return []
  }

  private mutating func follow(_ release: ReleaseTable, _ step: MigrationStep) -> [String] {
    guard release.obstacles.isEmpty, let heir = release.table else {
      table = nil
      return release.obstacles.isEmpty
        ? ["uses table \"\(release.name)\", which is dropped"]
        : release.obstacles.map(\.description)
    }
    var missing: [String] = []
    for index in columns.indices {
      let source = columns[index].source
      let retained = step.renamedRetained.first {
        $0.key.table == release.name && $0.key.column == source
      }
      if let name = release.columns[source] ?? retained?.value.column {
        columns[index].source = name
      } else if release.columns[source] == nil,
        step.droppedRetained.contains(where: { $0.table == release.name && $0.column == source })
      {
        missing.append("uses column \"\(source)\" of table \"\(release.name)\", which is dropped")
      }
    }
    table = missing.isEmpty ? heir : nil
    return missing
  }
}
