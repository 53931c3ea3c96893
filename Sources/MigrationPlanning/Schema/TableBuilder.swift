internal import ObjectModel
internal import SQLSyntax

/// Adds constraints, indexes and triggers to one table after the other, under names that nothing else
/// of the schema has.
struct TableBuilder {
  var table = Table(name: "")
  var names: NameAllocator
  var faults: [ProjectionFault] = []
  /// Faults of indexes and constraints that are left out.
  private(set) var oddities: [ProjectionFault] = []
  /// The names in the model that indexes have in the database, too.
  private let indexNames: Set<SQLIdentifier>
  private let isInterpreted: Bool

  init(names: NameAllocator, indexNames: Set<SQLIdentifier>, isInterpreted: Bool) {
    self.names = names
    self.indexNames = indexNames
    self.isInterpreted = isInterpreted
  }

  mutating func fault(_ element: ModelElement, _ fact: ProjectionFault.Fact) {
    faults.append(ProjectionFault(element: element, fact: fact))
  }

  /// Notes an index or a constraint that no table can have: it holds no values, so an interpreted model
  /// does without it.
  mutating func oddity(_ element: ModelElement, _ fact: ProjectionFault.Fact) {
    guard isInterpreted else { return fault(element, fact) }
    oddities.append(ProjectionFault(element: element, fact: fact))
  }

  /// Gives sequences and NOT NULL constraints their names, in an order that does not depend on the file.
  mutating func nameColumns() {
    var constraints = NameAllocator(taken: [], given: names.given)
    let order = table.columns.indices.sorted { table.columns[$0].name < table.columns[$1].name }
    for index in order where table.columns[index].sequence != nil {
      let name = names.allocate(table.name, [table.columns[index].name], label: "seq")
      table.columns[index].identitySequence = name
    }
    for index in order where !table.columns[index].isNullable {
      let column = table.columns[index].name
      table.columns[index].notNullConstraint =
        constraints.allocate(table.name, [column], label: "not_null")
    }
    guard names.given.names[table.name] != nil else { return }
    // What is optional may get its name before it is required, or keep it afterwards.
    for index in order where table.columns[index].isNullable {
      _ = constraints.allocate(table.name, [table.columns[index].name], label: "not_null")
    }
    names.learn(from: constraints)
  }

  // MARK: - Constraints

  mutating func add(
    _ definition: Constraint.Definition,
    _ label: String,
    namedAfter columns: [SQLIdentifier]
  ) {
    let name = names.allocate(table.name, columns, label: label)
    table.constraints.append(Constraint(name: name, definition: definition))
  }

  /// Adds a condition; if it reads several columns, it is named after the last.
  mutating func addCheck(_ condition: SQLFragment, on columns: [SQLIdentifier]) {
    add(.check(condition, columns: columns), "check", namedAfter: columns.suffix(1))
  }

  /// Adds a uniqueness constraint, unless there is the same.
  mutating func addUnique(_ columns: [SQLIdentifier]) {
    addOnce(.unique(columns), "key", namedAfter: columns)
  }

  /// Adds a constraint, unless there is the same.
  mutating func addOnce(
    _ definition: Constraint.Definition,
    _ label: String,
    namedAfter columns: [SQLIdentifier]
  ) {
    guard !table.constraints.contains(where: { $0.definition == definition }) else { return }
    add(definition, label, namedAfter: columns)
  }

  // MARK: - Indexes and triggers

  /// Adds an index under a name of its own, after its columns if not after something else.
  mutating func add(
    _ index: Index,
    namedAfter part: SQLIdentifier? = nil,
    inModel name: String = ""
  ) {
    var index = index
    let parts = part.map { [$0] } ?? index.nameParts
    index.name = names.allocate(table.name, parts, label: "idx")
    let own = SQLIdentifier(name)
    // What the entity calls an index otherwise goes first.
    if indexNames.contains(own),
      names.given.names[table.name]?.values.contains(index.name) != true
    {
      index.name = own
    }
    table.indexes.append(index)
  }

  /// Adds the trigger that cascades a delete along a column.
  mutating func addCascade(_ body: SQLFragment, along column: SQLIdentifier) {
    let name = names.allocateFixed(table.name, [column], label: "cascade")
    table.triggers.append(Trigger(name: name, body: body))
  }

  /// Adds an index for each foreign key that wants one, so that deletes at the other end need not scan.
  mutating func addForeignKeyIndexes(unless isWithout: (SQLIdentifier) -> Bool) {
    for column in table.constraints.compactMap(\.foreignKey?.column)
    where !isLeading(column) && !isWithout(column) {
      add(Index(name: table.name, elements: [Index.Element(column: column)]))
    }
  }

  private func isLeading(_ column: SQLIdentifier) -> Bool {
    table.indexes.contains { $0.leadingColumn == column && $0.predicate == nil }
      || table.constraints.contains { constraint in
        if case .exclusion = constraint.definition { return false }
        return constraint.hasIndex && constraint.columns.first == column
      }
  }
}
