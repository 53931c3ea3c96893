internal import SQLSyntax

/// Allocates names in one schema; if one is taken, a number follows it, as in PostgreSQL.
///
/// Names that the model sets override those of the rules.
struct NameAllocator {
  private var taken: Set<SQLIdentifier>
  let given: [SQLIdentifier: [SQLIdentifier: SQLIdentifier]]
  /// The names by the rules of what the model can give names to, of each table of which it gives some.
  private(set) var known: [SQLIdentifier: [SQLIdentifier]] = [:]

  init(
    taken: some Sequence<SQLIdentifier>,
    given: [SQLIdentifier: [SQLIdentifier: SQLIdentifier]] = [:]
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
    let name = allocateFixed(table, columns, label: label)
    guard let given = given[table] else { return name }
    known[table, default: []].append(name)
    return given[name] ?? name
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
