import SQLSyntax
import Testing

struct SQLTypeNameTests {
  @Test(arguments: [
    ("integer", SQLTypeName.Family.integer), ("INT8", .integer), ("pg_catalog.int2", .integer),
    ("decimal(10,2)", .numeric), ("float(24)", .floating), ("double precision", .floating),
    ("varchar(20)", .text), ("character varying(20)[]", .array), ("date", .date),
    ("daterange", .range), ("datemultirange", .other), ("time", .time),
    ("time(3) with time zone", .time), ("timestamp(3) without time zone", .timestamp),
    ("timestamptz", .timestamp), ("tsvector", .textSearch), ("int4range", .range),
    ("interval", .interval), ("integers", .other), ("public.\"Mood\"", .other),
    ("\"DATE\"", .other),
  ])
  func `a type belongs to the family of its whole name`(text: String, family: SQLTypeName.Family) {
    #expect(SQLTypeName(text)?.family == family)
  }

  @Test(arguments: [
    ("varchar(20)", "character varying(20)"), ("numeric(5)", "numeric(5,0)"),
    ("TIMESTAMP(3)", "timestamp(3) without time zone"), ("float(53)[]", "double precision[]"),
    ("char", "character(1)"), ("public.citext", "public.citext"),
  ])
  func `a type is spelled as the server spells it`(text: String, expected: String) {
    #expect(SQLTypeName(text)?.parts.text == expected)
  }

  @Test
  func `a range of dates may be large, and a date is not`() {
    #expect(SQLTypeName("daterange").mayBeLarge == true)
    #expect(SQLTypeName("date").mayBeLarge == false)
  }
}
