internal import SQLSyntax

/// The places of copied tables: beside their neighbors from the beginning, so that each node computes the
/// rows that it has.
///
/// Rows that are together in the model are beside those of one table, which is there when the copy begins,
/// or is the first that the copy creates.
struct StagedColocations {
  private let match: SchemaMatch
  private let request: CopyRequest
  /// The tables whose rows are beside each other, by the one that stands for all: the table that they are
  /// placed beside, as it is called when the copy begins.
  private var anchors: [SQLIdentifier: QualifiedName] = [:]

  init(of match: SchemaMatch, _ request: CopyRequest) {
    self.match = match
    self.request = request
    let after = match.destination.schema
    for table in match.copiedTables.sorted() where after.tables[table]?.distribution?.column != nil
    {
      let group = after.colocation(of: table)
      // Those that are to be distributed in another way are copied, too.
      let kept = match.keptTables.first { old, new in
        old.distribution != nil && !match.copiedTables.contains(new.name)
          && after.colocation(of: new.name) == group
      }
      guard anchors[group] == nil else { continue }
      anchors[group] =
        kept.map { match.source.schema.qualified($0.old.name) } ?? request.staged(table)
    }
  }

  /// Has a table that is copied be placed as soon as it is created.
  func place(_ creation: inout CreateTable) {
    guard case .rows(let column, _) = creation.contents.distribution else { return }
    let anchor = anchors[match.destination.schema.colocation(of: creation.table)]
    creation.contents.distribution = .rows(by: column, beside: nil)
    creation.neighbor = anchor == request.staged(creation.table) ? nil : anchor
  }

  /// Returns creations in an order in which tables that others are beside are the first.
  func ordered(_ creations: [CreateTable]) -> [CreateTable] {
    let isAnchor = { (creation: CreateTable) in
      anchors.values.contains(request.staged(creation.table))
    }
    return creations.filter(isAnchor) + creations.filter { !isAnchor($0) }
  }

  /// Returns an operation that places another table beside copied ones, if it is to be beside them.
  func besideInstalled(_ operation: MigrationOperation) -> MigrationOperation {
    let anchor = { (table: SQLIdentifier) -> QualifiedName? in
      // All others of its group are beside this one.
      guard let anchor = anchors[table], anchor.schema == request.stagingSchema else { return nil }
      return QualifiedName(schema: request.schema, name: anchor.name)
    }
    switch operation {
    case .createTable(var creation):
      creation.neighbor = anchor(creation.table)
      return .createTable(creation)
    case .distributeTable(var distribution):
      distribution.neighbor = anchor(distribution.table)?.name
      return .distributeTable(distribution)
    default: return operation  // No rows are placed.
    }
  }
}
