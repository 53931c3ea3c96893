public import MigrationPlanning
package import PostgresClient
public import SQLSyntax

/// Deferred work of an online migration, from the metadata.
public struct PendingWork: Hashable, Sendable {
  /// Its number.
  public let id: Int
  /// The version that it belongs to.
  public let version: String
  /// Whether `migrate` does it before it ends, or only `finish`.
  public let phase: MigrationPhase
  /// The kind of work.
  public let kind: DeferredWork.Kind
  /// The table.
  public let table: SQLIdentifier
  /// The constraint, index or column.
  public let object: SQLIdentifier
  /// Since when it is left to do, as ISO 8601 in UTC.
  public let createdAt: String
  /// The error that it met last.
  public let lastError: String?
}

extension PendingWork {
  /// A summary in a line, in PostgreSQL's words.
  public var summary: String {
    switch kind {
    case .validateConstraint: "validate constraint \"\(object)\" of table \"\(table)\""
    case .buildIndex: "create index \"\(object)\" on table \"\(table)\""
    case .addUniqueConstraint: "add constraint \"\(object)\" to table \"\(table)\""
    case .setNotNull: "set column \"\(object)\" of table \"\(table)\" to not null"
    case .dropIndex: "drop index \"\(object)\" of table \"\(table)\""
    }
  }

  /// Reads the deferred work of a store that is not done.
  package static func all(
    of store: StoreIdentity,
    _ connection: borrowing PostgresConnection
  ) throws -> [PendingWork] {
    let statements = DeferredWorkStatements(store)
    // Metadata of an earlier layout has none, and a transaction may be open.
    let guarded = MetadataGuard(store: store, relations: MetadataRelation.ofDeferredWork)
    guard try guarded.holds(connection) else { return [] }
    return try connection.query(statements.pending).map(PendingWork.init)
  }

  /// Reads the same from metadata that was just checked.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - layout: The version of the metadata's layout; `nil` if there is no metadata.
  ///   - connection: The database.
  /// - Returns: The work.
  /// - Throws: The server's error.
  package static func all(
    of store: StoreIdentity,
    inCheckedLayout layout: Int?,
    _ connection: borrowing PostgresConnection
  ) throws -> [PendingWork] {
    guard let layout else { return [] }
    guard layout == MetadataSchema.layoutVersion else { return try all(of: store, connection) }
    return try connection.query(DeferredWorkStatements(store).pending).map(PendingWork.init)
  }

  private init(_ row: QueryResult.Row) throws {
    guard let id = row.integer("id"), let version = row["version_name"],
      let phase = row["phase"].flatMap(MigrationPhase.init(rawValue:)),
      let kind = row["kind"].flatMap(DeferredWork.Kind.init(rawValue:)),
      let table = row["table_name"],
      let object = row["object_name"]
    else { throw ExecutionError(.damagedMetadata("work that is pending cannot be read")) }
    self.init(
      id: id,
      version: version,
      phase: phase,
      kind: kind,
      table: SQLIdentifier(table),
      object: SQLIdentifier(object),
      createdAt: row["created_at"] ?? "",
      lastError: row["last_error"]
    )
  }
}
