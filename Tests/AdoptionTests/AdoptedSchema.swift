import PostgresClient
import RemodelKit
import SQLSyntax
import TestSupport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A script that makes a schema as people do, without remodel.
struct AdoptedSchema: Sendable, CustomStringConvertible {
  let name: String
  private let path: String

  var description: String { name }

  private static var folder: String {
    URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Schemas").path
  }

  /// The scripts beside the tests.
  static let all = scripts(in: folder)

  /// The scripts of a folder that the environment names: those of applications, which are not ours to
  /// keep.
  static let foreign =
    ProcessInfo.processInfo.environment["REMODEL_ADOPTION_SCHEMAS"].map(scripts) ?? []

  private static func scripts(in folder: String) -> [AdoptedSchema] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasSuffix(".sql") }.sorted()
      .map { AdoptedSchema(name: String($0.dropLast(4)), path: "\(folder)/\($0)") }
  }

  init(name: String, path: String) {
    self.name = name
    self.path = path
  }

  /// Finds a script beside the tests.
  init(_ name: String) {
    self.init(name: name, path: "\(Self.folder)/\(name).sql")
  }

  /// Runs the script in a database.
  func load(_ url: String) throws {
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let connection = try PostgresConnection(to: .url(url))
    try connection.execute(SQLFragment(written: text))
    // Some scripts leave that to their callers.
    if connection.transactionStatus != .idle { try connection.execute("COMMIT") }
  }
}

/// Gives a folder that is there for as long as a function runs.
func withFolder<Result>(_ body: (String) async throws -> Result) async throws -> Result {
  let folder = FileManager.default.temporaryDirectory
    .appending(path: "adoption-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  return try await body(folder.path)
}

/// Writes a file.
func write(_ text: String, to path: String) throws {
  let file = URL(filePath: path)
  try FileManager.default.createDirectory(
    at: file.deletingLastPathComponent(),
    withIntermediateDirectories: true
  )
  try Data(text.utf8).write(to: file)
}

/// Returns whether a file is there.
func isThere(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

/// Runs statements.
func execute(_ sql: SQLFragment, _ url: String) throws {
  let connection = try PostgresConnection(to: .url(url))
  try connection.execute(sql)
}

/// What a schema holds, tables and all else, a line for each thing.
func inventory(_ url: String, of schema: SQLIdentifier = "public") throws -> [String: String] {
  let connection = try PostgresConnection(to: .url(url))
  try connection.execute("SET search_path = pg_catalog, pg_temp")
  var lines = try CatalogSnapshot(of: schema, on: connection).lines
  let rows = try connection.query(
    """
    SELECT 'view ' || relname AS name, pg_get_viewdef(oid) AS definition FROM pg_class
    WHERE relkind IN ('v', 'm') AND relnamespace = $1::regnamespace
    UNION ALL SELECT 'rule ' || rulename || ' of ' || relname, pg_get_ruledef(r.oid) FROM pg_rewrite r
    JOIN pg_class c ON c.oid = r.ev_class WHERE relnamespace = $1::regnamespace
    UNION ALL SELECT 'policy ' || polname || ' of ' || polrelid::regclass,
    pg_get_expr(polqual, polrelid) FROM pg_policy
    UNION ALL SELECT 'statistics ' || stxname, pg_get_statisticsobjdef(oid) FROM pg_statistic_ext
    UNION ALL SELECT 'settings ' || relname, concat_ws(' ', relrowsecurity, relreplident,
    relpersistence, reloptions, relacl, obj_description(oid, 'pg_class'),
    pg_get_expr(relpartbound, oid)) FROM pg_class WHERE relnamespace = $1::regnamespace
    AND relkind IN ('r', 'p')
    UNION ALL SELECT 'parent ' || inhrelid::regclass, inhparent::regclass::text FROM pg_inherits
    UNION ALL SELECT 'type ' || typname, concat_ws(' ', typtype, typbasetype::regtype,
    (SELECT string_agg(enumlabel, ',' ORDER BY enumsortorder) FROM pg_enum WHERE enumtypid = t.oid))
    FROM pg_type t WHERE typnamespace = $1::regnamespace
    UNION ALL SELECT 'routine ' || oid::regprocedure, concat_ws(' ', prokind, prosrc) FROM pg_proc
    WHERE pronamespace = $1::regnamespace
    """,
    [schema.name]
  )
  for row in rows { lines[row["name"] ?? ""] = row["definition"] ?? "" }
  return lines
}
