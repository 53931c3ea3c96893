import SQLSyntax
import TestSupport
import Testing

@testable import RemodelCommands

/// A database in which versions have left columns and a table.
enum RetainedLibrary {
  static let versions = [
    """
    remodel: 1
    entities:
      Book:
        attributes: { title: string, pages: integer32?, isbn: string? }
        indexes: { byPages: [pages] }
      Shelf:
        attributes: { room: string, note: string? }
    """,
    """
    remodel: 1
    entities:
      Book: { attributes: { title: string } }
      Shelf: { attributes: { room: string } }
    """,
    """
    remodel: 1
    entities:
      Book: { attributes: { title: string } }
    """,
  ]

  /// Gives the options of a call that has JSON and a database that retains columns and a table.
  static func with(
    _ body: (_ call: [String], _ url: String) async throws -> Void
  ) async throws {
    try await withBundle(versions[0], versions[1], versions[2]) { folder in
      try await TestServer.withDatabase { url in
        let call = ["--models", folder, "--database", url, "--format", "json"]
        _ = try await Tool.run(["migrate", "--to", "1"] + call)
        try await execute(
          """
          INSERT INTO public.book (title, pages) \
          SELECT 'a', CASE WHEN n % 2 = 0 THEN n END FROM generate_series(1, 100) n;
          INSERT INTO public.shelf (room) VALUES ('b');
          """,
          at: url
        )
        for version in ["2", "3"] {
          let migration = try await Tool.run(["migrate", "--to", version] + call)
          #expect(migration.status == 0, "\(migration)")
        }
        try await execute("ANALYZE", at: url)
        try await body(call, url)
      }
    }
  }

  static func columns(_ url: String) async throws -> [String] {
    try await rows(
      of: """
        SELECT table_name || '.' || column_name FROM information_schema.columns \
        WHERE table_schema = 'public' ORDER BY 1
        """,
      at: url
    ).compactMap { $0[0] }
  }

  static func objects(_ outcome: Tool.Outcome) -> [[String: JSONValue]] {
    guard case .array(let objects) = outcome["objects"] else { return [] }
    return objects.compactMap { object in
      if case .object(let keys) = object { keys } else { nil }
    }
  }

  static func outcomes(_ outcome: Tool.Outcome) -> [String] {
    objects(outcome).map { object in
      let names = [object["table"], object["column"]].compactMap { value -> String? in
        if case .string(let name) = value { name } else { nil }
      }
      guard case .string(let word) = object["outcome"] else { return "" }
      return "\(names.joined(separator: ".")) \(word)"
    }
  }
}
