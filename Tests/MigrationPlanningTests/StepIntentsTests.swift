import ModelMapping
import ObjectModel
import SQLSyntax
import TestSupport
import Testing

@testable import MigrationPlanning

@Suite
struct StepIntentsTests {
  private func model(_ attributes: AttributeDescription...) -> ManagedObjectModel {
    ManagedObjectModel(entities: [EntityDescription(name: "Customer", attributes: attributes)])
  }

  private func intents(
    from source: ManagedObjectModel,
    to destination: ManagedObjectModel,
    sizes: TableSizes = [:]
  ) throws -> [String?] {
    let step = try MigrationPlannerTests.step(from: source, to: destination)
    return StepIntents(of: step, sizes: sizes).intents.map { $0.summary(arrow: "->") }
  }

  @Test
  func `renames have an arrow, and labels are named`() throws {
    let summaries = try intents(
      from: model(
        AttributeDescription(name: "email", type: .string),
        AttributeDescription(name: "state", type: .enumeration(["open", "lost"]))
      ),
      to: model(
        AttributeDescription(name: "mail", type: .string, renamingIdentifier: "email"),
        AttributeDescription(name: "state", type: .enumeration(["open", "lost", "back"]))
      )
    )

    #expect(summaries == ["Customer changes: email -> mail, state gets the label back"])
  }

  @Test
  func `a table that the server writes again is said to have so many rows`() throws {
    let summaries = try intents(
      from: model(AttributeDescription(name: "count", type: .integer32)),
      to: model(AttributeDescription(name: "count", type: .integer64)),
      sizes: ["customer": TableSize(rows: 1_234_567, bytes: 8192)]
    )

    #expect(
      summaries == [
        "Customer is rewritten: 1,234,567 rows, count: type integer32 -> integer64"
      ]
    )
  }

  @Test
  func `every statement is for one intent, and every change is in one`() throws {
    for seed in 1...80 as ClosedRange<UInt64> {
      var generator = ModelGenerator(seed: seed)
      let (first, second) = (generator.model(), generator.model())
      guard let step = try? MigrationPlannerTests.step(from: first, to: second) else { continue }
      let intents = StepIntents(of: step, sizes: [:])
      let statements = step.allStatements

      #expect(intents.intentOfStatement.count == statements.count)
      #expect(intents.intents.flatMap(\.statements).sorted() == Array(statements.indices))
      for intent in intents.intents {
        #expect(intent.statements == intent.statements.sorted())
        #expect(
          intent.statements.allSatisfy { intents.intents[intents.intentOfStatement[$0]] == intent }
        )
      }
      let names = intents.intents.map(\.entityName)
      #expect(names.count == Set(names).count)
      let shown = Set(intents.intents.flatMap(\.changes))
      let whole: Set<ModelChange.Kind> = [
        .entityAdded, .entityRemoved, .renamingIdentifierChanged,
      ]
      let added = Set(intents.intents.filter { $0.work == .added }.compactMap(\.entityName))
      for change in ModelDifference(from: first, to: second).changes
      where !whole.contains(change.kind) && !added.contains(change.entityName) {
        #expect(shown.contains(change), "\(change)")
      }
    }
  }
}
