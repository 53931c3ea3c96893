import CustomDump
import Diagnostics
import ModelMapping
import SQLSyntax
import TestSupport
import Testing

@testable import MigrationPlanning

/// Plans of scenarios, without a server.
@Suite
struct ScenarioTests {
  @Test(arguments: Scenario.planned)
  func `the plan is as expected`(scenario: Scenario) throws {
    let step = try scenario.step()

    scenario.expect(step.listing, in: "plan.txt")
  }

  @Test(arguments: Scenario.planned)
  func `the SQL is as expected`(scenario: Scenario) throws {
    let step = try scenario.step()

    let statements = step.statements.map { $0.sql.text + ";\n" }
    scenario.expect(statements.joined(), in: "plan.sql")
  }

  @Test(arguments: Scenario.planned)
  func `the plan applied to the tables of the source gives those of the destination`(
    scenario: Scenario
  ) throws {
    let step = try scenario.step()
    var schema = try #require(step.source).projection.schema

    for operation in step.operations { operation.base.apply(to: &schema) }

    #expect(diff(schema.ordered, step.destination.projection.schema.ordered) == nil)
  }

  @Test(arguments: Scenario.planned)
  func `the phases are as expected where every table is large`(scenario: Scenario) throws {
    let step = try scenario.step(.online, isPhased: true)

    scenario.expect(step.phases, in: "online.txt")
  }

  @Test(arguments: Scenario.planned, [15, 18])
  func `what the phases come to together are the tables of the destination`(
    scenario: Scenario,
    serverMajor: Int
  ) throws {
    let step = try scenario.step(.online, isPhased: true, serverMajor: serverMajor)
    var schema = try #require(step.source).projection.schema

    for operation in step.operations { operation.base.apply(to: &schema) }
    for work in step.deferredWork {
      #expect(work.phase == .now || work.phase == .deferred)
      work.base.apply(to: &schema)
    }

    #expect(diff(schema.ordered, step.destination.projection.schema.ordered) == nil)
  }

  @Test(arguments: Scenario.planned)
  func `nothing but catalog changes is done to large tables under locks`(
    scenario: Scenario
  ) throws {
    let step = try scenario.step(.online, isPhased: true)

    guard step.onlineObstacle == nil, !scenario.isMapped else { return }
    let kept = Set(try #require(step.source).projection.schema.tables.keys)
    for statement in step.statements {
      #expect(statement.impact.rewrites.isDisjoint(with: kept), "\(statement.reason)")
      #expect(statement.impact.scans.isDisjoint(with: kept), "\(statement.reason)")
    }
    for statement in step.lateStatements where !statement.impact.scans.isEmpty {
      let locks = statement.impact.locks.values
      #expect(locks.allSatisfy { $0 <= .shareUpdateExclusive }, "\(statement.reason)")
    }
  }

  @Test(arguments: Scenario.all.filter { $0.isRefused && $0.objects == nil })
  func `a refusal gives every reason with its remedy`(scenario: Scenario) throws {
    let error = #expect(throws: InferenceError.self) { try scenario.step() }

    let diagnostics = try #require(error).diagnostics
    let text = diagnostics.map { $0.description + "\n" }.joined(separator: "\n")
    scenario.expect(text, in: "refusal.txt")
    #expect(diagnostics.allSatisfy { $0.hint != nil })
  }
}

extension MigrationStep {
  /// What is done in which phase.
  fileprivate var phases: String {
    var lines: [String] = []
    if let onlineObstacle { lines.append("refused: \(onlineObstacle)") }
    if let copy {
      let tables = copy.tables.map(\.name.name).joined(separator: ", ")
      lines.append("copies \(tables)")
    }
    for statement in statements + lateStatements {
      lines.append("\(statement.phase.rawValue): \(statement.reason)")
      guard statement.phase > .switch else { continue }
      let way = statement.isTransactional ? "" : "  outside a transaction"
      lines.append("  \(statement.sql.text)\(way)")
    }
    return lines.map { $0 + "\n" }.joined()
  }

  /// The plan as a list that can be reviewed.
  fileprivate var listing: String {
    var lines = preconditions.map { "requires \($0.requirement)" }
    lines += lockedTables.map { "locks \($0.name) in \($0.mode.name) mode" }
    for statement in statements {
      lines.append(statement.reason)
      let impact = statement.impact
      for (table, mode) in impact.locks.sorted(by: { $0.key < $1.key }) {
        lines.append("  locks \(table): \(mode.name)")
      }
      for table in impact.rewrites.sorted() { lines.append("  rewrites \(table)") }
      for table in impact.scans.sorted() { lines.append("  scans \(table)") }
      let hazards = impact.allHazards.map(\.rawValue)
      if !hazards.isEmpty { lines.append("  hazards: \(hazards.joined(separator: ", "))") }
    }
    for object in retained {
      lines.append("retains \(object.table)\(object.column.map { ".\($0)" } ?? "")")
    }
    lines += warnings.map { "warning: \($0.message)" }
    return lines.map { $0 + "\n" }.joined()
  }
}

extension DatabaseSchema {
  /// The tables with everything in the order of its name.
  var ordered: [Table] {
    sortedTables.map { table in
      Table(
        name: table.name,
        columns: table.columns.sorted { $0.name < $1.name },
        constraints: table.constraints.sorted { $0.name < $1.name },
        indexes: table.indexes.sorted { $0.name < $1.name },
        triggers: table.triggers.sorted { $0.name < $1.name }
      )
    }
  }
}
