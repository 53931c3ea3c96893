internal import ObjectModel
package import SQLSyntax

/// The statement that gives a partitioned table the partitions that it lacks.
///
/// It is the same at any time: the server's clock, and the rows that are to be copied, decide which
/// intervals there are. Partitions that are there stay as they are, whoever has made them.
package struct PartitionCreation: Hashable, Sendable {
  /// The table.
  package var table: QualifiedName
  /// How it is divided.
  package var partitioning: TablePartitioning
  /// The schema of the partitions.
  package var schema: SQLIdentifier
  /// The name that those of the partitions begin with.
  package var prefix: SQLIdentifier
  /// The query for the values that the table gets, in its only column; `nil` if it is to have no rows yet.
  package var values: SQLFragment?

  /// How many intervals there are at most before and after now; rows of others are in the default partition.
  private static let mostIntervals = 500

  /// Creates the statement.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - partitioning: How it is divided.
  ///   - schema: The schema of the partitions; that of the table by default.
  ///   - name: The name of the table in its place.
  ///   - values: The query for the values that the table gets.
  package init(
    of table: QualifiedName,
    _ partitioning: TablePartitioning,
    in schema: SQLIdentifier? = nil,
    values: SQLFragment? = nil
  ) {
    self.table = table
    self.partitioning = partitioning
    self.schema = schema ?? table.schema
    // Room for the bound, and for a number where a name is taken.
    prefix = SQLIdentifier(StorageNames.clipped(table.name.name, to: 40))
    self.values = values
  }

  /// The statement.
  package var sql: SQLFragment {
    let body: SQLFragment = """

      DECLARE
        whole CONSTANT pg_catalog.oid := \(text: table.quoted)::pg_catalog.regclass;
        part record;
        place text;
        number integer;
      \(declarations)BEGIN
        FOR part IN \(wanted) LOOP
      \(condition)    number := 1;
          place := part.name;
          WHILE pg_catalog.to_regclass(pg_catalog.format('%I.%I', \(text: schema.name), place)) IS NOT NULL LOOP
            number := number + 1;
            place := pg_catalog.concat(part.name, '_', number);
          END LOOP;
          EXECUTE pg_catalog.format('CREATE TABLE %I.%I (LIKE %s INCLUDING DEFAULTS INCLUDING CONSTRAINTS \
      INCLUDING GENERATED INCLUDING STORAGE INCLUDING COMPRESSION)%s', \(text: schema.name), place,
            \(text: table.quoted), \(text: storage.text));
          EXECUTE pg_catalog.format('ALTER TABLE %s ATTACH PARTITION %I.%I %s', \(text: table.quoted),
            \(text: schema.name), place, part.bound);
        END LOOP;
      END

      """
    return "DO \(body.dollarQuoted)"
  }

  private var storage: SQLFragment {
    partitioning.storage.isEmpty ? "" : " WITH \(Table.storageList(partitioning.storage))"
  }
}
