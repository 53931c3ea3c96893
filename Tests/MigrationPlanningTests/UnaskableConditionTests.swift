import Diagnostics
import ObjectModel
import TestSupport
import Testing

@testable import MigrationPlanning
@testable import ModelMapping

@Suite
struct UnaskableConditionTests {
  @Test
  func `a validation that rows cannot be checked for is an error and not left out`() throws {
    let model = Samples.model("A", AttributeDescription(name: "x", type: .string))
    let source = try PlannedVersion(model)
    let match = try SchemaMatch(
      from: source.projection,
      to: source.projection,
      by: CompleteMapping(from: model, to: model).mappingModel
    )
    let questions = PreconditionQueries(match)
    let precondition = DataPrecondition(
      entityName: "A",
      memberNames: ["A"],
      requirement: .valuesValid(
        PropertyPath("x", elements: []),
        AttributeValidation(pattern: "\\p{L}+", isEnforced: true),
        of: .string
      )
    )

    let error = #expect(throws: PlanningError.self) { try questions.planned(precondition) }

    let diagnostic = error?.diagnostics.first
    #expect(
      diagnostic?.message
        == "the validation of attribute \"x\" of entity \"A\" cannot be enforced"
    )
    #expect(diagnostic?.detail?.isEmpty == false)
    #expect(diagnostic?.hint?.isEmpty == false)
  }
}
