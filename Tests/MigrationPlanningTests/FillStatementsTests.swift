import SQLSyntax
import TestSupport
import Testing

@testable import MigrationPlanning

@Suite
struct FillStatementsTests {
  @Test
  func `the function has every setting on which values depend`() throws {
    let creation = try #require(Self.statements(of: ["label"]).functionCreation.first).sql.text

    for setting in SessionDefault.all {
      let clause = ("SET \(setting.name) = \(setting.value)" as SQLFragment).text
      #expect(creation.contains(clause) == setting.decidesValues, "\(clause)")
    }
  }

  @Test
  func `columns whose names begin alike have proofs of their own`() {
    let stem = String(repeating: "a", count: 62)

    let proofs = Self.statements(of: [stem, stem + "b", stem + "c"]).proofs.map(\.name)

    #expect(Set(proofs).count == 3)
    #expect(proofs.allSatisfy { $0.name.utf8.count <= SQLIdentifier.maximumLength })
    #expect(proofs.allSatisfy { FilledColumn.isTemporary($0.name) })
  }

  private static func statements(of columns: [String]) -> FillStatements {
    let table = FilledTable(
      name: "item",
      key: "_id",
      keyType: "bigint",
      mappingName: "Item",
      columns: columns.map { name in
        FilledColumn(
          temporaryName: StorageNames.temporary(SQLIdentifier(name)),
          place: ColumnReference(table: "item", column: SQLIdentifier(name)),
          type: "text",
          value: "'a'",
          isRequired: true,
          mayFail: false
        )
      }
    )
    return FillStatements(of: table, in: "public", stagingSchema: "staging")
  }
}
