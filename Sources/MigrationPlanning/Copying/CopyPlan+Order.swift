internal import SQLSyntax

extension CopyPlan {
  /// The first entity mapping whose rows people's SQL makes; none if the server computes all.
  public var writtenMappingName: String? {
    orderedFeeds.first { $0.feed.insertion != nil }?.feed.mappingName
  }

  /// The feeds in the order in which they run.
  ///
  /// What the server computes needs none. SQL that people wrote runs in the order of the entity
  /// mappings, so that it sees the rows of those before its own; what looks rows up that such SQL makes
  /// comes after it.
  public var orderedFeeds: [(table: CopiedTable, feed: CopyFeed)] {
    let all = tables.flatMap { table in table.feeds.map { (table: table, feed: $0) } }
    let written = all.filter { $0.feed.insertion != nil }
    guard !written.isEmpty else { return all }
    var pending = all.enumerated().sorted { first, second in
      let positions = (position(of: first.element), position(of: second.element))
      return positions.0 == positions.1
        ? first.offset < second.offset : positions.0 < positions.1
    }.map(\.element)
    var missing = written.map { result(of: $0) }
    var ordered: [(table: CopiedTable, feed: CopyFeed)] = []
    while let next = pending.firstIndex(where: { isReady($0, missing) }) {
      let entry = pending.remove(at: next)
      if entry.feed.insertion != nil, let done = missing.firstIndex(of: result(of: entry)) {
        missing.remove(at: done)
      }
      ordered.append(entry)
    }
    return ordered + pending
  }

  /// Links of join tables come after all rows.
  private func position(of entry: (table: CopiedTable, feed: CopyFeed)) -> Int {
    let index = mappingNames.firstIndex(of: entry.feed.mappingName) ?? mappingNames.count
    return entry.table.key.count > 1 ? mappingNames.count + 1 + index : index
  }

  /// What others find the rows by that people's SQL makes: the map of their keys, or the table.
  private func result(of entry: (table: CopiedTable, feed: CopyFeed)) -> SQLIdentifier {
    writtenMaps[entry.feed.mappingName]?.name ?? entry.table.name
  }

  private func isReady(
    _ entry: (table: CopiedTable, feed: CopyFeed),
    _ missing: [SQLIdentifier]
  ) -> Bool {
    guard entry.feed.insertion == nil else { return true }
    let names = Set(entry.feed.query().identifiers)
    let schemas = Set(writtenMaps.values.map(\.schema)).union([stagingSchema])
    return names.isDisjoint(with: schemas) || names.isDisjoint(with: missing)
  }
}
