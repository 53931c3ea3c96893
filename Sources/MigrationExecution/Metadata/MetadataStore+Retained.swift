public import MigrationPlanning
public import PostgresClient
internal import SQLSyntax

extension MetadataStore {
  /// Reads what is retained and since when, the earliest first.
  public func retainedEntries(
    _ connection: borrowing PostgresConnection
  ) throws -> [RetainedEntry] {
    try connection.query(MetadataStatements(identity).retained).map { row in
      try RetainedEntry(
        RetainedObject(
          table: SQLIdentifier(row["table_name"] ?? ""),
          column: row["column_name"].map { SQLIdentifier($0) },
          version: row["version_name"] ?? "",
          relationNames: JSONText.strings(in: row["relation_names"]).map { SQLIdentifier($0) },
          restoration: JSONText.strings(in: row["restoration"]),
          origin: row["origin"].map { try JSONText.value(RetainedObject.Origin.self, in: $0) }
        ),
        retainedAt: row["retained_at"] ?? "",
        age: .milliseconds(row.integer("age") ?? 0)
      )
    }
  }
}
