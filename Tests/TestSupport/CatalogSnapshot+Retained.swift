package import MigrationPlanning
package import PostgresClient
internal import SQLSyntax

extension CatalogSnapshot.Exclusions {
  /// Creates exclusions of retained objects.
  package init(_ retained: [RetainedObject]) {
    self.init()
    for object in retained {
      if let column = object.column {
        columns[object.table.name, default: []].insert(column.name)
      } else {
        tables.insert(object.table.name)
      }
      relations.formUnion(object.relationNames.map(\.name))
    }
  }

  /// Creates exclusions of the objects that a database reports as retained.
  package init(retainedIn connection: borrowing PostgresConnection) throws(PostgresError) {
    self.init()
    let retained = try connection.query(
      """
      SELECT table_name, column_name, name FROM remodel.retained_object \
      LEFT JOIN LATERAL json_array_elements_text(relation_names) AS name ON true
      """
    )
    for row in retained {
      let table = row["table_name"] ?? ""
      if let column = row["column_name"] {
        columns[table, default: []].insert(column)
      } else {
        tables.insert(table)
      }
      if let name = row["name"] { relations.insert(name) }
    }
  }
}

extension CatalogSnapshot {
  /// Takes a snapshot of the store in schema `public`, except for what is reported as retained.
  package init(ofStoreAt url: String) throws(PostgresError) {
    let connection = try PostgresConnection(to: .url(url))
    try connection.prepareSession()
    try self.init(
      of: "public",
      on: connection,
      leavingOut: Exclusions(retainedIn: connection)
    )
  }
}
