internal import FoundationEssentials
internal import Subprocess

#if canImport(System)
internal import System
#else
internal import SystemPackage
#endif

/// External programs that check the SQL of plans.
///
/// `REMODEL_SQUAWK` names squawk, a linter for dangerous migrations. `REMODEL_PGLAST` names a
/// Python with pglast, PostgreSQL's own parser.
package struct PlanLinter: Sendable {
  /// A violation reported by squawk.
  package struct Violation: Hashable, Sendable {
    /// Its rule.
    package var rule: String
    /// The number of the statement in the step, from zero.
    package var statement: Int
    /// Its words.
    package var message: String
  }

  /// The path of squawk.
  package static let squawk = ProcessInfo.processInfo.environment["REMODEL_SQUAWK"]
  /// The path of a Python with pglast.
  package static let python = ProcessInfo.processInfo.environment["REMODEL_PGLAST"]

  /// Returns squawk's violations in the statements of a step.
  ///
  /// - Parameters:
  ///   - statements: The statements, each with whether it runs in the transaction of the step.
  ///   - major: The server's major version.
  /// - Returns: The violations.
  /// - Throws: An error if squawk could not be run.
  package static func violations(
    in statements: [(sql: String, isInTransaction: Bool)],
    major: Int
  ) async throws -> [Violation] {
    guard let squawk else { return [] }
    var lines = ["SET lock_timeout = '400ms';", "SET statement_timeout = '5s';"]
    var owners: [Int?] = [nil, nil]
    func append(_ text: String, _ owner: Int?) {
      for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
        lines.append(String(line))
        owners.append(owner)
      }
    }
    var isOpen = false
    for (index, statement) in statements.enumerated() {
      if statement.isInTransaction != isOpen {
        append(isOpen ? "COMMIT;" : "BEGIN;", nil)
        isOpen.toggle()
      }
      append(statement.sql + ";", index)
    }
    if isOpen { append("COMMIT;", nil) }
    let output = try await run(
      squawk,
      ["--reporter", "json", "--pg-version", String(major)],
      input: lines.joined(separator: "\n") + "\n"
    )
    let findings = try JSONDecoder().decode([Finding].self, from: Data(output.utf8))
    return findings.compactMap { finding in
      let owner = owners.indices.contains(finding.line) ? owners[finding.line] : nil
      return owner.map {
        Violation(rule: finding.rule_name, statement: $0, message: finding.message)
      }
    }
  }

  /// Returns why PostgreSQL's own parser does not take statements; nothing if it does.
  ///
  /// - Parameter statements: The statements.
  /// - Returns: The parser's words.
  /// - Throws: That the parser could not be run.
  package static func complaints(about statements: [String]) async throws -> String {
    guard let python else { return "" }
    let program = """
      import json, sys, pglast
      for text in json.load(sys.stdin):
          try:
              pglast.parse_sql(text)
          except Exception as error:
              print(text, error)
      """
    let encoded = try JSONEncoder().encode(statements)
    return try await run(python, ["-c", program], input: String(decoding: encoded, as: UTF8.self))
  }

  private struct Finding: Decodable {
    var line: Int
    var message: String
    var rule_name: String  // As squawk spells it.
  }

  private static func run(
    _ program: String,
    _ arguments: [String],
    input: String
  ) async throws -> String {
    try await Subprocess.run(
      program.contains("/") ? .path(FilePath(program)) : .name(program),
      arguments: Arguments(arguments),
      input: .string(input),
      output: .string(limit: 1 << 24),
      error: .discarded
    ).standardOutput
  }
}
