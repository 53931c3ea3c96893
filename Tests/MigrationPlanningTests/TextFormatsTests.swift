import SQLSyntax
import Testing

@testable import MigrationPlanning

@Suite
struct TextFormatsTests {
  @Test(
    arguments: [
      #"(string_to_array("source"."full_name", ' '::text))[0 + 1]"#,
      #"(coalesce("source"."first", '') || ' now() ' || coalesce("source"."last", ''))"#,
      #"trunc(substring("source"."age", '^\d+$')::numeric)::integer"#,
      #"CASE WHEN "source"."now" IS NULL THEN 'date' ELSE lower("source"."date") END"#,
    ] as [SQLFragment]
  )
  func `what computes texts and whole numbers needs no format`(_ expression: SQLFragment) {
    #expect(expression.isIndependentOfFormats)
  }

  @Test(
    arguments: [
      #""source"."moment"::date"#, #""source"."moment"::"date""#, "now()", "CURRENT_DATE",
      #"to_char("source"."moment", 'YYYY')"#, #""to_char"("source"."moment", 'YYYY')"#,
      #"current_setting('TimeZone')"#, #"date '2020-01-02'"#, #""source"."size"::double precision"#,
    ] as [SQLFragment]
  )
  func `what is not known needs all of them`(_ expression: SQLFragment) {
    #expect(!expression.isIndependentOfFormats)
  }

  @Test(arguments: ["text", "character varying(3)", "bigint", "numeric(3,1)", "boolean", "uuid"])
  func `values of some types are the same text in every session`(_ name: String) throws {
    #expect(try #require(SQLTypeName(name)).isIndependentOfFormats)
  }

  @Test(arguments: [
    "date", "timestamp with time zone", "interval", "double precision", "bytea", "xml", "text[]",
    "mood",
  ])
  func `values of others are not`(_ name: String) throws {
    #expect(try !#require(SQLTypeName(name)).isIndependentOfFormats)
  }
}
