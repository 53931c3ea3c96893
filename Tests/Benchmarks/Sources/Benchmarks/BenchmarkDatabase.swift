import RemodelKit

/// A database that runs of a benchmark start from, each with a copy of its own.
struct BenchmarkDatabase {
  let url: String
  private let name: SQLIdentifier
  private let server: ScratchServer

  /// Creates an empty database.
  init(named name: SQLIdentifier, on server: ScratchServer) throws {
    self.name = name
    self.server = server
    url = Self.url(of: name, on: server)
    let connection = try PostgresConnection(to: .url(server.url))
    try connection.execute("CREATE DATABASE \(name) TEMPLATE template0")
  }

  /// Returns how long a function takes with a copy, in seconds.
  func time(_ body: (_ url: String) async throws -> Void) async throws -> Double {
    let copy: SQLIdentifier = "run"
    let connection = try PostgresConnection(to: .url(server.url))
    try connection.execute("CREATE DATABASE \(copy) TEMPLATE \(name)")
    let result = try await seconds { try await body(Self.url(of: copy, on: server)) }
    try connection.execute("DROP DATABASE \(copy) WITH (FORCE)")
    return result
  }

  /// Puts rows into every table, each with a value in every column.
  func fill(rows: Int) throws {
    let connection = try PostgresConnection(to: .url(url))
    let body = """
      DECLARE insertion text;
      BEGIN
        SET CONSTRAINTS ALL DEFERRED;
        FOR insertion IN
          SELECT format(
            'INSERT INTO %s (%s) SELECT %s FROM generate_series(1, \(rows)) AS n', a.attrelid::regclass,
            string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum),
            string_agg(
              CASE
                WHEN a.attname = '_entity' THEN (
                  SELECT quote_literal((regexp_match(pg_get_constraintdef(k.oid), '''(.*?)'''))[1])
                  FROM pg_constraint AS k WHERE k.conrelid = a.attrelid AND k.contype = 'c'
                  AND k.conkey = ARRAY[a.attnum]
                )
                WHEN a.atttypid = 'smallint'::regtype THEN 'n % 30000'
                WHEN a.atttypid = 'boolean'::regtype THEN 'n % 2 = 0'
                WHEN a.atttypid = 'timestamptz'::regtype THEN '''2024-01-01''::timestamptz + n * ''1 s''::interval'
                WHEN a.atttypid = 'bytea'::regtype THEN 'decode(md5(n::text), ''hex'')'
                WHEN a.atttypid = 'uuid'::regtype THEN 'md5(n::text)::uuid'
                WHEN a.atttypid = 'text'::regtype THEN '''value '' || n'
                ELSE 'n'
              END, ', ' ORDER BY a.attnum
            )
          )
          FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = a.attrelid
          WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attnum > 0
          GROUP BY a.attrelid
        LOOP
          EXECUTE insertion;
        END LOOP;
      END
      """
    try connection.execute("DO \(SQLLiteral.text(body))")
    try connection.execute("ANALYZE")
  }

  private static func url(of name: SQLIdentifier, on server: ScratchServer) -> String {
    server.url.replacing("/postgres?", with: "/\(name.name)?")
  }
}
