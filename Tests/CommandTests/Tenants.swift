import PostgresClient
import SQLSyntax
import Testing

@testable import RemodelCommands

/// Many stores for tests: schemas of a database, and what the tool says of them.
enum Tenants {
  /// Makes schemas that are called tenant_1, tenant_2, ….
  static func create(_ count: Int, at url: String) async throws {
    let session = try await PostgresSession.connect(to: .url(url))
    try await session.run { connection in
      for number in 1...count { try connection.execute("CREATE SCHEMA \(schema(number))") }
    }
    await session.close()
  }

  static func schema(_ number: Int) -> SQLIdentifier { SQLIdentifier("tenant_\(number)") }

  /// Adds a book to a store.
  static func addBook(pages: Int?, to number: Int, at url: String) async throws {
    let pages = pages.map { SQLLiteral.integer(Int64($0)) } ?? .null
    try await execute(
      "INSERT INTO \(schema(number)).book (title, pages) VALUES ('a', \(pages))",
      at: url
    )
  }

  /// The versions of all stores of a database, by schema, with how often each was migrated to it.
  static func versions(at url: String) async throws -> [[String?]] {
    try await rows(
      of: """
        SELECT s.schema_name, s.version_name, count(h.id) FROM remodel.store s \
        LEFT JOIN remodel.history h ON h.schema_name = s.schema_name \
        AND h.to_version = s.version_name AND h.outcome = 'succeeded' \
        GROUP BY 1, 2 ORDER BY length(s.schema_name), 1
        """,
      at: url
    )
  }
}

/// The report of many stores, as the tool writes it.
struct TargetsDocument {
  private let document: JSONValue

  /// Reads a document, and holds it and what it has of each store to their schemas.
  init(
    _ document: JSONValue?,
    of verb: String,
    sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) throws {
    self.document = try #require(document, sourceLocation: sourceLocation)
    var complaints = try JSONSchema(named: "targets").complaints(about: self.document)
    for target in targets {
      for (key, schema) in [("report", verb), ("error", "error")] {
        guard case .object(var keys)? = target[key] else { continue }
        keys["formatVersion"] = 1
        complaints += try JSONSchema(named: schema).complaints(about: .object(keys))
      }
    }
    #expect(complaints.isEmpty, sourceLocation: sourceLocation)
  }

  var targets: [[String: JSONValue]] {
    guard case .object(let keys) = document, case .array(let list)? = keys["targets"] else {
      return []
    }
    return list.compactMap { if case .object(let keys) = $0 { keys } else { nil } }
  }

  /// What each store came to, by its name.
  var outcomes: [String: String] {
    var outcomes: [String: String] = [:]
    for target in targets {
      guard case .string(let name)? = target["name"], case .string(let word)? = target["outcome"]
      else { continue }
      outcomes[name] = word
    }
    return outcomes
  }

  /// The exit code that a store would have had alone.
  func code(of name: String) -> JSONValue? {
    let target = targets.first { $0["name"] == .string(name) }
    guard case .object(let error)? = target?["error"] else { return nil }
    return error["code"]
  }

  /// How many stores came to something.
  func count(_ word: String) -> Int { outcomes.values.count { $0 == word } }
}
