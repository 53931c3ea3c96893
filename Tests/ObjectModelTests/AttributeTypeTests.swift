import ObjectModel
import Testing

@Suite
struct AttributeTypeTests {
  @Test(arguments: [
    (AttributeType.undefined, "undefined"), (.integer16, "integer16"), (.integer32, "integer32"),
    (.integer64, "integer64"), (.decimal, "decimal"), (.double, "double"), (.float, "float"),
    (.string, "string"), (.uri, "uri"), (.boolean, "boolean"), (.date, "timestamp"),
    (.binary, "binary"), (.uuid, "uuid"), (.transformable, "transformable"),
    (.objectID, "objectID"), (.composite("Size"), "composite(Size)"), (.json, "json"),
    (.calendarDate, "date"), (.time, "time"), (.interval, "interval"), (.inet, "inet"),
    (.textSearch, "tsvector"), (.range(.tstzrange), "tstzrange"),
    (.range(.int4range), "int4range"), (.numeric(precision: 10, scale: 2), "numeric(10,2)"),
    (.varchar(20), "varchar(20)"),
    (.array(.array(.string)), "string[][]"), (.enumeration(["a", "b_2"]), "enum(a, b_2)"),
    (
      .enumeration(["it's", "a, b", "say \"hi\"", " x "]),
      "enum(\"it's\", \"a, b\", \"say \"\"hi\"\"\", \" x \")"
    ),
    (.sql("public.citext"), "sql(\"public.citext\")"),
    (.array(.sql("citext")), "sql(\"citext\")[]"),
  ])
  func `a type is read as it is written`(type: AttributeType, text: String) {
    // Arrays of arrays have no spelling of their own.
    guard type != .array(.array(.string)) else {
      #expect(AttributeType(text) == nil)
      return
    }
    #expect(type.description == text)
    #expect(AttributeType(text) == type)
  }

  @Test(arguments: [
    "", "varchr", "Integer16", "numeric()", "numeric(0)", "numeric(2,3)", "numeric(1001)",
    "varchar(0)", "varchar(x)", "varchar(1,2)", "enum()", "enum(a, a)", "enum(\"a)", "sql()",
    "composite()", "[]", "enum(a)[]", "undefined[]", "composite(A)[]", "string[", "string()",
  ])
  func `what is no type is not read`(text: String) {
    #expect(AttributeType(text) == nil)
  }

  @Test
  func `spaces around arguments and a missing scale make no difference`() {
    #expect(AttributeType("numeric( 10 , 2 )") == .numeric(precision: 10, scale: 2))
    #expect(AttributeType("numeric(10)") == .numeric(precision: 10, scale: 0))
    #expect(AttributeType("enum( a ,b )") == .enumeration(["a", "b"]))
  }

  @Test(arguments: [
    ("tstzrange", AttributeType.range(.tstzrange)), ("pg_catalog.tsvector", .textSearch),
    ("int4", .integer32), ("int4[]", .array(.integer32)), ("varchar(5)", .varchar(5)),
    ("decimal(5)", .numeric(precision: 5, scale: 0)), ("float(24)", .float),
    ("TIMESTAMP(3)", .sql("timestamp(3) without time zone")), ("bytea", .binary),
    ("datemultirange", .sql("datemultirange")),
  ])
  func `a name of the server's stands for a type of ours`(name: String, type: AttributeType) {
    #expect(AttributeType.sql(name).canonical == type)
  }
}
