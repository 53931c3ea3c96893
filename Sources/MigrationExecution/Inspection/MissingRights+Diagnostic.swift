internal import Diagnostics
internal import SQLSyntax

extension MissingRights {
  /// The missing rights, and the statements that grant them, for people.
  var diagnostic: Diagnostic {
    // A member of an owner has all of the owner's rights.
    let joined = Set(rights.compactMap(\.joinedOwner))
    let others = rights.filter { right in right.owner.map { !joined.contains($0) } ?? true }
    var remedies: [String] = []
    for remedy in others.flatMap({ $0.remedy(role) }) where !remedies.contains(remedy) {
      remedies.append(remedy)
    }
    let owners = Set(others.compactMap(\.owner)).sorted().map { owner in
      "-- in place of what \"\(owner)\" would cede: GRANT \(owner.quoted) TO \(role.quoted);"
    }
    let alternatives =
      rights.contains { $0.afterwards != nil }
      ? ["-- in place of that, for a role that only migrates: ALTER ROLE \(role.quoted) BYPASSRLS;"]
      : []
    return Diagnostic(
      "role \"\(role)\" lacks rights that the migration needs",
      detail: rights.map(\.sentence).shownInLines,
      hint: (remedies + owners + rights.compactMap(\.afterwards) + alternatives).shownInLines,
      sqlState: "42501"
    )
  }
}

extension MissingRights.Right {
  /// Who owns a table that the role would have to own.
  fileprivate var owner: SQLIdentifier? {
    switch self {
    case .own(_, let owner): owner
    case .createSchemas, .use, .create, .access, .bypassRowSecurity, .execute, .useLanguage, .read,
      .write, .ownMetadata:
      nil
    }
  }

  /// Whose member the role has to be.
  fileprivate var joinedOwner: SQLIdentifier? {
    switch self {
    case .write(_, let owner): owner
    case .ownMetadata(_, let owner): owner
    case .createSchemas, .use, .create, .own, .access, .bypassRowSecurity, .execute, .useLanguage,
      .read:
      nil
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
    case .access(let table, let privileges):
      "It lacks \(privileges.map(\.rawValue).joined(separator: ", ")) on table "
        + "\"\(table.schema).\(table.name)\", which is referred to."
    case .bypassRowSecurity(let table):
      "It may not see all rows of table \"\(table.schema).\(table.name)\", whose policies are "
        + "forced on its owner."
    case .execute(let function):
      "It may not execute function \"\(function.schema).\(function.name)\", which a trigger calls."
    case .useLanguage(let language): "It may not make functions in language \"\(language)\"."
    case .read(let metadata): "It may not read the metadata in schema \"\(metadata)\"."
    case .write(let metadata, _): "It may not write to the metadata in schema \"\(metadata)\"."
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
    case .access(let table, let privileges):
      [
        "GRANT \(privileges.map(\.rawValue).joined(separator: ", ")) ON TABLE \(table.quoted) "
          + "TO \(role.quoted);"
      ]
    case .bypassRowSecurity(let table):
      ["ALTER TABLE \(table.quoted) NO FORCE ROW LEVEL SECURITY;"]
    case .execute(let function):
      ["GRANT EXECUTE ON FUNCTION \(function.quoted)() TO \(role.quoted);"]
    case .useLanguage(let language):
      ["GRANT USAGE ON LANGUAGE \(language.quoted) TO \(role.quoted);"]
    case .read(let metadata):
      ["GRANT SELECT ON ALL TABLES IN SCHEMA \(metadata.quoted) TO \(role.quoted);"]
    // The owner does not trust a role that can write there by rights of its own.
    case .write(_, let owner?): ["GRANT \(owner.quoted) TO \(role.quoted);"]
    case .write(let metadata, nil):
      [
        "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA \(metadata.quoted) "
          + "TO \(role.quoted);",
        "-- from then on every other role that uses the metadata has to name \"\(role)\" with "
          + "--trust-owner",
      ]
    // Its tables and views are many, and the owner of some would be the owner of a part.
    case .ownMetadata(_, let owner): ["GRANT \(owner.quoted) TO \(role.quoted);"]
    }
  }

  /// The statement that revokes the remedy after the migration.
  fileprivate var afterwards: String? {
    switch self {
    case .bypassRowSecurity(let table):
      "-- when the migration has ended: "
        + "ALTER TABLE \(table.quoted) FORCE ROW LEVEL SECURITY;"
    case .createSchemas, .use, .create, .own, .access, .execute, .useLanguage, .read, .write,
      .ownMetadata:
      nil
    }
  }
}

extension ExecutionError.Undertaking {
  /// The right that the role needs for it.
  var hint: String {
    switch self {
    case .changing(let schema):
      "Connect as the owner of the tables in schema \"\(schema)\", or name that role with --role."
    case .reading(let metadata):
      "Connect as a role that may read the tables and the metadata in schema \"\(metadata)\", or "
        + "name it with --role."
    }
  }
}
