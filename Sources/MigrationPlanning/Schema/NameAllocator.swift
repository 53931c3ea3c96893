internal import ObjectModel
internal import SQLSyntax

/// Allocates names in one schema; if one is taken, a number follows it, as in PostgreSQL.
///
/// Names that the model sets override those of the rules, which give way to them.
struct NameAllocator {
  private var taken: Set<SQLIdentifier>
  let given: GivenNames
  /// The names by the rules of what the model can give names to, of each table of which it gives some.
  private(set) var known: [SQLIdentifier: [SQLIdentifier]] = [:]

  init(
    taken: some Sequence<SQLIdentifier>,
    given: GivenNames = GivenNames()
  ) {
    self.taken = Set(taken)
    self.given = given
  }

  /// Returns the name of a constraint, index or sequence.
  mutating func allocate(
    _ table: SQLIdentifier,
    _ columns: [SQLIdentifier],
    label: String
  ) -> SQLIdentifier {
    var name = allocateFixed(table, columns, label: label)
    if let own = given.names[table] {
      known[table, default: []].append(name)
      if let given = own[name] { return given }
    }
    var count = 0
    while given.isTaken(name, table, label: label) || (count > 0 && taken.contains(name)) {
      count += 1
      name = StorageNames.object(table, columns, label: "\(label)\(count)")
    }
    if count > 0 { taken.insert(name) }
    return name
  }

  /// Returns the name of something that has no other than the rules give.
  mutating func allocateFixed(
    _ table: SQLIdentifier,
    _ columns: [SQLIdentifier],
    label: String
  ) -> SQLIdentifier {
    var name = StorageNames.object(table, columns, label: label)
    var count = 0
    while !taken.insert(name).inserted {
      count += 1
      name = StorageNames.object(table, columns, label: "\(label)\(count)")
    }
    return name
  }

  /// Takes over the names that another allocator has given out.
  mutating func learn(from other: NameAllocator) {
    known.merge(other.known) { $0 + $1 }
  }
}

/// The names that a model gives to constraints, indexes and sequences.
struct GivenNames {
  /// The names by table and by the name that the rules would give.
  private(set) var names: [SQLIdentifier: [SQLIdentifier: SQLIdentifier]] = [:]
  /// The names of relations, which a schema has once.
  private var relations: Set<SQLIdentifier> = []
  /// The names of constraints, which a table has once.
  private var constraints: [SQLIdentifier: Set<SQLIdentifier>] = [:]

  /// Has an object of a table be called otherwise than by the rules.
  mutating func name(_ ours: SQLIdentifier, of table: SQLIdentifier, _ name: SQLIdentifier) {
    guard names[table]?[ours] == nil else { return }
    names[table, default: [:]][ours] = name
    let label = ObjectLabel(of: ours.name)
    if label?.isRelation ?? false { relations.insert(name) }
    if label?.isConstraint ?? false { constraints[table, default: []].insert(name) }
  }

  /// Adds the names of relations that are called so anyway.
  mutating func addRelations(_ names: Set<SQLIdentifier>) { relations.formUnion(names) }

  /// Returns whether a relation of the schema has a name from the model.
  func hasRelation(_ name: SQLIdentifier) -> Bool { relations.contains(name) }

  /// Adds a check that people wrote.
  mutating func addCheck(_ name: SQLIdentifier, of table: SQLIdentifier) {
    constraints[table, default: []].insert(name)
  }

  func isTaken(_ name: SQLIdentifier, _ table: SQLIdentifier, label: String) -> Bool {
    // Few models give names.
    guard !relations.isEmpty || !constraints.isEmpty, let label = ObjectLabel(rawValue: label)
    else { return false }
    return label.isRelation && relations.contains(name)
      || label.isConstraint && constraints[table]?.contains(name) ?? false
  }
}

/// The ends of the names that the rules give to objects which a model can name.
enum ObjectLabel: String, CaseIterable {
  case primaryKey = "pkey"
  case unique = "key"
  case exclusion = "excl"
  case check
  case foreignKey = "fkey"
  case notNull = "not_null"
  case index = "idx"
  case sequence = "seq"

  /// The label at the end of a name by the rules, which a number may follow.
  init?(of name: String) {
    let stem = name.reversed().drop { $0.isASCII && $0.isNumber }.reversed()
    guard let label = Self.allCases.first(where: { String(stem).hasSuffix("_" + $0.rawValue) })
    else { return nil }
    self = label
  }

  /// A Boolean value that indicates whether the object is one among the relations of the schema.
  var isRelation: Bool {
    switch self {
    case .primaryKey, .unique, .exclusion, .index, .sequence: true
    case .check, .foreignKey, .notNull: false
    }
  }

  /// A Boolean value that indicates whether the object is one among the constraints of its table.
  var isConstraint: Bool {
    switch self {
    case .primaryKey, .unique, .exclusion, .check, .foreignKey, .notNull: true
    case .index, .sequence: false
    }
  }
}

extension ManagedObjectModel {
  /// The names that the model gives to indexes and sequences, which no table can have beside them.
  var givenRelationNames: Set<SQLIdentifier> {
    var names: Set<SQLIdentifier> = []
    for entity in entities {
      for (ours, name) in entity.objectNames where ObjectLabel(of: ours)?.isRelation ?? false {
        names.insert(SQLIdentifier(name))
      }
    }
    return names
  }
}
