package import MigrationPlanning
package import ObjectModel
package import PostgresClient

/// The model of a version that a store has been at, as the metadata schema keeps it.
package struct ArchivedModel: Hashable, Sendable {
  /// The version.
  package let version: VersionIdentity
  /// A Boolean value that indicates whether the store has been at it as a draft only.
  package let isDraft: Bool
  private let archive: String

  init(_ version: VersionIdentity, isDraft: Bool, archive: String) {
    self.version = version
    self.isDraft = isDraft
    self.archive = archive
  }

  /// The model, decoded.
  package var model: ManagedObjectModel {
    get throws {
      do {
        return try ModelArchive.model(from: archive)
      } catch {
        throw ExecutionError(
          .damagedMetadata("the model of version \"\(version.name)\" cannot be read")
        )
      }
    }
  }
}

extension MetadataStore {
  /// Reads the names of the models that have a store in the schema.
  package func modelNames(_ connection: borrowing PostgresConnection) throws -> [String] {
    guard try presence(connection) != .noMetadata else { return [] }
    return try connection.query(MetadataStatements(identity).modelNames)
      .compactMap { $0["model_name"] }
  }

  /// Reads the models of all versions that the store has been at, the earliest first.
  package func archivedModels(
    _ connection: borrowing PostgresConnection
  ) throws -> [ArchivedModel] {
    let layout = try layoutVersion(connection)
    return try connection.query(MetadataStatements(identity).archives(layout: layout)).map { row in
      ArchivedModel(
        VersionIdentity(
          name: row["version_name"] ?? "",
          checksum: VersionHash(text: row["checksum"] ?? ""),
          layoutDigest: VersionHash(text: row["layout_digest"] ?? "")
        ),
        isDraft: row.boolean("is_draft") == true,
        archive: row["model"] ?? ""
      )
    }
  }
}
