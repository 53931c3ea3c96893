internal import ObjectModel
internal import SQLSyntax

/// The columns that are to be in one table, before they have their names.
struct TableClaims {
  /// A column of the table, without its name.
  struct Entry {
    var column: Column
    let origin: ColumnOrigin
    let element: ModelElement
    /// A Boolean value that indicates whether values may be too long for an index.
    var isUnbounded = false
  }

  private(set) var entries: [Entry] = []
  private var claims = NameClaims(reserving: StorageNames.reservedColumns)

  /// Adds a column that wants the name that it has.
  ///
  /// - Parameters:
  ///   - entry: The column.
  ///   - rank: Who goes first where several columns want one name.
  ///   - neighbour: The place of the column that a position stands beside.
  /// - Returns: The place of the column in the table.
  @discardableResult
  mutating func add(_ entry: Entry, _ rank: NameClaims.Rank, beside neighbour: Int? = nil) -> Int {
    entries.append(entry)
    return claims.add(
      NameClaims.Claim(
        name: entry.column.name,
        rank: rank,
        subject: .column(entry.origin),
        alternative: neighbour.map { .position(beside: $0) }
      )
    )
  }

  /// Returns whether there is a column of an origin.
  func has(_ origin: ColumnOrigin) -> Bool { entries.contains { $0.origin == origin } }

  /// Returns the name of each column; none where the model gives one name to two.
  func names() -> [SQLIdentifier?] { claims.names() }
}

extension Column {
  /// The column under another name; constraints and sequences get theirs later.
  func named(_ name: SQLIdentifier) -> Column {
    var column = self
    column.name = name
    if column.notNullConstraint != nil { column.notNullConstraint = name }
    column.sequence?.name = name
    return column
  }
}

extension ColumnOrigin {
  /// The names of what the column is of, with the kind where two can be of one property.
  var path: [String] {
    switch self {
    case .key(let entity), .discriminator(let entity): [entity]
    case .attribute(let entity, let name, let path): [entity, name] + path
    case .reference(let entity, let name), .position(let entity, let name),
      .joinedDestination(let entity, let name):
      [entity, name]
    case .joinedSource(let entity, let name): [entity, name, "source"]
    }
  }
}
