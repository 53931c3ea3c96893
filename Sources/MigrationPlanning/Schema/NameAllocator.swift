internal import SQLSyntax

/// Gives out names in one schema; where one is taken, a number follows it, as PostgreSQL does.
struct NameAllocator {
  private var taken: Set<SQLIdentifier>

  init(taken: some Sequence<SQLIdentifier>) {
    self.taken = Set(taken)
  }

  mutating func allocate(
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
}
