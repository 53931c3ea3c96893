import ModelMapping
import ObjectModel
import PostgresClient
import SQLSyntax
import TestSupport
import Testing

@testable import MigrationPlanning

/// The expressions that an attribute of the destination accepts, refuses, or needs a conversion
/// for.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct AssignmentTests {
  private static let values: [(String, AttributeType, String?)] = [
    ("number", .integer16, "7"), ("1", .boolean, "true"), ("0", .boolean, "false"),
    ("number", .boolean, "true"), ("isNew", .integer16, "1"), ("weight", .integer32, "2"),
    ("-weight", .integer32, "-2"), ("number", .float, "7"), ("price", .double, "12.5"),
    ("2.0", .integer64, "2"), ("YES", .decimal, "1"), ("title", .uri, "  Élan, vital "),
    ("NULL", .date, nil), ("'x'", .varchar(3), "x"), ("printed", .date, "2001-01-01 00:01:00+00"),
    ("'00000000-0000-0000-0000-00000000000A'", .uuid, "00000000-0000-0000-0000-00000000000a"),
    ("'[1]'", .json, "[1]"), ("extra", .json, #"{"a": {"b": "x"}, "l": [1, 2]}"#),
    ("TERNARY(number > 3, 1, NO)", .boolean, "true"),
    ("number / 2", .numeric(precision: 5, scale: 1), "3.0"),
    ("TERNARY(nothing > 3, 1, NULL)", .boolean, nil), ("SQL('42')", .string, "42"),
    ("chapters.pages", .array(.integer32), "{30,10,NULL}"),
    ("fans.loud.@distinctUnionOfObjects", .array(.string), "{ANN,NULL}"),
    ("split('a,b', ',')", .array(.string), "{a,b}"), ("'b'", .enumeration(["a", "b"]), "b"),
    ("CAST('12', 'NSNumber')", .integer32, "12"),
    ("CAST(60, 'NSDate')", .date, "2001-01-01 00:01:00+00"),
    (
      "FUNCTION($entityPolicy, '_nonNilValueOrDefaultValueForAttribute:source:destination:', "
        + "'nothing', $source, $destination)", .integer64, "5"
    ),
    ("$source.author.name", .string, "Bob"),
  ]

  @Test
  func `a value is converted as Foundation does`() async throws {
    try await TestServer.withDatabase { url in
      let connection = try PostgresConnection(to: .url(url))
      let projection = try ExpressionModel.create(connection)
      try connection.execute("SET timezone TO 'UTC'")
      for (text, type, expected) in Self.values {
        let fallback: AttributeValue? = type == .integer64 ? .integer(5) : nil
        let attribute = AttributeDescription(name: "a", type: type, defaultValue: fallback)
        let column = try #require(type.columnType)
        do {
          var row = try ExpressionModel.row(projection)
          let value = try row.assignment(Expression(parsing: text), to: attribute)
          // A column takes what it is assigned.
          try connection.execute("CREATE TEMPORARY TABLE t (a \(column))")
          try connection.execute("INSERT INTO t SELECT \(value)\(ExpressionModel.origin)")
          let result = try connection.query("SELECT a::text AS v FROM t")
          #expect(result.first?["v"] == expected, "\(text) to \(type): \(value)")
        } catch {
          Issue.record("\(text) to \(type): \(error)")
        }
        try connection.execute("DROP TABLE IF EXISTS pg_temp.t")
      }
    }
  }

  @Test
  func `what is beyond the range ends in an error of the server`() async throws {
    try await TestServer.withDatabase { url in
      let connection = try PostgresConnection(to: .url(url))
      let projection = try ExpressionModel.create(connection)
      var row = try ExpressionModel.row(projection)
      let attribute = AttributeDescription(name: "a", type: .integer16)
      let value = try row.assignment(Expression(parsing: "number * 10000"), to: attribute)

      #expect(throws: PostgresError.self) {
        try connection.query("SELECT \(value)\(ExpressionModel.origin)")
      }
    }
  }
}
