package import SQLSyntax

/// Something that no model has and that uses tables or columns of a store: a view, a policy, a
/// trigger.
package struct DependentObject: Hashable, Sendable {
  /// Its kind and its name, as the server describes it: `view public.popular_book`.
  package var name: String
  /// The kind of the object.
  package var kind: Kind
  /// The table of the store that the object is a part of, if there is one.
  package var attachedTable: SQLIdentifier?
  /// The name that it has among the constraints and indexes of that table, if it is one.
  package var partName: SQLIdentifier?
  /// The objects of the store that it uses.
  package var uses: Set<Usage>
  /// The other dependents that it uses, by their names.
  package var usedDependents: Set<String>
  /// How to create it again.
  package var recreation: Recreation
  /// How to create it on a table that will replace the one that it is a part of; `nil` if it has to
  /// wait until the table is in place.
  package var earlyCreation: EarlyCreation?
  /// The function without parameters that the creator of the object must be able to execute, if
  /// there is one.
  package var calledRoutine: QualifiedName?
  /// The names of storage parameters that no manual lists, which nothing like it is given.
  package var unrecognizedParameters: [String]

  /// Creates a description of a dependent object.
  package init(
    name: String,
    kind: Kind,
    attachedTable: SQLIdentifier? = nil,
    partName: SQLIdentifier? = nil,
    uses: Set<Usage>,
    usedDependents: Set<String> = [],
    recreation: Recreation,
    unrecognizedParameters: [String] = []
  ) {
    self.name = name
    self.kind = kind
    self.attachedTable = attachedTable
    self.partName = partName
    self.uses = uses
    self.usedDependents = usedDependents
    self.recreation = recreation
    self.unrecognizedParameters = unrecognizedParameters
  }

  /// The kinds of dependent objects.
  package enum Kind: Hashable, Sendable {
    case view, materializedView, routine, rule, trigger, policy, statistics
    /// A table in a publication.
    case publicationTable
    case index, constraint
    /// A column of a table, by its type or its generation expression.
    case column
    /// The settings of a table, which are no object of their own.
    case settings
    /// Anything else that `pg_depend` knows.
    case other
  }

  /// Something of a store that an object uses, by the names that it has in the database.
  package enum Usage: Hashable, Sendable {
    case table(SQLIdentifier)
    case column(SQLIdentifier, SQLIdentifier)
    /// The type of a table's rows.
    case rowType(SQLIdentifier)
    /// A constraint, index or sequence of a table.
    case part(SQLIdentifier, SQLIdentifier)

    /// The table.
    package var table: SQLIdentifier {
      switch self {
      case .table(let table), .rowType(let table), .column(let table, _), .part(let table, _): table
      }
    }
  }

  /// How to create an object on a table in the staging schema.
  package struct EarlyCreation: Hashable, Sendable {
    /// The statements that create it there, under its final name.
    package var create: [SQLFragment]
    /// The statements that undo them.
    package var drop: [SQLFragment]
    /// The statements for the time when the table has its place.
    package var install: [SQLFragment]
    /// A Boolean value that indicates whether rows may not agree in something because of it.
    package var isUnique: Bool

    /// Creates a description of how to create an object early.
    package init(
      create: [SQLFragment],
      drop: [SQLFragment],
      install: [SQLFragment] = [],
      isUnique: Bool = false
    ) {
      self.create = create
      self.drop = drop
      self.install = install
      self.isUnique = isUnique
    }
  }

  /// How to create an object again.
  package enum Recreation: Hashable, Sendable {
    /// A statement that drops it, and statements that create it again with its owner, its
    /// privileges and its comments; some of them may scan tables.
    case possible(drop: SQLFragment, create: [SQLFragment], scansTables: Bool)
    /// It cannot be created again, for a reason that is a sentence.
    case impossible(String)
    /// It is set on a table, which need not be the same.
    case settings(TableSettings)
  }
}

extension DependentObject {
  /// Applies a rename to the names that the object uses.
  ///
  /// The server follows renames itself, but text that it returned earlier does not.
  mutating func follow(_ rename: RenameObject, _ replacements: TableReplacements?) {
    // A table that is replaced only gets out of the way.
    let newName = { (usage: Usage) in
      replacements?.tables[usage.table] == nil ? usage.renamed(by: rename) : usage
    }
    if case .settings(let settings) = recreation, let attachedTable {
      recreation = .settings(settings.renamed { $0.renamed(in: attachedTable, newName) })
    }
    self.rename(newName)
  }

  /// Notes the names of the tables that take the places of those that the object uses.
  mutating func follow(_ replacements: TableReplacements) {
    if case .settings(let settings) = recreation, let table = attachedTable,
      let replacement = replacements.tables[table]
    {
      recreation = .settings(
        settings.without(replacement.storage, isPartitioned: replacement.isPartitioned)
          .renamed(replacement.subject)
      )
    }
    rename { usage in
      replacements.tables[usage.table] == nil
        ? usage : replacements.replacement(of: usage) ?? usage
    }
  }

  private mutating func rename(_ newName: (Usage) -> Usage) {
    let renamed = Set(uses.map(newName))
    attachedTable = attachedTable.map { newName(.table($0)).table }
    guard renamed != uses else { return }
    uses = renamed
    guard case .possible = recreation else { return }
    recreation = .impossible("The migration renames something that its definition names.")
  }
}

extension TableSetting.Subject {
  /// Returns the subject under the name that something of the table is given.
  fileprivate func renamed(
    in table: SQLIdentifier,
    _ newName: (DependentObject.Usage) -> DependentObject.Usage
  ) -> Self {
    func part(_ name: SQLIdentifier) -> SQLIdentifier {
      if case .part(_, let newName) = newName(.part(table, name)) { newName } else { name }
    }
    switch self {
    case .table: return .table
    case .column(let name):
      if case .column(_, let newName) = newName(.column(table, name)) { return .column(newName) }
      return self
    case .constraint(let name): return .constraint(part(name))
    case .index(let name): return .index(part(name))
    case .sequence(let name): return .sequence(part(name))
    }
  }
}

extension DependentObject.Usage {
  /// Returns the used object with its name after an operation.
  fileprivate func renamed(by rename: RenameObject) -> Self {
    switch rename.kind {
    case .table: renamingTable(rename.name, to: rename.newName)
    case .column(let table), .retainedColumn(let table):
      self == .column(table, rename.name) ? .column(table, rename.newName) : self
    case .constraint(let table, _), .notNull(let table, _, _), .index(let table),
      .sequence(let table, _):
      renamingPart(rename.name, of: table, to: rename.newName)
    case .retainedTable, .retainedPart:
      renamingTable(rename.name, to: rename.newName)
        .renamingPart(rename.name, of: table, to: rename.newName)
    }
  }

  private func renamingTable(_ name: SQLIdentifier, to newName: SQLIdentifier) -> Self {
    guard table == name else { return self }
    return switch self {
    case .table: .table(newName)
    case .rowType: .rowType(newName)
    case .column(_, let column): .column(newName, column)
    case .part(_, let part): .part(newName, part)
    }
  }

  private func renamingPart(
    _ name: SQLIdentifier,
    of table: SQLIdentifier,
    to newName: SQLIdentifier
  ) -> Self {
    self == .part(table, name) ? .part(table, newName) : self
  }
}
