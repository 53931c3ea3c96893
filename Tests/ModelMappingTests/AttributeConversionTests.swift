import ModelMapping
import ObjectModel
import Testing

@Suite
struct AttributeConversionTests {
  @Test(arguments: [
    (AttributeType.integer16, AttributeType.integer32), (.integer16, .integer64),
    (.integer32, .integer64), (.integer16, .decimal), (.integer32, .decimal),
    (.integer64, .decimal), (.float, .double), (.integer16, .float), (.integer32, .double),
    (.integer16, .numeric(precision: 5, scale: 0)), (.integer64, .numeric(precision: 21, scale: 2)),
    (.numeric(precision: 4, scale: 2), .numeric(precision: 6, scale: 3)),
    (.numeric(precision: 4, scale: 2), .decimal),
    (.varchar(5), .varchar(6)), (.varchar(5), .string), (.varchar(5), .uri),
    (.boolean, .integer16), (.boolean, .integer32), (.boolean, .integer64),
    (.enumeration(["a"]), .enumeration(["b", "a"])), (.enumeration(["a"]), .string),
    (.enumeration(["a"]), .uri), (.enumeration(["äöü"]), .varchar(3)),
    (.array(.integer32), .array(.integer64)), (.array(.varchar(5)), .array(.string)),
    (.array(.boolean), .array(.integer16)), (.sql("int2"), .integer64),
    (.array(.sql("float4")), .sql("double precision[]")), (.integer16, .string), (.integer32, .uri),
    (.integer64, .string), (.integer16, .varchar(6)), (.integer64, .varchar(20)),
    (.sql("int8"), .sql("text")),
    (.array(.integer32), .array(.string)),
  ])
  func `nothing is lost`(from: AttributeType, to: AttributeType) {
    #expect(AttributeConversion(from: from, to: to) == .lossless)
  }

  @Test(arguments: [
    (AttributeType.integer32, AttributeType.integer16), (.integer64, .integer32),
    (.integer64, .double), (.integer32, .float), (.decimal, .double), (.decimal, .integer64),
    (.decimal, .numeric(precision: 10, scale: 2)), (.double, .float), (.double, .decimal),
    (.double, .integer32), (.float, .integer16), (.float, .numeric(precision: 10, scale: 2)),
    (.integer16, .numeric(precision: 4, scale: 0)),
    (.numeric(precision: 6, scale: 3), .numeric(precision: 6, scale: 4)),
    (.numeric(precision: 6, scale: 3), .integer32), (.numeric(precision: 6, scale: 3), .double),
    (.numeric(precision: 5, scale: 0), .integer16), (.numeric(precision: 4, scale: 0), .integer16),
    (.string, .varchar(5)), (.uri, .varchar(5)), (.varchar(6), .varchar(5)),
    (.enumeration(["a", "b"]), .enumeration(["a"])), (.string, .enumeration(["a"])),
    (.varchar(5), .enumeration(["a"])), (.enumeration(["abcd"]), .varchar(3)),
    (.array(.integer64), .array(.integer32)), (.array(.string), .array(.varchar(5))),
    (.sql("numeric( 12 , 2 )"), .numeric(precision: 10, scale: 2)), (.sql("text"), .varchar(5)),
    (.integer16, .boolean), (.integer32, .boolean), (.integer64, .boolean),
    (.integer16, .varchar(5)),
    (.integer64, .varchar(19)), (.array(.integer16), .array(.boolean)),
  ])
  func `values are checked whether they fit`(from: AttributeType, to: AttributeType) {
    #expect(AttributeConversion(from: from, to: to) == .checked)
  }

  @Test(arguments: [
    (AttributeType.string, AttributeType.uri), (.uri, .string), (.binary, .transformable),
    (.transformable, .binary), (.json, .json),
    (.enumeration(["a", "b"]), .enumeration(["b", "a"])), (.sql("text"), .string),
    (.integer32, .sql("INT")), (.sql("pg_catalog.int8"), .integer64),
    (.sql("Character  Varying(7)"), .varchar(7)), (.decimal, .sql("numeric")),
    (.numeric(precision: 10, scale: 0), .sql("decimal(10)")), (.date, .sql("timestamptz")),
    (.sql("timestamp(3)"), .sql("timestamp(3) without time zone")), (.sql("char"), .sql("char(1)")),
    (.sql("jsonb"), .json), (.sql("int4[][]"), .array(.integer32)), (.sql("float(24)"), .float),
    (.sql("float(25)"), .double), (.array(.string), .array(.uri)), (.sql("Point"), .sql("point")),
    (.sql("varbit(3)"), .sql("bit varying(3)")),
  ])
  func `both are stored alike`(from: AttributeType, to: AttributeType) {
    #expect(AttributeConversion(from: from, to: to) == .identical)
  }

  @Test(arguments: [
    (AttributeType.string, AttributeType.integer32), (.string, .uuid),
    (.integer32, .enumeration(["1"])),
    (.date, .string), (.date, .double), (.decimal, .string), (.objectID, .string),
    (.boolean, .string), (.decimal, .boolean), (.boolean, .double),
    (.boolean, .decimal), (.date, .calendarDate), (.uuid, .string), (.binary, .string),
    (.json, .string), (.objectID, .integer64), (.array(.string), .string),
    (.composite("A"), .string),
    (.string, .composite("A")), (.sql("a"), .sql("b")), (.string, .sql("citext")),
    (.sql("json"), .json), (.sql("\"char\""), .sql("char")), (.sql("A.b"), .sql("\"A\".b")),
    (.sql("varchar"), .string), (.enumeration(["1"]), .integer32), (.date, .time),
    (.sql("timestamp(3)"), .sql("timestamp(6)")), (.array(.string), .array(.uuid)),
    (.sql("timestamp(3) with time zone"), .date),
  ])
  func `only an expression can say how`(from: AttributeType, to: AttributeType) {
    #expect(AttributeConversion(from: from, to: to) == .impossible)
  }

  @Test(arguments: [
    (AttributeType.string, AttributeType.integer16, AttributeConversion.checked),
    (.uri, .integer64, .checked),
    (.varchar(3), .integer32, .checked), (.array(.string), .array(.integer32), .checked),
    (.enumeration(["1"]), .integer32, .impossible), (.string, .decimal, .impossible),
    (.string, .boolean, .impossible), (.integer32, .string, .lossless),
  ])
  func `texts that were integers become integers again`(
    from: AttributeType,
    to: AttributeType,
    expected: AttributeConversion
  ) {
    #expect(AttributeConversion(from: from, to: to, isReturn: true) == expected)
  }
}
