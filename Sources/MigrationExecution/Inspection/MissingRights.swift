internal import Diagnostics
public import SQLSyntax

/// What a role may not do that a migration needs.
public struct MissingRights: Hashable, Sendable {
  /// One of these rights.
  public enum Right: Hashable, Sendable {
    /// To make schemas in the database: for the metadata, for the tables, for those of a copy.
    case createSchemas(database: SQLIdentifier)
    /// To use a schema.
    case use(schema: SQLIdentifier)
    /// To make tables and indexes in a schema.
    case create(schema: SQLIdentifier)
    /// To alter a table, which only its owner may.
    case own(table: QualifiedName, owner: SQLIdentifier)
    /// To write to the metadata.
    case write(metadata: SQLIdentifier)
    /// To bring the metadata up to date, which only its owner may.
    case ownMetadata(schema: SQLIdentifier, owner: SQLIdentifier)
  }

  /// The role that the session works as.
  public let role: SQLIdentifier
  /// What it may not do.
  public let rights: [Right]
}

extension MissingRights {
  /// What is missing, and the statements that give it, for people.
  var diagnostic: Diagnostic {
    let alternatives = Set(rights.compactMap(\.owner)).sorted().map { owner in
      "-- in place of what \"\(owner)\" would cede: GRANT \(owner.quoted) TO \(role.quoted);"
    }
    return Diagnostic(
      "role \"\(role)\" lacks rights that the migration needs",
      detail: rights.map(\.sentence).joined(separator: "\n"),
      hint: (rights.flatMap { $0.remedy(role) } + alternatives).joined(separator: "\n"),
      sqlState: "42501"
    )
  }
}

extension MissingRights.Right {
  /// Who owns what the role would have to own.
  fileprivate var owner: SQLIdentifier? {
    switch self {
    case .own(_, let owner): owner
    case .ownMetadata(_, let owner): owner
    case .createSchemas, .use, .create, .write: nil
    }
  }

  fileprivate var sentence: String {
    switch self {
    case .createSchemas(let database):
      "It may not create schemas in database \"\(database)\"."
    case .use(let schema): "It may not use schema \"\(schema)\"."
    case .create(let schema): "It may not create tables in schema \"\(schema)\"."
    case .own(let table, let owner):
      "It does not own table \"\(table.schema).\(table.name)\": \"\(owner)\" does."
    case .write(let metadata): "It may not write to the metadata in schema \"\(metadata)\"."
    case .ownMetadata(let metadata, let owner):
      "It does not own the metadata in schema \"\(metadata)\", which has to be brought up to date: "
        + "\"\(owner)\" does."
    }
  }

  fileprivate func remedy(_ role: SQLIdentifier) -> [String] {
    switch self {
    case .createSchemas(let database):
      ["GRANT CREATE ON DATABASE \(database.quoted) TO \(role.quoted);"]
    case .use(let schema): ["GRANT USAGE ON SCHEMA \(schema.quoted) TO \(role.quoted);"]
    case .create(let schema): ["GRANT CREATE ON SCHEMA \(schema.quoted) TO \(role.quoted);"]
    case .own(let table, _): ["ALTER TABLE \(table.quoted) OWNER TO \(role.quoted);"]
    case .write(let metadata):
      [
        "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA \(metadata.quoted) "
          + "TO \(role.quoted);"
      ]
    // Its tables and views are many, and the owner of some would be the owner of a part.
    case .ownMetadata(_, let owner): ["GRANT \(owner.quoted) TO \(role.quoted);"]
    }
  }
}
