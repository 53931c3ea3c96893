internal import SQLSyntax

/// The name of a relation, or of a function, in the catalog.
struct RelationName: Decodable {
  let schema: String
  let name: String

  var qualified: QualifiedName {
    QualifiedName(schema: SQLIdentifier(schema), name: SQLIdentifier(name))
  }

  /// The JSON object of the relation `t` in the schema `n`.
  static let json: SQLFragment = "json_build_object('schema', n.nspname, 'name', t.relname)"
}

/// A policy of row security.
struct PolicyDefinition: DependentDefinition {
  let circumstances: ObjectCircumstances
  let name: String
  let table: RelationName
  let isPermissive: Bool
  let command: String
  /// The roles; none of them has a name if it is for everybody.
  let roles: [String?]
  let condition: String?
  let check: String?

  private var identifier: SQLIdentifier { SQLIdentifier(name) }

  var drop: SQLFragment { "DROP POLICY \(identifier) ON \(table.qualified)" }

  var create: [SQLFragment] {
    let mode: SQLFragment = isPermissive ? "PERMISSIVE" : "RESTRICTIVE"
    let grantees = roles.map { $0.map { "\(SQLIdentifier($0))" as SQLFragment } ?? "PUBLIC" }
    var policy: SQLFragment = """
      CREATE POLICY \(identifier) ON \(table.qualified) AS \(mode) \
      FOR \(SQLFragment(deparsed: command)) TO \(grantees.joined(separator: ", "))
      """
    if let condition { policy.append(" USING (\(SQLFragment(deparsed: condition)))") }
    if let check { policy.append(" WITH CHECK (\(SQLFragment(deparsed: check)))") }
    return [policy]
      + circumstances.commentStatements("POLICY \(identifier) ON \(table.qualified)")
  }

  static let query: SQLFragment = """
    SELECT json_build_object('circumstances', \(ObjectCircumstances.json(
      of: "pg_policy", "p", owner: "t.relowner")), \
    'name', p.polname, 'table', \(RelationName.json), 'isPermissive', p.polpermissive, \
    'command', CASE p.polcmd WHEN 'r' THEN 'SELECT' WHEN 'a' THEN 'INSERT' WHEN 'w' THEN 'UPDATE' \
    WHEN 'd' THEN 'DELETE' ELSE 'ALL' END, \
    'roles', (SELECT json_agg(CASE WHEN r.id > 0 THEN pg_get_userbyid(r.id) END ORDER BY r.number) \
    FROM unnest(p.polroles) WITH ORDINALITY AS r (id, number)), \
    'condition', pg_get_expr(p.polqual, p.polrelid), \
    'check', pg_get_expr(p.polwithcheck, p.polrelid)) \
    FROM pg_policy p JOIN pg_class t ON t.oid = p.polrelid \
    JOIN pg_namespace n ON n.oid = t.relnamespace WHERE \(SQLFragment.isAskedFor("p"))
    """
}

/// A trigger of a table or view.
struct TriggerDefinition: DependentDefinition {
  let circumstances: ObjectCircumstances
  let name: String
  let table: RelationName
  let definition: String
  let firing: String
  let routine: RelationName

  private var identifier: SQLIdentifier { SQLIdentifier(name) }

  var calledRoutine: QualifiedName? { routine.qualified }

  var drop: SQLFragment { "DROP TRIGGER \(identifier) ON \(table.qualified)" }

  var create: [SQLFragment] {
    [SQLFragment(deparsedStatement: definition)]
      + FiringState.statements(firing, "TRIGGER \(identifier)", of: table)
      + circumstances.commentStatements("TRIGGER \(identifier) ON \(table.qualified)")
  }

  static let query: SQLFragment = """
    SELECT json_build_object('circumstances', \(ObjectCircumstances.json(
      of: "pg_trigger", "g", owner: "t.relowner")), \
    'name', g.tgname, 'table', \(RelationName.json), 'definition', pg_get_triggerdef(g.oid), \
    'firing', g.tgenabled, 'routine', (SELECT json_build_object('schema', s.nspname, \
    'name', f.proname) FROM pg_proc f JOIN pg_namespace s ON s.oid = f.pronamespace \
    WHERE f.oid = g.tgfoid)) \
    FROM pg_trigger g JOIN pg_class t ON t.oid = g.tgrelid \
    JOIN pg_namespace n ON n.oid = t.relnamespace WHERE \(SQLFragment.isAskedFor("g"))
    """
}

/// A rule of a table or view.
struct RuleDefinition: DependentDefinition {
  let circumstances: ObjectCircumstances
  let name: String
  let table: RelationName
  let definition: String
  let firing: String

  private var identifier: SQLIdentifier { SQLIdentifier(name) }

  var drop: SQLFragment { "DROP RULE \(identifier) ON \(table.qualified)" }

  var create: [SQLFragment] {
    [SQLFragment(deparsedStatement: definition)]
      + FiringState.statements(firing, "RULE \(identifier)", of: table)
      + circumstances.commentStatements("RULE \(identifier) ON \(table.qualified)")
  }

  static let query: SQLFragment = """
    SELECT json_build_object('circumstances', \(ObjectCircumstances.json(
      of: "pg_rewrite", "r", owner: "t.relowner")), \
    'name', r.rulename, 'table', \(RelationName.json), 'definition', pg_get_ruledef(r.oid), \
    'firing', r.ev_enabled) \
    FROM pg_rewrite r JOIN pg_class t ON t.oid = r.ev_class \
    JOIN pg_namespace n ON n.oid = t.relnamespace WHERE \(SQLFragment.isAskedFor("r"))
    """
}

/// When a trigger or a rule fires.
private enum FiringState {
  /// Returns the statement for a state other than that of a new object.
  ///
  /// - Parameters:
  ///   - letter: The state as the catalog has it.
  ///   - part: The trigger or the rule.
  ///   - table: Its table.
  /// - Returns: The statement, or none.
  static func statements(
    _ letter: String,
    _ part: SQLFragment,
    of table: RelationName
  ) -> [SQLFragment] {
    let action: SQLFragment
    switch letter {
    case "D": action = "DISABLE"
    case "R": action = "ENABLE REPLICA"
    case "A": action = "ENABLE ALWAYS"
    default: return []  // The server's letters are text; what is left is the state of a new one.
    }
    return ["ALTER TABLE \(table.qualified) \(action) \(part)"]
  }
}
