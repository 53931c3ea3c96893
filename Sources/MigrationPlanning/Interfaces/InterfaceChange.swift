internal import Diagnostics
internal import ObjectModel
internal import SQLSyntax

/// What becomes of the interfaces of a store by a step.
struct InterfaceChange {
  /// The interfaces afterwards.
  private(set) var interfaces: [VersionInterface] = []
  /// The tables that releases are not served with any more.
  private(set) var unserved: [UnservedTable] = []
  private var step: MigrationStep
  private let statements: InterfaceStatements
  private var before: [PlannedStatement] = []
  /// What only views of `before` have used.
  private var unused: [PlannedStatement] = []
  private var after: [PlannedStatement] = []

  /// Begins with none.
  init(of step: MigrationStep) {
    self.step = step
    statements = InterfaceStatements(schema: step.destination.projection.schema)
  }

  /// The step with the changes.
  var servedStep: MigrationStep {
    var served = step
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
    served.statements = before + unused + served.statements + after
    served.interfaces = interfaces
    return served
  }

  // MARK: - Interfaces

  /// Serves a version no longer.
  mutating func retire(_ interface: VersionInterface) {
    removeBridges(of: interface)
    step.lockedViews += interface.views.map(interface.place)
    before += InterfaceStatements.retirement(of: interface)
    step.retiredInterfaces.append(interface)
  }

  /// Has a version stay served.
  mutating func keep(_ interface: VersionInterface) {
    var changed = interface
    if step.source?.name == interface.versionName {
      changed.bridges = step.bridges
      changed.links = step.links
      changed.postponed = step.destination.postponed
    }
    for index in interface.views.indices {
      let table = interface.views[index].table
      var reasons = changed.views[index].follow(step)
      let bridges = interface.bridges.filter { $0.table == table && step.touches(table) }
      let links = interface.links.filter {
        $0.former.table == table && $0.tables.contains(where: step.touches)
      }
      if !bridges.isEmpty || !links.isEmpty {
        for bridge in bridges { remove(bridge, of: interface) }
        for link in links { remove(link, of: interface) }
        changed.bridges.removeAll(where: bridges.contains)
        changed.links.removeAll(where: links.contains)
        changed.views[index].table = nil
        reasons.append("is kept in step with a version that is passed")
      }
      if !reasons.isEmpty {
        let heir = step.releaseTables.first { $0.name == table }?.table ?? table
        changed.bridges.removeAll { $0.table == heir }
        changed.links.removeAll { $0.former.table == heir }
        unserved.append(
          UnservedTable(interface.views[index], of: interface, reasons, in: step.source)
        )
      }
    }
    let touched = interface.views.indices.filter {
      changed.views[$0] != interface.views[$0] || step.touches(interface.views[$0].table)
    }
    let old = touched.map { interface.views[$0] }
    step.lockedViews += old.map(interface.place)
    before += InterfaceStatements.removal(of: old, in: interface)
    after += statements.creation(of: touched.map { changed.views[$0] }, in: changed)
    for bridge in changed.bridges where !interface.bridges.contains(bridge) {
      after += BridgeStatements(bridge, of: changed, in: statements.schema.name).creation
    }
    for link in changed.links where !interface.links.contains(link) {
      let former = step.releaseTables.filter { $0.table.map(link.tables.contains) ?? false }
      lock(Set(former.map(\.name)), .shareRowExclusive)
      let bridge = LinkBridgeStatements(link, of: changed, in: statements.schema.name)
      after += bridge.alignment + bridge.creation
    }
    step.addWarnings(of: changed, before: interface)
    step.addPostponementWarning(of: changed)
    step.bridgeBreakages(of: changed, before: interface)
    interfaces.append(changed)
  }

  /// Has the interface of the version that the database is at be its tables again.
  mutating func replace(_ interface: VersionInterface) {
    removeBridges(of: interface)
    let current = VersionInterface(of: step.destination, schema: interface.schema)
    step.lockedViews += interface.views.map(interface.place)
    before += InterfaceStatements.removal(of: interface.views, in: interface)
    after += statements.creation(of: current.views, in: current)
    interfaces.append(current)
  }

  /// Serves the version that the step leads to.
  ///
  /// - Parameter schema: The schema of its views.
  mutating func add(_ schema: SQLIdentifier) {
    let current = VersionInterface(of: step.destination, schema: schema)
    after += statements.creation(of: current)
    interfaces.append(current)
  }

  private mutating func removeBridges(of interface: VersionInterface) {
    for bridge in interface.bridges { remove(bridge, of: interface) }
    for link in interface.links { remove(link, of: interface) }
  }

