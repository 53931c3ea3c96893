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
  ])
  func `values are asked whether they fit`(from: AttributeType, to: AttributeType) {
    #expect(AttributeConversion(from: from, to: to) == .checked)
  }

  @Test(arguments: [
    (AttributeType.string, AttributeType.uri), (.uri, .string), (.binary, .transformable),
    (.transformable, .binary), (.json, .json),
  ])
  func `both are stored alike`(from: AttributeType, to: AttributeType) {
    #expect(AttributeConversion(from: from, to: to) == .identical)
  }

  @Test(arguments: [
    (AttributeType.enumeration(["a"]), AttributeType.string), (.string, .enumeration(["a"])),
    (.enumeration(["a", "b"]), .enumeration(["a"])), (.composite("A"), .string),
    (.array(.integer32), .array(.integer64)), (.sql("a"), .sql("b")), (.string, .sql("citext")),
  ])
  func `a later release infers it`(from: AttributeType, to: AttributeType) {
    #expect(AttributeConversion(from: from, to: to) == .notYetInferred)
  }

  @Test(arguments: [
    (AttributeType.string, AttributeType.integer32), (.string, .uuid), (.integer32, .string),
    (.date, .string), (.date, .double), (.integer32, .boolean), (.boolean, .double),
    (.boolean, .decimal), (.date, .calendarDate), (.uuid, .string), (.binary, .string),
    (.json, .string), (.objectID, .integer64), (.array(.string), .string),
  ])
  func `only an expression can say how`(from: AttributeType, to: AttributeType) {
    #expect(AttributeConversion(from: from, to: to) == .impossible)
  }
}
