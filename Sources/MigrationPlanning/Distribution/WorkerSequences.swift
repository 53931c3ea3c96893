internal import SQLSyntax

/// The sequences of identity columns on workers.
///
/// Citus leaves them their names when a table, or the sequence itself, gets another name on the coordinator. A new
/// table could not have a sequence of that name then. Nobody speaks of the sequence of an identity column by name,
/// so it gets one that no other has.
struct WorkerSequences {
  /// The schema of the tables.
  let schema: SQLIdentifier
  /// The tables of the store that are on other nodes.
  let tables: [SQLIdentifier]

  /// The statement that gives them other names.
  ///
  /// It is no part of the transaction, and can be repeated.
  var renaming: PlannedStatement {
    let names: SQLFragment = tables.map { "\(.text($0.name))" as SQLFragment }.joined(
      separator: ", "
    )
    let renames: SQLFragment = """

      DECLARE
        found record;
      BEGIN
        PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
        FOR found IN SELECT s.oid, s.oid::regclass AS name
          FROM pg_class AS s
          JOIN pg_depend AS d ON d.classid = 'pg_class'::regclass AND d.objid = s.oid
            AND d.refclassid = 'pg_class'::regclass AND d.deptype = 'i'
          JOIN pg_class AS t ON t.oid = d.refobjid
          JOIN pg_namespace AS n ON n.oid = t.relnamespace
          WHERE s.relkind = 'S' AND s.relname <> 'remodel_sequence_' || s.oid
            AND n.nspname = \(.text(schema.name)) AND t.relname IN (\(names)) LOOP
          EXECUTE format(
            'ALTER SEQUENCE %s RENAME TO %I', found.name, 'remodel_sequence_' || found.oid);
        END LOOP;
      END

      """
    let command: SQLFragment = "DO \(renames.dollarQuoted)"
    let body: SQLFragment = """

      DECLARE
        failure text;
      BEGIN
        SELECT nodename || ':' || nodeport || ': ' || result INTO failure
          FROM run_command_on_workers(\(.text(command.text))) WHERE NOT success LIMIT 1;
        IF failure IS NOT NULL THEN
          RAISE EXCEPTION 'the sequences of a worker cannot get other names' USING DETAIL = failure;
        END IF;
      END

      """
    return PlannedStatement(
      sql: "DO \(body.dollarQuoted)",
      reason: "give sequences on workers names that no new one needs"
    )
  }
}

extension MigrationOperation {
  /// Returns whether it has Citus create sequences on workers.
  ///
  /// - Parameter isOnNodes: Whether a new table is on other nodes, whatever the model says.
  /// - Returns: Whether it does.
  func makesWorkerSequences(isOnNodes: Bool) -> Bool {
    switch self {
    case .createTable(let creation): creation.contents.isNumberedOnNodes(isOnNodes)
    case .installTable(let installation): installation.contents.isNumberedOnNodes(isOnNodes)
    case .distributeTable: true
    default: false  // No other one places a table.
    }
  }
}

extension Table {
  fileprivate func isNumberedOnNodes(_ isOnNodes: Bool) -> Bool {
    (isOnNodes || distribution != nil) && columns.contains { $0.identitySequence != nil }
  }
}
