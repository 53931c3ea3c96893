internal import ObjectModel
internal import SQLSyntax

extension MigrationStep {
  /// A Boolean value that indicates whether the step spreads rows over nodes.
  package var reachesNodes: Bool {
    schemaDistribution != nil || operations.contains { $0.distribution != nil }
  }

  /// Returns what the step would do to tables that they do not survive as what they are, or that their
  /// server only seems to do.
  ///
  /// - Parameter kinds: The kinds of the tables before the step.
  /// - Returns: The refusals, each once.
  package func kindRefusals(_ kinds: TableKinds) -> [KindRefusal] {
    KindCheck(self, kinds).refusals
  }
}

extension Column {
  /// A Boolean value that indicates whether Citus refuses to take its table off the nodes.
  var isIdentity: Bool { sequence.map { $0.kind != .serial } ?? false }
}

extension TableKind {
  /// Returns whether the server can keep the values of columns unique over all parts of the table.
  func keepsUnique(_ columns: [SQLIdentifier]) -> Bool {
    uniquingColumns.allSatisfy(columns.contains)
  }
}

extension DeferredWork {
  /// The columns that the work makes unique; `nil` if it makes none so.
  var uniqueColumns: [SQLIdentifier]? {
    switch self {
    case .buildIndex(let build): build.index.uniqueColumns
    case .addUniqueConstraint(let build): build.constraint.columns
    case .validateConstraint, .setNotNull, .dropIndex: nil
    }
  }
}

extension Index {
  /// The columns that the index keeps unique; `nil` if it keeps none so.
  fileprivate var uniqueColumns: [SQLIdentifier]? {
    isUnique ? elements.compactMap(\.column) : nil
  }
}

extension MigrationOperation {
  /// The column whose type, values or default it changes.
  var alteredColumn: SQLIdentifier? {
    switch self {
    case .changeColumnType(let change): change.column
    case .setDefault(let change): change.column
    case .dropNotNull(let change): change.column
    case .dropColumn(let change): change.column
    default: nil  // Nothing else is about one column that is there.
    }
  }

  /// The table that it spreads over nodes, if it does.
  var distribution: SQLIdentifier? {
    switch self {
    case .createTable(let creation): creation.contents.distribution.map { _ in creation.table }
    case .installTable(let installation):
      installation.contents.distribution.map { _ in installation.table }
    case .distributeTable(let change): change.table
    default: nil  // Rows stay where they are.
    }
  }

  /// The name of a constraint or an index that keeps values unique, and its columns.
  var addedUniqueness: (SQLIdentifier, [SQLIdentifier])? {
    switch self {
    case .addConstraint(let addition) where addition.constraint.hasIndex:
      (addition.constraint.name, addition.constraint.columns)
    case .createIndex(let creation):
      creation.index.uniqueColumns.map { (creation.index.name, $0) }
    default: nil
    }
  }

  /// The foreign keys that an operation adds.
  var addedForeignKeys: [ForeignKey] {
    switch self {
    case .createTable(let creation): creation.contents.constraints.compactMap(\.foreignKey)
    case .installTable(let installation):
      installation.contents.constraints.compactMap(\.foreignKey)
    case .addColumn(let addition): [addition.reference?.foreignKey].compactMap(\.self)
    case .addConstraint(let addition): [addition.constraint.foreignKey].compactMap(\.self)
    default: []
    }
  }
}

extension ForeignKey {
  /// Returns why a foreign key between tables in such places does not hold; none if it does.
  func fault(
    from table: SQLIdentifier,
    _ place: TableKind.Placement?,
    to other: TableKind.Placement?
  ) -> KindRefusal.Cause? {
    switch (place, other) {
    case (_, .reference?), (nil, nil), (nil, .coordinator?), (.coordinator?, nil),
      (.coordinator?, .coordinator?), (.reference?, nil), (.reference?, .coordinator?):
      nil
    case (.distributed?, nil), (.distributed?, .coordinator?), (.singleShard?, nil),
      (.singleShard?, .coordinator?):
      .refersToLocal(references)
    case (nil, _), (.coordinator?, _): .referenced(by: table)
    case (.distributed(let column, _, let first)?, .distributed(let key, _, let second)?)
    where first == second && column == columns.first?.name && key == keys.first?.name:
      nil
    case (.singleShard(let first)?, .singleShard(let second)?) where first == second: nil
    default: .refersElsewhere(references)
    }
  }
}
