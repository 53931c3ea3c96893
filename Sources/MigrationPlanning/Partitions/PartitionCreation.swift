internal import ObjectModel
package import SQLSyntax

/// The statement that gives a partitioned table the partitions that it lacks.
///
/// It is the same at any time: the server's clock, and the rows that are to be copied, decide which
/// intervals there are. It keeps existing partitions, those of other tools too.
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
        names text[];
        bounds text[];
        place text;
        number integer;
      BEGIN
        SELECT array_agg(p.name ORDER BY p.position), array_agg(p.bound ORDER BY p.position) INTO names, bounds
        FROM (
          \(missing)
        ) AS p;
        FOR i IN 1..coalesce(array_length(names, 1), 0) LOOP
          number := 1;
          place := \(text: prefix.name + "_") || names[i];
          WHILE to_regclass(format('%I.%I', \(text: schema.name), place)) IS NOT NULL LOOP
            number := number + 1;
            place := \(text: prefix.name + "_") || names[i] || '_' || number;
          END LOOP;
          EXECUTE format('CREATE TABLE %I.%I (LIKE %s INCLUDING DEFAULTS INCLUDING CONSTRAINTS '
            'INCLUDING GENERATED INCLUDING STORAGE INCLUDING COMPRESSION)%s', \(text: schema.name), place,
            \(text: table.quoted), \(text: storage.text));
          EXECUTE format('ALTER TABLE %s ATTACH PARTITION %I.%I %s', \(text: table.quoted),
            \(text: schema.name), place, bounds[i]);
        END LOOP;
      END

      """
    return "DO \(body.dollarQuoted)"
  }

  private var storage: SQLFragment {
    partitioning.storage.isEmpty ? "" : " WITH \(Table.storageList(partitioning.storage))"
  }

  private var whole: SQLFragment { "\(text: table.quoted)::regclass" }

  /// The query for the partitions that are missing, without intervals whose rows are in the default partition:
  /// the position, the end of the name and the bound of each.
  package var missing: SQLFragment {
    switch partitioning.method {
    case .hash(let count):
      let modulus = SQLLiteral.integer(Int64(count))
      return listed(
        (0..<count).map {
          let bound: SQLFragment =
            "FOR VALUES WITH (modulus \(modulus), remainder \(.integer(Int64($0))))"
          return ("p\($0)", "\(text: bound.text)")
        },
        hasOthers: false
      )
    case .list(let values, let hasOthers):
      return listed(
        values.map { value in
          let bound: SQLFragment =
            isOfTexts
            ? "'FOR VALUES IN (' || quote_literal(\(value)) || ')'"
            : "\(text: ("FOR VALUES IN (\(value))" as SQLFragment).text)"
          return (Self.name(of: value), bound)
        },
        hasOthers: hasOthers
      )
    case .range(let every, let ahead, _):
      return intervals(PartitionInterval(every, of: partitioning.type), ahead: ahead)
    }
  }

  /// Returns the end of the name of a value's partition.
  private static func name(of value: SQLLiteral) -> String {
    let text = value.quoted.lowercased().filter { $0.isLetter || $0.isNumber || "_-".contains($0) }
    return text.isEmpty ? "p" : StorageNames.clipped(text, to: 18)
  }

  // MARK: - Values and hashes

  /// A Boolean value that indicates whether the values of partitions are texts.
  private var isOfTexts: Bool {
    guard case .list(let values, _) = partitioning.method, case .text? = values.first else {
      return false
    }
    return true
  }

  private func listed(
    _ parts: [(name: String, bound: SQLFragment)],
    hasOthers: Bool
  ) -> SQLFragment {
    let rows = parts.enumerated().map { position, part in
      "(\(.integer(Int64(position))), \(text: part.name), \(part.bound))" as SQLFragment
    }
    let others: SQLFragment = hasOthers ? " UNION ALL \(defaultPart)" : ""
    // The server puts quotes around numbers, or does not; texts always have them.
    let compared: (SQLFragment) -> SQLFragment =
      isOfTexts ? { $0 } : { "translate(\($0), '''', '')" }
    return """
      SELECT w.position, w.name, w.bound FROM (VALUES
            \(rows.joined(separator: ",\n      "))) AS w (position, name, bound)
            WHERE NOT EXISTS (SELECT FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
              WHERE i.inhparent = \(whole)
              AND \(compared("pg_get_expr(c.relpartbound, c.oid)")) = \(compared("w.bound")))
            \(others)
      """
  }

  /// The query for the partition of all other rows, where it is missing; it is the last one.
  private var defaultPart: SQLFragment {
    """
    SELECT 1000000, 'default', 'DEFAULT' FROM pg_partitioned_table \
    WHERE partrelid = \(whole) AND partdefid = 0
    """
  }

  // MARK: - Intervals

  /// When the next partition is to be added, as an expression; `nil` if there are all from the beginning.
  package var due: SQLFragment? {
    guard case .range(let every, _, _) = partitioning.method else { return nil }
    let interval = PartitionInterval(every, of: partitioning.type)
    guard case .time = every else { return "now() + interval '1 hour'" }
    let beginning = interval.begin(of: "timezone('UTC', now())")
    return "timezone('UTC', \(interval.moved(beginning, by: "1")))"
  }

  /// The query for the partitions that are older than those which are kept: the schema and the name of each;
  /// `nil` if all are kept.
  package var expired: SQLFragment? {
    guard case .range(let every, _, let retention?) = partitioning.method else { return nil }
    let interval = PartitionInterval(every, of: partitioning.type)
    let kept = PartitionInterval(retention, of: partitioning.type)
    let none: SQLFragment = "NULL::\(partitioning.type)"
    return """
      WITH known AS MATERIALIZED (
        \(known(interval))
      ), rows AS MATERIALIZED (SELECT \(none) AS low, \(none) AS high), reach AS MATERIALIZED (
        SELECT \(interval.present(partitioning.column, of: table)) AS now FROM rows
      )
      SELECT n.nspname, c.relname FROM known k JOIN pg_class c ON c.oid = k.oid
        JOIN pg_namespace n ON n.oid = c.relnamespace CROSS JOIN reach
        WHERE c.relkind = 'r' AND k.high <= reach.now - \(kept.step) ORDER BY k.high, c.relname
      """
  }

  /// The query for the bounds of the partitions, but for that of all other rows.
  private func known(_ interval: PartitionInterval) -> SQLFragment {
    """
    SELECT c.oid, \(interval.value(of: "btrim(m[1], '''')", unbounded: "MINVALUE")) AS low,
            \(interval.value(of: "btrim(m[2], '''')", unbounded: "MAXVALUE")) AS high
            FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid CROSS JOIN LATERAL regexp_match(
            pg_get_expr(c.relpartbound, c.oid), '^FOR VALUES FROM \\((.+)\\) TO \\((.+)\\)$') AS m
            WHERE i.inhparent = \(whole) AND m IS NOT NULL
    """
  }

  private func intervals(_ interval: PartitionInterval, ahead: Int) -> SQLFragment {
    let column = partitioning.column
    let none: SQLFragment = "NULL::\(partitioning.type)"
    let rows: SQLFragment =
      values.map { "SELECT min(v.value) AS low, max(v.value) AS high FROM (\($0)) AS v (value)" }
      ?? "SELECT \(none) AS low, \(none) AS high"
    let most = SQLLiteral.integer(Int64(Self.mostIntervals))
    let earliest = interval.moved("reach.now", by: "-\(most)")
    let latest = interval.moved("reach.now", by: "\(most)")
    let first = interval.begin(
      of:
        "least(reach.now, greatest(coalesce(\(interval.moment("rows.low")), reach.now), \(earliest)))"
    )
    let next = interval.moved("reach.now", by: "\(.integer(Int64(ahead)))")
    return """
      WITH known AS MATERIALIZED (
            \(known(interval))
          ), rows AS MATERIALIZED (
            \(rows)
          ), reach AS MATERIALIZED (
            SELECT \(interval.present(column, of: table)) AS now FROM rows
          ), extent AS (
            SELECT \(first) AS first,
            greatest(\(next), least(coalesce(\(interval.moment("rows.high")), reach.now), \(latest))) AS last
            FROM rows CROSS JOIN reach
          ), series AS (
            SELECT b AS low FROM extent
            CROSS JOIN LATERAL generate_series(first, last, \(interval.step)) AS b
            UNION SELECT k.high FROM extent CROSS JOIN known k
            WHERE k.high > first AND k.high <= last
          ), missing AS (
            SELECT s.low, least(\(interval.moved(interval.begin(of: "s.low"), by: "1")),
              (SELECT min(k.low) FROM known k WHERE k.low >= s.low)) AS high FROM series s
            WHERE NOT EXISTS (SELECT FROM known k WHERE k.low <= s.low AND k.high > s.low)
            AND \(interval.isRepresentable("s.low"))
          )
          SELECT row_number() OVER (ORDER BY s.low) AS position, \(interval.name("s.low")) AS name,
            \(interval.text(of: "s.low", "s.high")) AS bound FROM missing s
            WHERE s.low < s.high AND NOT EXISTS (SELECT FROM \(table) AS t
              WHERE \(interval.isIn("t.\(column)", "s.low", "s.high")))
            UNION ALL \(defaultPart)
      """
  }
}
