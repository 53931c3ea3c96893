internal import PostgresClient
internal import SQLSyntax

/// The checks of the metadata's relations before any of them is read: even planning a query over a
/// view, a row policy or an index runs the code of its owner, who may be hostile.
struct MetadataGuard {
  let store: StoreIdentity
  let relations: [MetadataRelation]
  /// Whether a role that only looks trusts the owners of the store's schema.
  var trustsSchemaOwners = true

  private var trusted: TrustedOwners {
    TrustedOwners(store: store, trustsSchemaOwners: trustsSchemaOwners)
  }

  /// Fails unless the metadata is intact: each relation exists with its original kind and a trusted
  /// owner, and all other roles can only read it.
  ///
  /// Before a query in the same round trip, it keeps the server from planning the query.
  var statement: SQLFragment {
    """
    SELECT (CASE WHEN \(condition) THEN '1' \
    ELSE 'metadata that is missing, of another layout, or that another role owns or can write to' \
    END)::pg_catalog.int4
    """
  }

  /// The condition that the metadata is intact: each relation exists with its original kind and a
  /// trusted owner, and all other roles can only read it.
  var condition: SQLFragment {
    """
    (\(trusted.tables) SELECT pg_catalog.count(*) \
    OPERATOR(pg_catalog.=) \(relations.count) \
    FROM pg_catalog.pg_namespace s JOIN pg_catalog.pg_class c \
    ON c.relnamespace OPERATOR(pg_catalog.=) s.oid WHERE \(isOfMetadata) AND \(trusted.include("s.nspowner")) \
    AND \(trusted.include("c.relowner")) AND NOT c.relrowsecurity AND \(isOfItsKind) \
    AND NOT EXISTS (\(uses) WHERE NOT \(trusted.include("o.owner"))) \
    AND NOT EXISTS (SELECT FROM (\(rights)) g WHERE \(isOfOthers)))
    """
  }

  /// The existing relations, with the reasons not to read them.
  private var findings: SQLFragment {
    """
    \(trusted.tables) SELECT c.relname, \(isOfItsKind) AS is_of_its_kind, \
    pg_catalog.pg_describe_object('pg_catalog.pg_namespace'::pg_catalog.regclass, s.oid, 0) AS schema, \
    pg_catalog.pg_get_userbyid(s.nspowner) AS schema_owner, \
    \(trusted.include("s.nspowner")) AS trusts_schema, \
    pg_catalog.pg_describe_object('pg_catalog.pg_class'::pg_catalog.regclass, c.oid, 0) AS relation, \
    pg_catalog.pg_get_userbyid(c.relowner) AS owner, \(trusted.include("c.relowner")) AS trusts, \
    f.object AS used, f.owner AS used_owner \
    FROM pg_catalog.pg_namespace s LEFT JOIN pg_catalog.pg_class c \
    ON c.relnamespace OPERATOR(pg_catalog.=) s.oid AND \(isNamed) LEFT JOIN LATERAL (\
    SELECT pg_catalog.pg_describe_object(o.class, o.id, 0) AS object, \
    pg_catalog.pg_get_userbyid(o.owner) AS owner FROM (\(uses)) o \
    WHERE NOT \(trusted.include("o.owner")) LIMIT 1) f ON true \
    WHERE s.nspname OPERATOR(pg_catalog.=) \(schemaName) ORDER BY c.relname
    """
  }

  /// The rights on relation `c` of schema `s`, and on the schema, beyond reading: the object and
  /// its owner, the role, the name of the right, and the grantor.
  private var rights: SQLFragment {
    """
    SELECT c.relname AS relation, c.relowner AS owner, a.grantee, a.privilege_type AS name, a.grantor \
    FROM pg_catalog.aclexplode(c.relacl) a WHERE a.privilege_type OPERATOR(pg_catalog.<>) 'SELECT' \
    UNION ALL SELECT c.relname, c.relowner, a.grantee, a.privilege_type, a.grantor \
    FROM pg_catalog.pg_attribute t, \
    pg_catalog.aclexplode(t.attacl) a WHERE t.attrelid OPERATOR(pg_catalog.=) c.oid \
    AND a.privilege_type OPERATOR(pg_catalog.<>) 'SELECT' \
    UNION ALL SELECT NULL, s.nspowner, a.grantee, a.privilege_type, a.grantor \
    FROM pg_catalog.aclexplode(s.nspacl) a \
    WHERE a.privilege_type OPERATOR(pg_catalog.<>) 'USAGE'
    """
  }

  /// The condition that right `g` is that of a role which is not trusted, or of all roles.
  private var isOfOthers: SQLFragment {
    "(g.grantee OPERATOR(pg_catalog.=) 0::pg_catalog.oid OR NOT \(trusted.include("g.grantee")))"
  }

