package import SQLSyntax

/// The rights that a role lacks for a migration.
package struct MissingRights: Hashable, Sendable {
  /// One of these rights.
  package enum Right: Hashable, Sendable {
    /// To create schemas in the database: for the metadata, for the tables, for those of a copy.
    case createSchemas(database: SQLIdentifier)
    /// To use a schema.
    case use(schema: SQLIdentifier)
    /// To create tables and indexes in a schema.
    case create(schema: SQLIdentifier)
    /// To alter a table, which only its owner may.
    case own(table: QualifiedName, owner: SQLIdentifier)
    /// To lock a table of another owner and refer to it, which takes some privileges.
    case access(table: QualifiedName, privileges: [Privilege])
    /// To see all rows of a table, in spite of its policies.
    case bypassRowSecurity(table: QualifiedName)
    /// To have a trigger call a function.
    case execute(function: QualifiedName)
    /// To create functions in a language.
    case useLanguage(SQLIdentifier)
    /// To read the metadata.
    case read(metadata: SQLIdentifier)
    /// To write to the metadata; with its owner, unless that is a superuser.
    case write(metadata: SQLIdentifier, owner: SQLIdentifier?)
    /// To upgrade the metadata, which only its owner may.
    case ownMetadata(schema: SQLIdentifier, owner: SQLIdentifier)
  }

  /// A privilege on a table.
  package enum Privilege: String, Hashable, Sendable {
    case select = "SELECT"
    case update = "UPDATE"
    case references = "REFERENCES"
  }

  /// The role that the session works as.
  package let role: SQLIdentifier
  /// The missing rights.
  package let rights: [Right]
}