  /// Keeps links in step no longer.
  private mutating func remove(_ link: LinkBridge, of interface: VersionInterface) {
    lock(link.tables, .accessExclusive)
    before += LinkBridgeStatements(link, of: interface, in: statements.schema.name).removal
  }

  /// Has the step lock tables at its beginning, as strongly as it ever will.
  private mutating func lock(_ tables: Set<SQLIdentifier>, _ mode: LockMode) {
    for table in tables.sorted() {
      let name = statements.schema.qualified(table)
      let known = step.lockedTables.firstIndex { $0.name.name == table }
      let stronger = known.map { max(step.lockedTables[$0].mode, mode) } ?? mode
      if let known { step.lockedTables.remove(at: known) }
      step.lockedTables.append(MigrationStep.LockedTable(name: name, mode: stronger))
    }
    step.lockedTables.sort { $0.name.name < $1.name.name }
  }

  /// Keeps a table in step no longer; the values of the version before stay until they are cleaned up.
  private mutating func remove(_ bridge: TableBridge, of interface: VersionInterface) {
    let schema = statements.schema
    before += BridgeStatements(bridge, of: interface, in: schema.name).removal
    lock([bridge.table], .accessExclusive)
    guard let writer = bridge.writer, step.droppedRetained.insert(writer).inserted else { return }
    // Before the step, which may need a column of this name itself.
    unused.append(
      PlannedStatement(
        sql: "ALTER TABLE \(schema.qualified(bridge.table)) DROP COLUMN \(BridgeDraft.writer)",
        reason: "say no longer which version rows of table \"\(bridge.table)\" are inserted for",
        impact: .accessExclusive(bridge.table)
      )
    )
  }
}

extension MigrationStep {
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
      statements[index].removeBreakages { tables.contains($0.table) }
    }
  }

  /// Warns of rows and references that the release on a served version does not expect.
  fileprivate func surprises(of view: InterfaceView, before: InterfaceView) -> [String] {
    guard let table = view.table, let former = before.table else { return [] }
    let known = Set(source?.projection.concreteEntities(of: former).map(\.name) ?? [])
    let added = destination.projection.concreteEntities(of: table).map(\.name)
      .filter { !known.isEmpty && !known.contains($0) }
    let release = releaseTables.first { $0.name == former }
    let loose = release?.looseReferences ?? []
    return added.map { "Table \"\(view.name)\" can have rows of entity \"\($0)\"." }
      + zip(view.columns, before.columns).flatMap { column, old in
        let values = addedValues(
          to: ColumnReference(table: table, column: column.source),
          from: ColumnReference(table: former, column: old.source)
        )
        return values.map {
          "Column \"\(column.name)\" of table \"\(view.name)\" can have value \"\($0)\"."
        }
      }
      + view.columns.filter { column in loose.contains { $0 == column.name } }.map {
        "Column \"\($0.name)\" of table \"\(view.name)\" can refer to rows that are gone."
      }
      + (release?.looseKeys ?? []).map { columns in
        let names = columns.map { "\"\($0)\"" }.joined(separator: ", ")
        return "Several rows of table \"\(view.name)\" can have one value of \(names), and ON "
          + "CONFLICT of it fails."
      }
      + (release?.changedDeletions ?? []).map {
        "DELETE of a row of table \"\(view.name)\" has another effect on rows of table \"\($0)\"."
      }
  }

  /// Returns the values of an enumeration that a column can have from now on.
  private func addedValues(to new: ColumnReference, from old: ColumnReference) -> [String] {
    guard case .enumeration(let known)? = source?.projection.leaf(in: old)?.1.description.type,
      case .enumeration(let all)? = destination.projection.leaf(in: new)?.1.description.type
    else { return [] }
    return all.filter { !known.contains($0) }
  }

  /// Warns of constraints that hold when a version is retired.
  fileprivate mutating func addPostponementWarning(of interface: VersionInterface) {
    let postponed = destination.postponed
    guard !postponed.isEmpty, interface.postponed == postponed else { return }
    warnings.append(
      Diagnostic(
        .warning,
        "some constraints hold from the retirement of version \"\(interface.versionName)\" on",
        detail: postponed.map { "\($0)" }.joined(separator: "\n"),
        hint:
          "Until then, make sure that the release on version \"\(destination.name)\" takes rows that violate them, "
          + "and names none of them in ON CONFLICT."
      )
    )
  }

  /// Warns of what the release on a served version does not expect.
  fileprivate mutating func addWarnings(of interface: VersionInterface, before: VersionInterface) {
    let surprises = zip(interface.views, before.views).flatMap {
      self.surprises(of: $0, before: $1)
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
