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
      #expect(creation.contains(clause) == (setting.use != nil), "\(clause)")
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

  @Test
  func `missing values of all columns are looked for at once`() {
    let statements = Self.statements(of: ["label", "note"])

    #expect(
      statements.missingValues(of: statements.proofs)?.text == """
        SELECT "source"."_id"::text AS key, \
        CASE WHEN "source"."remodel_temporary_label" IS NULL THEN 0 \
        WHEN "source"."remodel_temporary_note" IS NULL THEN 1 END AS number \
        FROM "public"."item" AS "source" \
        WHERE "source"."remodel_temporary_label" IS NULL \
        OR "source"."remodel_temporary_note" IS NULL LIMIT 10
        """
    )
    #expect(statements.missingValues(of: []) == nil)
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
