internal import MigrationPlanning
internal import PostgresClient
internal import SQLSyntax

/// The role for which a migration is planned: the one of the session, unless that role is
/// read-only, for which the plan would be of no use.
enum ActingRole {
  /// The name of the role, once it is chosen.
  static let name: SQLFragment = """
    coalesce(nullif(current_setting('\(SessionSetting.actingRole.name)', true), '')::name, current_user)
    """

  /// Chooses the owner of the tables in place of a role that is none of their owners.
  static func choose(
    for objects: StoreObjects,
    _ connection: borrowing PostgresConnection
  ) throws {
    try connection.query(
      """
      SELECT set_config('\(SessionSetting.actingRole.name)', coalesce(CASE WHEN bool_or(\
      pg_has_role(c.relowner, 'USAGE')) THEN current_user::text \
      ELSE min(pg_get_userbyid(c.relowner)::text) END, current_user::text), false) \
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 \
      AND c.relkind IN ('r', 'p') \
      AND c.relname IN (SELECT e::name FROM json_array_elements_text($2::json) AS e)
      """,
      [objects.schema.name, JSONText.text(objects.tables.map(\.name).sorted())]
    )
  }
}