  /// Rights of roles that are not trusted.
  private var grants: SQLFragment {
    """
    \(trusted.tables) SELECT g.relation, CASE WHEN g.grantee OPERATOR(pg_catalog.<>) 0::pg_catalog.oid \
    THEN pg_catalog.pg_get_userbyid(g.grantee) END AS role, \
    CASE WHEN g.grantor OPERATOR(pg_catalog.<>) g.owner \
    THEN pg_catalog.pg_get_userbyid(g.grantor) END AS grantor, \
    pg_catalog.string_agg(DISTINCT g.name, ' ') AS rights \
    FROM pg_catalog.pg_namespace s LEFT JOIN pg_catalog.pg_class c \
    ON c.relnamespace OPERATOR(pg_catalog.=) s.oid AND \(isNamed), LATERAL (\(rights)) g \
    WHERE s.nspname OPERATOR(pg_catalog.=) \(schemaName) AND \(isOfOthers) \
    GROUP BY g.relation, g.owner, g.grantee, g.grantor ORDER BY 1 NULLS FIRST, 2, 3 NULLS FIRST
    """
  }

  private var schemaName: SQLFragment {
    "\(text: store.metadataSchema.name)::pg_catalog.name"
  }

  private var isNamed: SQLFragment {
    "c.relname OPERATOR(pg_catalog.=) ANY (\(TrustedOwners.names(relations.map(\.name))))"
  }

  private var isOfMetadata: SQLFragment {
    "s.nspname OPERATOR(pg_catalog.=) \(schemaName) AND \(isNamed)"
  }

  /// A table is an ordinary one that no other inherits from, a view is a view.
  private var isOfItsKind: SQLFragment {
    let views = relations.filter(\.isView).map(\.name)
    return """
      (CASE WHEN c.relname OPERATOR(pg_catalog.=) ANY (\(TrustedOwners.names(views))) \
      THEN c.relkind OPERATOR(pg_catalog.=) 'v'::pg_catalog."char" \
      ELSE c.relkind OPERATOR(pg_catalog.=) 'r'::pg_catalog."char" AND NOT c.relispartition \
      AND NOT EXISTS (SELECT FROM pg_catalog.pg_inherits i \
      WHERE i.inhparent OPERATOR(pg_catalog.=) c.oid \
      OR i.inhrelid OPERATOR(pg_catalog.=) c.oid) END)
      """
  }

  /// Functions, operators, types and relations elsewhere that the parts of relation `c` call.
  private var uses: SQLFragment { "SELECT * FROM (\(ObjectUses.ofRelation("c"))) o" }
}

extension MetadataGuard {
  /// Returns whether the relations may be read.
  func holds(_ connection: borrowing PostgresConnection) throws -> Bool {
    try connection.query("SELECT \(condition) AS holds").first?.boolean("holds") == true
  }

  /// Reads the existing relations.
  ///
  /// - Parameter connection: The database.
  /// - Returns: Their names; empty if there is no schema.
  /// - Throws: An error if an untrusted role owns them or the schema, or can do more than read
  ///   them, or if they are of another kind.
  func found(_ connection: borrowing PostgresConnection) throws -> Set<SQLIdentifier> {
    let rows = try connection.query(findings)
    var foreign: [ForeignObject] = []
    for row in rows {
      if row.boolean("trusts_schema") == false {
        foreign.append(ForeignObject(row["schema"], row["schema_owner"], usedBy: nil))
      }
      // An untrusted owner of the schema is reported once, without its relations.
      if row["relname"] != nil, row.boolean("trusts") == false,
        row.boolean("trusts_schema") == true || row["owner"] != row["schema_owner"]
      {
        foreign.append(ForeignObject(row["relation"], row["owner"], usedBy: nil))
      }
      if row["used"] != nil {
        foreign.append(ForeignObject(row["used"], row["used_owner"], usedBy: row["relation"]))
      }
    }
    guard foreign.isEmpty else {
      throw ExecutionError(.foreignMetadata(schema: store.metadataSchema.name, foreign.different))
    }
    if let other = rows.first(where: {
      $0["relname"] != nil && $0.boolean("is_of_its_kind") == false
    }) {
      let relation = other["relation"] ?? ""
      throw ExecutionError(.damagedMetadata("\(relation) is not what remodel makes"))
    }
    try checkGrants(connection)
    return Set(rows.compactMap { $0["relname"].map { SQLIdentifier($0) } })
  }

  /// Checks that only trusted roles can write to the metadata.
  private func checkGrants(_ connection: borrowing PostgresConnection) throws {
    let found = try connection.query(grants).map { row in
      MetadataGrant(
        schema: store.metadataSchema,
        relation: row["relation"].map { SQLIdentifier($0) },
        role: row["role"].map { SQLIdentifier($0) },
        grantor: row["grantor"].map { SQLIdentifier($0) },
        rights: row["rights"]?.split(separator: " ").map(String.init) ?? []
      )
    }
    guard found.isEmpty else { throw ExecutionError(.exposedMetadata(found)) }
  }
}

extension ForeignObject {
  init(_ object: String?, _ owner: String?, usedBy: String?) {
    self.init(object: object ?? "", owner: owner ?? "", usedBy: usedBy)
  }
}

extension Sequence<ForeignObject> {
  /// The objects, each once.
  var different: [ForeignObject] {
    var seen: Set<ForeignObject> = []
    return filter { seen.insert($0).inserted }
  }
}
