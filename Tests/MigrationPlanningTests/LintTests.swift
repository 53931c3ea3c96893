import Diagnostics
import ModelLoading
import ModelMapping
import SQLSyntax
import TestSupport
import Testing

@testable import MigrationPlanning

/// Plans for consecutive versions of real models before programs that know nothing of us.
@Suite(
  .enabled(if: Corpora.isAvailable, "there are no real models on this machine"),
  .timeLimit(.minutes(60))
)
struct LintTests {
  /// What each rule of squawk's is about: the hazards of which the plan has to name one.
  private static let hazards: [String: Set<Hazard>] = [
    "adding-required-field": [.failsOnData],
    "adding-not-nullable-field": [.scansTable, .blocksReads],
    "adding-field-with-default": [.rewritesTable],
    "adding-foreign-key-constraint": [.blocksWrites, .scansTable],
    "constraint-missing-not-valid": [.blocksWrites, .blocksReads, .scansTable],
    "disallowed-unique-constraint": [.blocksWrites, .blocksReads, .scansTable],
    "require-concurrent-index-creation": [.blocksWrites, .scansTable],
    "changing-column-type": [.rewritesTable, .scansTable, .breaksPreviousRelease],
    "renaming-column": [.breaksPreviousRelease],
    "renaming-table": [.breaksPreviousRelease],
    "ban-drop-column": [.deletesData, .breaksPreviousRelease],
    "ban-drop-table": [.deletesData, .breaksPreviousRelease],
  ]

  /// The rules that are no matter of danger, each with why.
  private static let exempt: [String: String] = [
    "ban-drop-constraint": "the plan names the change of the model; that it relaxes is no hazard",
    "ban-drop-not-null": "the plan names the change of the model; that it relaxes is no hazard",
    "prefer-robust-stmts": "a step is one transaction, and what is not is resumed by its record",
    "prefer-bigint-over-int": "the model chooses the type",
    "prefer-bigint-over-smallint": "the model chooses the type",
    "prefer-identity": "keys are identity columns already",
    "prefer-text-field": "the model chooses the type",
    "prefer-timestamp-tz": "the model chooses the type",
    "ban-char-field": "the model chooses the type",
  ]

  @Test(.enabled(if: PlanLinter.squawk != nil, "REMODEL_SQUAWK names no squawk"))
  func `what squawk finds in an online plan is a hazard in it`() async throws {
    var planner = MigrationPlanner(strategy: .online)
    // No table is taken for a small one.
    planner.isPhased = true
    var found: [String: Int] = [:]
    var unnamed: [String: (count: Int, example: String)] = [:]
    var plans = 0
    for pair in try VersionPair.all().sample() {
      guard let step = try pair.inferredStep(by: planner) else { continue }
      plans += 1
      let statements = step.allStatements
      let violations = try await PlanLinter.violations(
        in: statements.map { ($0.sql.text, $0.phase == .switch) },
        major: planner.serverMajor
      )
      for violation in violations where Self.exempt[violation.rule] == nil {
        let statement = statements[violation.statement]
        guard !Self.isMistaken(violation, statement, in: statements) else { continue }
        found[violation.rule, default: 0] += 1
        let named = Set(statement.impact.allHazards)
        guard Self.hazards[violation.rule]?.isDisjoint(with: named) != false else { continue }
        let example = "\(pair.name): \(violation.message)\n\(statement.sql.text)"
        unnamed[violation.rule, default: (0, example)].count += 1
      }
    }
    print("squawk on \(plans) online plans: \(found.sorted { $0.key < $1.key })")
    #expect(plans > 0)
    for (rule, finding) in unnamed.sorted(by: { $0.key < $1.key }) {
      Issue.record("\(rule): \(finding.count) times, such as \(finding.example)")
    }
  }

  /// Whether a rule does not see what else the plan does, or what the server is measured to do.
  private static func isMistaken(
    _ violation: PlanLinter.Violation,
    _ statement: PlannedStatement,
    in statements: [PlannedStatement]
  ) -> Bool {
    let text = statement.sql.text
    return switch violation.rule {
    // Other sessions do not see objects of the staging schema.
    case _ where text.contains("\"remodel_staging\""): true
    // An index or a sequence, which is renamed with the same syntax. Or a rebuilt table that
    // replaces a retained one under its name.
    case "renaming-table":
      statement.impact.locks.isEmpty || text.contains("TO \"remodel_retained_")
    // A key of a column that is new, or of a table that is, has no rows to look at.
    case "adding-foreign-key-constraint": statement.impact.scans.isEmpty
    // The default is off only while the type changes.
    case "ban-drop-default":
      text.split(separator: "ALTER COLUMN ").filter { $0.contains(" DROP DEFAULT") }
        .allSatisfy { text.contains("ALTER COLUMN \($0.prefix { $0 != " " }) SET DEFAULT") }
    // Remodel's own functions belong to triggers, and are dropped with them.
    case "ban-drop-function": statements.contains { $0.sql.text.hasPrefix("DROP TRIGGER") }
    default: false  // Rules of others are not ours to enumerate.
    }
  }

  @Test(
    .enabled(if: PlanLinter.python != nil, "REMODEL_PGLAST names no Python"),
    arguments: CopyStrategy.allCases
  )
  func `PostgreSQL's parser takes every statement`(strategy: CopyStrategy) async throws {
    var planner = MigrationPlanner(strategy: strategy)
    planner.isPhased = strategy == .online
    var count = 0
    for pair in try VersionPair.all().sample() {
      guard let step = try pair.inferredStep(by: planner) else { continue }
      let texts =
        step.allStatements.map(\.sql.text) + step.preconditions.map(\.query.text)
      count += texts.count
      let complaints = try await PlanLinter.complaints(about: texts)
      #expect(complaints.isEmpty, "\(pair.name):\n\(complaints)")
    }
    print("parsed \(count) statements, \(strategy)")
    #expect(count > 0)
  }
}

extension VersionPair {
  /// Returns the step between the versions; none if it is refused.
  fileprivate func inferredStep(by planner: MigrationPlanner) throws -> MigrationStep? {
    let models = try bundle.versions[...position].map { try bundle.load($0).model }
    do {
      let mapping = try CompleteMapping(
        from: models[position - 1],
        to: models[position],
        earlierVersions: Array(models[..<position])
      )
      return try planner.step(
        from: PlannedVersion(models[position - 1], named: bundle.versions[position - 1].name),
        to: PlannedVersion(models[position], named: bundle.versions[position].name),
        by: mapping
      )
    } catch is InferenceError {
      return nil
    } catch is PlanningError {
      return nil
    }
  }
}
