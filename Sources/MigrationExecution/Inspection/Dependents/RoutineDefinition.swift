internal import SQLSyntax

/// A function or procedure whose body the server has understood.
struct RoutineDefinition: DependentDefinition {
  let circumstances: ObjectCircumstances
  let schema: String
  let name: String
  let isProcedure: Bool
  let definition: String
  let arguments: String
  let privileges: ObjectGrants

  private var target: SQLFragment {
    let qualified = QualifiedName(schema: SQLIdentifier(schema), name: SQLIdentifier(name))
    let signature: SQLFragment = "\(qualified)(\(SQLFragment(deparsed: arguments)))"
    return isProcedure ? "PROCEDURE \(signature)" : "FUNCTION \(signature)"
  }

  var drop: SQLFragment { "DROP \(target)" }

  var create: [SQLFragment] {
    // Its body was right before. The server would read the literals in it with our rights.
    [
      "SET LOCAL check_function_bodies = off", SQLFragment(deparsedStatement: definition),
      "SET LOCAL check_function_bodies = on",
    ] + circumstances.ownerStatements(target)
      + privileges.statements(target, owner: circumstances.owner)
      + circumstances.commentStatements(target)
  }

  var obstacle: String? {
    ObjectGrants.obstacle(privileges.grants, owner: circumstances.owner)
  }

  static let query: SQLFragment = """
    SELECT json_build_object('circumstances', \(ObjectCircumstances.json(
      of: "pg_proc", "p", owner: "p.proowner", schema: "p.pronamespace")), \
    'schema', n.nspname, 'name', p.proname, 'isProcedure', p.prokind = 'p', \
    'definition', pg_get_functiondef(p.oid), \
    'arguments', pg_get_function_identity_arguments(p.oid), \
    'privileges', \(ObjectGrants.json(
      "p.proacl", kind: .text("f"), owner: "p.proowner", schema: "p.pronamespace"))) \
    FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace \
    WHERE p.prokind <> 'a' AND \(SQLFragment.isAskedFor("p"))
    """
}
