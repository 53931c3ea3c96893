internal import ModelMapping
internal import SQLSyntax

/// The operations between the tables of two versions, not yet ordered.
struct SchemaChanges {
  let match: SchemaMatch
  let planner: MigrationPlanner
  let names: CurrentNames
  private(set) var operations: [MigrationOperation]
  let retained: RetainedNames
  /// The columns of each table that links come to which were elsewhere before.
  let linkedColumns: [SQLIdentifier: Set<SQLIdentifier>]
  /// The columns of the source whose values and links go to other columns, where only one of two releases can
  /// write them.
  let movedColumns: Set<ColumnReference>
  /// The links that releases on both versions can write.
  let linkBridges: [LinkBridgeDraft]
  /// The entities whose rows leave tables that stay, by the names that these have by then.
  let leavingEntities: [SQLIdentifier: Set<String>]
  /// The preconditions on rows that links refer to again, and on those that are spread over nodes.
  let linkQuestions: [PlannedPrecondition]

  /// Finds the operations.
  ///
  /// - Parameters:
  ///   - source: The version of the rows.
  ///   - destination: The version to migrate to.
  ///   - placement: The origins of rows and values.
  ///   - mapping: The mapping, whose SQL may create links.
  ///   - copiedTables: The rebuilt tables of the destination.
  ///   - planner: The settings.
  ///   - earlier: The remains of earlier steps.
  init(
    from source: PlannedVersion,
    to destination: PlannedVersion,
    by placement: MappingModel,
    linking mapping: MappingModel,
    copying copiedTables: Set<SQLIdentifier> = [],
    _ planner: MigrationPlanner,
    retained earlier: [RetainedObject] = []
  ) {
    match = SchemaMatch(
      from: source.projection,
      to: destination.projection,
      by: placement,
      copying: copiedTables
    )
    var retained = RetainedNames(
      earlier,
      version: source.retentionName,
      neededRelations: Set(destination.projection.schema.tables.values.flatMap(\.relationNames))
    )
    names = CurrentNames(match, planner.removals, &retained)
    let context = StepContext(
      match: match,
      planner: planner,
      names: names,
      versionName: destination.retentionName
    )
    let links = LinkMoves(context, besides: mapping)
    let rows = RowMoves(context, links, &retained)
    let returns = RowReturns(context)
    let moves = links.operations + rows.operations + returns.operations
    let busyTables = Set(moves.flatMap(\.changedTables))

    var changes: [MigrationOperation] = []
    for (old, new) in match.keptTables {
      let isBusy = busyTables.contains(new.name)
      if !isBusy, context.isUnchanged(old, new) { continue }
      changes += TableChange(context, old, new, links, isBusy: isBusy, &retained).operations
    }
    let readTables = rows.readTables.union(links.movedColumns.map(\.table))
    for table in match.source.schema.sortedTables where match.tables[table.name] == nil {
      let isRead =
        readTables.contains(table.name)
        || links.endTables.contains(names.current(table.name))
      changes += TableRemoval(context, table, isRead: isRead, &retained).operations
    }
    changes += TableCreation(context, links).operations
    for bridge in planner.bridges where !copiedTables.contains(bridge.newName) {
      changes += bridge.operations(names)
      for object in bridge.retainedObjects(of: source.retentionName) { retained.add(object) }
    }
    retained.giveUpNames(of: match.keptTables.map(\.new))

    let order = FormerOrder(context, retained)
    var operations = names.tableRenames
    operations += order.numbering(links.operations)
    operations += rows.operations(with: retained.noteCompanions())
    operations += returns.operations(with: retained)
    operations += changes
    operations += order.operations(for: links.operations)
    let derived = DerivedValues(context)
    operations += derived.computations(besides: operations)
    operations += derived.quietStamps(during: operations)
    operations += retained.operations

    self.planner = planner
    self.operations = Renames.breakingCircles(in: operations)
    self.retained = retained
    linkedColumns = links.linkedColumns
    movedColumns = links.unbridgedColumns.union(match.movedColumns)
    linkBridges = links.bridges
    leavingEntities = rows.leavingEntities
    linkQuestions = returns.questions + DistributionQuestions(match, planner.kinds).all
  }
}

extension SchemaChanges {
  /// Returns the same changes with other operations.
  func with(_ operations: [MigrationOperation]) -> SchemaChanges {
    var changes = self
    changes.operations = operations
    return changes
  }
}

extension CurrentNames {
  fileprivate var tableRenames: [MigrationOperation] {
    tables.filter { $0.key != $0.value }.sorted { $0.key < $1.key }.map { name, newName in
      .rename(RenameObject(kind: .table, name: name, newName: newName))
    }
  }
}

extension MigrationOperation {
  /// The tables in which rows change, so that triggers have to be silent.
  var changedTables: [SQLIdentifier] {
    if case .reinstateRows(let reinstatement) = self {
      return reinstatement.returns.map(\.table)
    }
    return base.rowChange == .none ? [] : [base.table]
  }
}
