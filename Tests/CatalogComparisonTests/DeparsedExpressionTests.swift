import Testing

@testable import CatalogComparison
@testable import MigrationPlanning

@Suite
struct DeparsedExpressionTests {
  @Test(arguments: ["new", "it's", "'", "''", "'\u{308}", "\u{308}'\u{301}'"])
  func `values are what stands between the quotes`(value: String) {
    let constant = quoted(value)

    let values = DeparsedExpression.values(
      of: "(status = ANY (ARRAY[\(constant)::text, 'old'::text]))",
      column: "status"
    )

    #expect(
      values?.map { Array($0.unicodeScalars) } == [value, "old"].map { Array($0.unicodeScalars) }
    )
  }

  @Test(arguments: ["new", "it's", "'\u{308}"])
  func `a list of values keeps its quotes`(value: String) {
    let constant = quoted(value)

    let text = DeparsedExpression.repeatable(
      "((status)::text = ANY ((ARRAY[\(constant)::character varying])::text[]))"
    )

    #expect(Array(text.unicodeScalars) == Array("(status IN (\(constant)))".unicodeScalars))
  }

  private func quoted(_ value: String) -> String {
    let scalars = value.unicodeScalars.flatMap { $0 == "'" ? [$0, $0] : [$0] }
    return "'" + String(String.UnicodeScalarView(scalars)) + "'"
  }
}
