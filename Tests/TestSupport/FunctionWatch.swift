internal import PostgresClient
internal import SQLSyntax

/// Refuses every function of a migrator that resolves names by its caller's search path.
///
/// An event trigger sees each function when it is created, including those dropped at the end of a
/// migration. Functions of others that a migrator creates again are allowed.
package enum FunctionWatch {
  /// Begins to watch a database.
  package static func begin(_ url: String) throws {
    try PostgresConnection(to: .url(url)).execute(statements)
  }

  private static let statements: SQLFragment = """
    CREATE SCHEMA function_watch;
    CREATE TABLE function_watch.other (identity text PRIMARY KEY);
    CREATE FUNCTION function_watch.look() RETURNS event_trigger LANGUAGE plpgsql
      SET search_path = pg_catalog, pg_temp AS $$
      DECLARE command record;
      BEGIN
        FOR command IN SELECT c.object_identity AS identity, p.proconfig AS settings
          FROM pg_event_trigger_ddl_commands() AS c JOIN pg_proc p ON p.oid = c.objid
          WHERE c.classid = 'pg_proc'::regclass LOOP
          IF current_setting('application_name') <> 'remodel' THEN
            INSERT INTO function_watch.other VALUES (command.identity) ON CONFLICT DO NOTHING;
          ELSIF 'search_path=pg_catalog, pg_temp' = ANY (command.settings) IS NOT TRUE
            AND NOT EXISTS
              (SELECT FROM function_watch.other AS o WHERE o.identity = command.identity) THEN
            RAISE EXCEPTION 'function % has the settings %', command.identity, command.settings;
          END IF;
        END LOOP;
      END $$;
    CREATE EVENT TRIGGER function_watch ON ddl_command_end
      WHEN TAG IN ('CREATE FUNCTION', 'CREATE PROCEDURE') EXECUTE FUNCTION function_watch.look()
    """
}
