internal import SQLSyntax

/// The statement that runs others for each partition of a table, whichever there are when it runs.
struct PartitionLoop {
  /// The table.
  let table: QualifiedName
  /// The condition of the partitions `p`, as `pg_partition_tree` lists them.
  var condition: SQLFragment = "p.isleaf"
  /// The statements, as the texts before and after the name of the partition.
  let statements: [(SQLFragment, SQLFragment)]

  var sql: SQLFragment {
    let commands = statements.map { before, after in
      "EXECUTE \(text: before.text) || part || \(text: after.text);" as SQLFragment
    }
    let body: SQLFragment = """

      DECLARE
        part regclass;
      BEGIN
        FOR part IN SELECT p.relid FROM pg_partition_tree(to_regclass(\(text: table.quoted))) AS p
          WHERE \(condition)
        LOOP
          \(commands.joined(separator: "\n    "))
        END LOOP;
      END

      """
    return "DO \(body.dollarQuoted)"
  }
}
