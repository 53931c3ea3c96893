internal import MigrationPlanning
internal import ObjectModel

/// The partitioning of an entity, as it follows from the partitions of its table.
struct AdoptedPartitioning {
  /// What the values of the column are divided by.
  enum Division {
    case range(every: PartitioningDescription.Interval, ahead: Int)
    case list([String])
    case hash(Int)
  }

  /// Why no entity has such partitions.
  struct Obstacle: Error {
    let reason: UnexpressedObject.Reason
  }

  /// The column that decides which partition a row is in.
  let column: String
  /// The column of the primary key that is the key of the entity; `nil` if there is no primary key.
  let key: String?
  let division: Division

  /// Derives a partitioning.
  init(of table: CatalogTable, _ found: CatalogPartitioning) throws(Obstacle) {
    guard found.isPlain else { throw Obstacle(reason: .partitionedByExpression) }
    guard found.columns.count == 1, let name = found.columns.first, let column = table.column(name)
    else { throw Obstacle(reason: .partitionedByColumns) }
    guard !found.partitions.contains(where: \.isPartitioned) else {
      throw Obstacle(reason: .subpartitioned)
    }
    self.column = name
    key = try Self.key(of: table, dividedBy: name, found.strategy)
    division =
      switch found.strategy {
      case .range: try Self.range(found.partitions, of: column)
      case .list: try Self.list(found.partitions, of: column)
      case .hash: try Self.hash(found.partitions)
      }
  }

  // MARK: - Key

  /// Returns the column that tells rows apart.
  private static func key(
    of table: CatalogTable,
    dividedBy column: String,
    _ strategy: CatalogPartitioning.Strategy
  ) throws(Obstacle) -> String? {
    guard let columns = table.primaryKey?.columns, let key = columns.first else { return nil }
    if columns == [column], strategy == .hash { return key }
    guard columns.count == 2, columns[1] == column else {
      throw Obstacle(reason: .keyOfPartitions(column))
    }
    // The server keeps both columns unique together: readings of a sensor are not told apart by it.
    let isOwn = table.column(key).map { $0.isMade || $0.type == "uuid" } ?? false
    let refers = table.constraints.contains { $0.kind == .foreignKey && $0.columns.contains(key) }
    guard isOwn, !refers else { throw Obstacle(reason: .repeatableKey(key)) }
    return key
  }

  // MARK: - Intervals

  private static func range(
    _ partitions: [CatalogPartition],
    of column: CatalogColumn
  ) throws(Obstacle) -> Division {
    let types = ["date", "timestamp", "smallint", "integer", "bigint"]
    guard
      types.contains(where: {
        column.type == $0 || column.type.hasPrefix("\($0) ")
          || column.type.hasPrefix("\($0)(")
      })
    else { throw Obstacle(reason: .partitionedByType(column.name, column.type)) }
    let isTime = column.type.hasPrefix("date") || column.type.hasPrefix("timestamp")
    var counts: [PartitioningDescription.Interval?: Int] = [:]
    for case (let low?, let high?) in partitions.map({ ($0.low, $0.high) }) {
      counts[interval(low, high, isTime: isTime), default: 0] += 1
    }
    guard !counts.isEmpty else { throw Obstacle(reason: .noPartitions) }
    let total = counts.values.reduce(0, +)
    // Of two that are as frequent, neither is the usual one.
    guard let usual = counts.first(where: { $0.value * 2 > total })?.key, usual.isInBounds else {
      throw Obstacle(reason: .differentIntervals)
    }
    let ahead = partitions.count { $0.isAhead && $0.low != nil && $0.high != nil }
    return .range(every: usual, ahead: min(max(ahead, PartitioningDescription.usualAhead), 100))
  }

  /// Returns the extent of a partition; `nil` if no model has such an interval.
  private static func interval(
    _ low: CatalogPartition.End,
    _ high: CatalogPartition.End,
    isTime: Bool
  ) -> PartitioningDescription.Interval? {
    let (length, isTooLong) = high.value.subtractingReportingOverflow(low.value)
    guard !isTooLong else { return nil }
    guard isTime else { return .integers(Int(length)) }
    if let first = low.month, let next = high.month {
      let count = Int(next - first)
      // Years of a model begin with January.
      return first.isMultiple(of: 12) && count.isMultiple(of: 12)
        ? .time(count / 12, .year) : .time(count, .month)
    }
    let units: [(PartitioningDescription.Interval.Unit, Int64)] = [
      (.week, 604_800), (.day, 86400), (.hour, 3600),
    ]
    return units.first { length.isMultiple(of: $0.1) }.map { .time(Int(length / $0.1), $0.0) }
  }

  // MARK: - Values and hashes

  private static func list(
    _ partitions: [CatalogPartition],
    of column: CatalogColumn
  ) throws(Obstacle) -> Division {
    var values: [String] = []
    for partition in partitions where partition.bound != "DEFAULT" {
      guard let text = partition.bound.inside("FOR VALUES IN (", ")") else {
        throw Obstacle(reason: .partitionedByType(column.name, column.type))
      }
      // Numbers are without quotes, or with some, by their type.
      let constants =
        Int64(text).map { ["\($0)"] } ?? DeparsedExpression.constants(in: text, castTo: "")
      guard let constants, constants.count == 1 else {
        throw Obstacle(reason: .valuesTogether)
      }
      values += constants
    }
    guard !values.isEmpty else { throw Obstacle(reason: .noPartitions) }
    guard let kind = column.attributeType?.canonical.kind else {
      throw Obstacle(reason: .partitionedByType(column.name, column.type))
    }
    switch kind {
    case .text, .integer: return .list(values)
    case .boolean, .decimal, .floating, .instant, .uuid, .bytes, .objectID, .constant, .array,
      .none:
      throw Obstacle(reason: .partitionedByType(column.name, column.type))
    }
  }

  private static func hash(_ partitions: [CatalogPartition]) throws(Obstacle) -> Division {
    guard !partitions.isEmpty else { throw Obstacle(reason: .noPartitions) }
    let prefix = "FOR VALUES WITH (modulus \(partitions.count), remainder "
    let remainders = partitions.compactMap { $0.bound.inside(prefix, ")").flatMap { Int($0) } }
    guard Set(remainders) == Set(0..<partitions.count), partitions.count > 1 else {
      throw Obstacle(reason: .differentHashes)
    }
    return .hash(partitions.count)
  }
}

extension CatalogTable {
  /// The column that decides which partition a row is in, if there is one alone.
  var partitionColumn: String? {
    partitioning.flatMap { $0.columns.count == 1 ? $0.columns.first : nil }
  }

  /// The column of the primary key that is the key of an entity; `nil` if none is.
  var entityKey: String? {
    if let partitioning { return (try? AdoptedPartitioning(of: self, partitioning))?.key }
    return primaryKey.flatMap { $0.columns.count == 1 ? $0.columns.first : nil }
  }
}

extension String {
  /// Returns the text between a beginning and an end.
  fileprivate func inside(_ beginning: String, _ end: String) -> Substring? {
    guard hasPrefix(beginning), hasSuffix(end), count >= beginning.count + end.count else {
      return nil
    }
    return dropFirst(beginning.count).dropLast(end.count)
  }
}
