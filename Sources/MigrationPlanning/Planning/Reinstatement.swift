internal import ModelMapping
package import SQLSyntax

/// The retained objects of a destination, put back into the version of the database.
///
/// A plan then finds them under their current names, as if they had never been dropped.
package struct Reinstatement: Sendable {
  /// The version of the database with the reinstated objects.
  package let source: PlannedVersion
  /// The objects that are no longer retained.
  package let objects: Set<RetainedObject>
  /// The rows and links among it that are retained apart from their tables.
  let apart: [RetainedObject]
  /// The columns whose keys nothing holds to, by the names that they have.
  let looseLinks: Set<ColumnReference>
  /// The columns that tell entities apart again, with the only entity that there was meanwhile.
  let discriminators: [ColumnReference: String]
  /// The columns with the places of links that have stayed and may have no places.
  let sparePositions: Set<ColumnReference>
  /// The tables of the destination that are put back as a whole, by their current names.
  let tables: [SQLIdentifier: SQLIdentifier]
  /// The replaced tables, with their dependent objects.
  let replacements: TableReplacements?
  /// The columns that tables of the source have in addition.
  let columns: [SQLIdentifier: Set<SQLIdentifier>]

  /// Puts back retained objects; `nil` if no object of the destination is retained.
  ///
  /// - Parameters:
  ///   - source: The version of the database.
  ///   - destination: The version to revert to.
  ///   - retained: The retained objects.
  ///   - replaced: The tables of the destination whose rows the source has as well, and which
  ///     replace those of the source.
  ///   - isReturn: Whether the destination is the older version.
  package init?(
    of source: PlannedVersion,
    to destination: PlannedVersion,
    _ retained: [RetainedObject],
    replacing replaced: Set<SQLIdentifier> = [],
    isReturn: Bool = false
  ) {
    let candidates = Self.latest(of: retained.filter { $0.version == destination.retentionName })
    guard !candidates.isEmpty else { return nil }
    var version = ReinstatedVersion(of: source, to: destination, isReturn: isReturn, candidates)
    let discriminators = version.putBackDiscriminators()
    let whole = TableReinstatement(into: version, replacing: replaced)
    let parts = ColumnReinstatement(into: whole.version)
    version = parts.version
    apart = Self.apart(from: version)
    objects = version.objects.union(apart)
    guard !objects.isEmpty else { return nil }
    self.discriminators = discriminators.mapValues { version.remains.entityNames[$0] ?? $0 }
    let projection = version.finish(soleEntities: self.discriminators)
    self.source = PlannedVersion(
      name: source.name,
      hashes: source.hashes,
      projection: projection,
      isDraft: source.isDraft,
      lineage: source.lineage
    )
    looseLinks = version.looseLinks
    sparePositions = parts.sparePositions
    tables = version.tables
    columns = Dictionary(grouping: version.places.values, by: \.table).mapValues {
      Set($0.map(\.column))
    }
    var replacements = TableReplacements(schema: projection.schema.name)
    for (former, table) in whole.successors {
      guard let old = projection.schema.tables[former],
        let new = destination.projection.schema.tables[table]
      else { continue }
      replacements.tables[former] = TableReplacements.Replacement(of: old, by: new, renaming: [:])
    }
    self.replacements = whole.successors.isEmpty ? nil : replacements
  }

  /// Of an object retained several times, the last one has the final state.
  private static func latest(of objects: [RetainedObject]) -> [RetainedObject] {
    struct Place: Hashable {
      var content: RetainedObject.Origin.Content
      var table: String
      var column: String?
    }
    func place(_ object: RetainedObject) -> Place? {
      object.origin.map { origin in
        Place(
          content: origin.content,
          table: origin.table,
          column: origin.content == .column ? origin.columns.first?.name : nil
        )
      }
    }
    var last: [Place: RetainedObject] = [:]
    for object in objects {
      if let place = place(object) { last[place] = object }
    }
    return objects.filter { object in place(object).map { last[$0] == object } ?? false }
  }

  /// Returns the rows and links that come back from tables of their own.
  private static func apart(from version: ReinstatedVersion) -> [RetainedObject] {
    let destination = version.destination
    return version.candidates.filter { object in
      guard let origin = object.origin,
        let table = destination.schema.tables[SQLIdentifier(origin.table)]
      else { return false }
      switch origin.content {
      case .rows(let entity):
        // Rows that went to another table come back from there.
        return version.matching.sourceNames[entity] == nil && version.tables[table.name] == nil
          && origin.columns.allSatisfy { former in
            table.column(SQLIdentifier(former.name)).map {
              $0.type.text == former.type || $0.generation != nil
            } ?? false
          }
      case .links(let column):
        guard table.column(SQLIdentifier(column)) != nil else { return false }
        // Links that are rows may have moved to a table that is put back as a whole.
        if version.tables[table.name] != nil, case .root? = destination.tableOrigins[table.name] {
          return false
        }
        return true
      case .column, .table, .partition: return false
      }
    }
  }
}
