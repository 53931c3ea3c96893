public import Diagnostics
internal import MigrationExecution
internal import MigrationPlanning
internal import ModelMapping
internal import ObjectModel
internal import PostgresClient
internal import SQLSyntax

/// Rows of a database beside the rows that a mapping makes of them.
public struct MappingPreviewReport: Hashable, Sendable {
  /// The version of the rows.
  public let source: VersionReference
  /// The version that they would be at.
  public let target: VersionReference
  /// The entity mappings that are about the entity.
  public let mappings: [PreviewedMapping]
  /// The entity mappings without a preview, with the reason.
  public let warnings: [Diagnostic]
}

/// Some rows of one entity mapping.
public struct PreviewedMapping: Hashable, Sendable {
  /// The name of the entity mapping.
  public let name: String
  /// The entity whose rows are taken.
  public let sourceEntityName: String
  /// The entity that they become rows of.
  public let destinationEntityName: String
  /// The rows; long values are cut off.
  public let rows: [Row]

  /// A row of the source and the one that it becomes.
  public struct Row: Hashable, Sendable {
    /// The values of the source.
    public let source: [Value]
    /// The values of the destination.
    public let destination: [Value]
  }

  /// A value of a row, as the server prints it.
  public struct Value: Hashable, Sendable {
    /// The name of the property.
    public let name: String
    /// The value; `nil` for NULL.
    public let text: String?
    /// Where a value that is not known yet will be from; `nil` if it is known.
    public let origin: String?
  }
}

/// Reads rows of a database beside the rows that a mapping makes of them, and changes nothing.
struct MappingPreviewRun {
  let catalog: VersionCatalog
  let entityName: String
  let rowCount: Int

  /// How long one query may take.
  private static let timeout = Duration.seconds(30)

  func report(
    to version: String?,
    _ connection: borrowing PostgresConnection
  ) throws -> MappingPreviewReport {
    // No statement of this session changes anything, whatever it is.
    try connection.set(.readOnly, to: "on")
    return try DatabaseView.settled(catalog, connection) { view, connection in
      guard let source = try view.recordedVersion() else {
        throw RemodelError(.nothingToPreview(entity: entityName, known: []))
      }
      try view.checkOwners(connection)
      let target = try target(version, from: source)
      let destination = try catalog.planned(target)
      let mapping = try mapping(from: source, to: target)
      let previews = try MappingPreview.previews(
        of: entityName,
        by: mapping,
        from: source.projection,
        to: destination.projection
      )
      let concerned = mapping.mappingModel.entityMappings.filter {
        [$0.sourceEntityName, $0.destinationEntityName].contains(entityName)
      }
      guard !concerned.isEmpty else {
        let names = (source.projection.model.entities + target.model.entities).map(\.name)
        throw RemodelError(.nothingToPreview(entity: entityName, known: names))
      }
      let limit = try timeLimit()
      let found = try TransactionRunner().transact(.snapshot, connection) { connection in
        try connection.execute(limit)
        return try previews.map { try rows(of: $0, connection) }
      }
      return MappingPreviewReport(
        source: VersionReference(name: source.name, checksum: source.hashes.checksum),
        target: target.reference,
        mappings: found,
        warnings: concerned.filter { mapping in
          !found.contains { $0.name == mapping.name }
        }.map(Self.warning)
      )
    }
  }

  private func timeLimit() throws -> SQLFragment {
    let milliseconds = SQLLiteral.integer(Int64(Self.timeout.inMilliseconds))
    let lock = SQLLiteral.integer(
      Int64(max(1, catalog.configuration.lockTimeout.inMilliseconds))
    )
    return "SET LOCAL statement_timeout = \(milliseconds); SET LOCAL lock_timeout = \(lock)"
  }

  /// The version that the database would be at after its next step.
  private func target(_ version: String?, from source: PlannedVersion) throws -> LoadedVersion {
    if let version { return try catalog.version(version) }
    let current = try catalog.version(nil)
    let mappings = try MappingCatalog(catalog)
    guard let start = try? catalog.version(source.name) else { return current }
    let path = try catalog.versions(from: start, to: current)
    return path.last { mappings.hasMappings(from: source.name, to: $0.name) } ?? path.first
      ?? current
  }

  private func mapping(
    from source: PlannedVersion,
    to target: LoadedVersion
  ) throws -> CompleteMapping {
    let authored = try MappingCatalog(catalog).mappingModel(from: source.name, to: target.name)
    return try CompleteMapping(
      completing: authored ?? MappingModel(entityMappings: []),
      from: source.projection.model,
      to: target.model,
      hashes: (source.hashes, target.hashes),
      earlierVersions: catalog.models().prefix { $0.name != target.name }.map(\.model)
    )
  }

  private func rows(
    of preview: MappingPreview,
    _ connection: borrowing PostgresConnection
  ) throws -> PreviewedMapping {
    let result = try connection.query(preview.query(limit: rowCount))
    let count = preview.sourceProperties.count
    return PreviewedMapping(
      name: preview.mappingName,
      sourceEntityName: preview.sourceEntityName,
      destinationEntityName: preview.destinationEntityName,
      rows: result.rows.map { values in
        var rest = values.dropFirst(count)
        return PreviewedMapping.Row(
          source: zip(preview.sourceProperties, values).map { name, text in
            PreviewedMapping.Value(name: name, text: text, origin: nil)
          },
          destination: preview.destinationProperties.map { property in
            PreviewedMapping.Value(
              name: property.name,
              text: property.origin == nil ? rest.popFirst() ?? nil : nil,
              origin: property.origin
            )
          }
        )
      }
    )
  }

  private static func warning(_ mapping: EntityMapping) -> Diagnostic {
    let reason: String
    if mapping.sourceEntityName == nil {
      reason = "Its entity is new: it has no rows yet."
    } else if mapping.destinationEntityName == nil {
      reason = "Its entity is removed: its rows become no others."
    } else {
      reason = "SQL or code creates its rows."
    }
    return Diagnostic(
      .warning,
      "entity mapping \"\(mapping.name)\" has no preview",
      detail: reason
    )
  }
}
