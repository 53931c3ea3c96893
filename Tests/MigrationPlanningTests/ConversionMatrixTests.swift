import ModelMapping
import ObjectModel
import PostgresClient
import SQLSyntax
import TestSupport
import Testing

@testable import MigrationPlanning

/// Every type into every other one: either it is refused, or the values that would not come back the
/// same by the server's own casts are counted beforehand, and all others are there afterwards.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct ConversionMatrixTests {
  @Test(arguments: TypeWithValues.all)
  func `values that do not come back are counted, all others are kept`(
    _ before: TypeWithValues
  ) async throws {
    try await TestServer.withDatabase { url in
      let connection = try PostgresConnection(to: .url(url))
      try connection.prepareSession()
      try connection.execute(Self.comesBack)
      for after in TypeWithValues.all where after.type != before.type {
        guard AttributeConversion(from: before.type, to: after.type) != .impossible else {
          #expect(throws: InferenceError.self) {
            try CompleteMapping(from: before.model, to: after.model)
          }
          continue
        }
        try convert(before, into: after, connection)
      }
    }
  }

  private func convert(
    _ before: TypeWithValues,
    into after: TypeWithValues,
    _ connection: borrowing PostgresConnection
  ) throws {
    let place: Comment = "\(before.type) to \(after.type)"
    let step = try MigrationPlannerTests.step(from: before.model, to: after.model)
    try connection.execute("DROP SCHEMA IF EXISTS s CASCADE; CREATE SCHEMA s")
    for statement in try MigrationPlanner().step(creating: PlannedVersion(before.model)).statements
    {
      try connection.execute(statement.sql)
    }
    let columnType = try #require(before.type.columnType)
    for value in before.values {
      try connection.execute("INSERT INTO s.a (x) VALUES (\(SQLLiteral.typed(value, columnType)))")
    }
    try connection.execute("INSERT INTO s.a (x) VALUES (NULL)")
    let there = try after.casts(from: before)
    let back = try before.casts(from: after)
    let offenders = try connection.query(
      """
      SELECT string_agg(_id::text, ', ' ORDER BY _id) AS keys FROM s.a \
      WHERE NOT comes_back(_id, \(SQLLiteral.text(there)), \(SQLLiteral.text(back))) \
      OR NOT (\(after.condition))
      """
    ).first?["keys"]

    var counted: Set<String> = []
    for precondition in step.preconditions {
      // At most five keys are reported, so they are checked one by one.
      while true {
        let keys = try connection.query(precondition.query).first?["keys"] ?? nil
        guard let keys else { break }
        counted.formUnion(keys.split(separator: ", ").map(String.init))
        let list = keys.split(separator: ", ").compactMap { Int64($0) }
          .map { "\(SQLLiteral.integer($0))" as SQLFragment }
        try connection.execute("DELETE FROM s.a WHERE _id IN (\(list.joined(separator: ", ")))")
      }
    }

    let expected = Set(offenders?.split(separator: ", ").map(String.init) ?? [])
    #expect(counted == expected, place)
    guard counted == expected else { return }
    try connection.execute("CREATE TABLE s.original AS SELECT _id, x FROM s.a")
    let file = try connection.query(Self.file).first?["file"]
    for statement in step.statements { try connection.execute(statement.sql) }
    let lost = try connection.query(
      """
      SELECT string_agg(_id::text, ', ') AS keys FROM s.a FULL JOIN s.original USING (_id) \
      WHERE NOT is_same(_id, \(SQLLiteral.text(back)))
      """
    ).first?["keys"]
    #expect(lost == nil, place)
    let isWritten = try connection.query(Self.file).first?["file"] != file
    #expect(step.statements.contains { !$0.impact.rewrites.isEmpty } == isWritten, place)
  }

  private static let file: SQLFragment =
    "SELECT relfilenode::text AS file FROM pg_class WHERE oid = 's.a'::regclass"

  private static let comesBack: SQLFragment = """
    CREATE FUNCTION comes_back(key bigint, there text, back text) RETURNS boolean \
    LANGUAGE plpgsql AS $$
    DECLARE result boolean;
    BEGIN
      EXECUTE format('SELECT x%s%s IS NOT DISTINCT FROM x FROM s.a WHERE _id = %s', \
        there, back, key) INTO result;
      RETURN result;
    EXCEPTION WHEN OTHERS THEN RETURN false;
    END $$;
    CREATE FUNCTION is_same(key bigint, back text) RETURNS boolean LANGUAGE plpgsql AS $$
    DECLARE result boolean;
    BEGIN
      EXECUTE format('SELECT a.x%s IS NOT DISTINCT FROM o.x FROM s.a AS a, s.original AS o \
        WHERE a._id = %s AND o._id = a._id', back, key) INTO result;
      RETURN coalesce(result, false);
    END $$
    """
}

/// A type with values at its bounds and at those of others.
struct TypeWithValues: CustomTestStringConvertible, Sendable {
  let type: AttributeType
  let values: [String]

  var testDescription: String { type.description }

  var model: ManagedObjectModel {
    Samples.model("A", AttributeDescription(name: "x", type: type))
  }

  /// What has to be true of a value besides its type.
  var condition: SQLFragment {
    guard case .enumeration(let values) = type else { return "true" }
    let list = values.map { "\(SQLLiteral.text($0))" as SQLFragment }
    return "x IS NULL OR x::text IN (\(list.joined(separator: ", ")))"
  }

  /// Returns the casts from a type; between booleans and numbers there is none but to `integer`.
  func casts(from source: TypeWithValues) throws -> String {
    let after = try #require(type.columnType).text
    let before = try #require(source.type.columnType).text
    let brackets = after.hasSuffix("[]") ? "[]" : ""
    let isByInteger = before.hasPrefix("boolean") || after.hasPrefix("boolean")
    return (isByInteger && before != after ? "::integer\(brackets)" : "") + "::\(after)"
  }

  private init(_ type: AttributeType, _ values: String...) {
    self.type = type
    self.values = values
  }

  static let all: [TypeWithValues] = [
    TypeWithValues(.integer16, "-32768", "-10000", "-1", "0", "1", "99", "9999", "32767"),
    TypeWithValues(
      .integer32,
      "-2147483648",
      "-32769",
      "-32768",
      "0",
      "1000",
      "32767",
      "32768",
      "99999",
      "16777216",
      "16777217",
      "2147483647"
    ),
    TypeWithValues(
      .integer64,
      "-9223372036854775808",
      "-2147483649",
      "0",
      "100000",
      "2147483648",
      "16777217",
      "9007199254740992",
      "9007199254740993",
      "9223371487098961920",
      "9223371487098961921",
      "9223372036854774784",
      "9223372036854775807"
    ),
    TypeWithValues(
      .decimal,
      "0",
      "-1",
      "0.1",
      "1.25",
      "999.99",
      "999.995",
      "1000",
      "32767.5",
      "32768",
      "16777217",
      "9007199254740993",
      "9223372036854775807",
      "9223372036854775808",
      "1e39",
      "1e309",
      "1e-50",
      "1e-400",
      "0.12345678901234567890",
      "NaN",
      "Infinity",
      "-Infinity"
    ),
    TypeWithValues(
      .numeric(precision: 5, scale: 2),
      "-999.99",
      "0",
      "0.10",
      "7",
      "7.50",
      "999.99",
      "NaN"
    ),
    TypeWithValues(
      .numeric(precision: 5, scale: 0),
      "-99999",
      "0",
      "32767",
      "32768",
      "99999",
      "NaN"
    ),
    TypeWithValues(
      .numeric(precision: 24, scale: 4),
      "0.0001",
      "0.1",
      "1.25",
      "16777217",
      "9007199254740993",
      "99999999999999999999.9999",
      "9223372036854775807",
      "-9223372036854775809",
      "NaN"
    ),
    TypeWithValues(
      .double,
      "0",
      "0.1",
      "1.5",
      "-32768",
      "32767.5",
      "16777217",
      "2147483648",
      "9007199254740992",
      "9223372036854775808",
      "-9223372036854775808",
      "0.30000000000000004",
      "1e300",
      "1e-300",
      "1.7976931348623157e308",
      "4.9e-324",
      "NaN",
      "Infinity",
      "-Infinity"
    ),
    TypeWithValues(
      .float,
      "0",
      "0.1",
      "1.5",
      "32767",
      "16777216",
      "16777218",
      "2147483648",
      "9223372036854775808",
      "-9223372036854775808",
      "3.4028235e38",
      "1e-45",
      "1.2345678",
      "NaN",
      "Infinity",
      "-Infinity"
    ),
    TypeWithValues(
      .string,
      "",
      " ",
      "a",
      "b",
      "abc",
      "abc ",
      "äöü",
      "abcd",
      "bcde",
      "A",
      "a long text'\\ of "
        + "many characters",
      "NULL",
      "1",
      "0.1",
      "true",
      "2024-01-01"
    ),
    TypeWithValues(.uri, "", "a", "abc", "https://example.org/a?b=c"),
    TypeWithValues(.varchar(3), "", "a", "b", "abc", "äöü", "  "),
    TypeWithValues(.varchar(8), "", "a", "bcde", "abcdefgh", "abc  "),
    TypeWithValues(.boolean, "true", "false"),
    TypeWithValues(.date, "2001-01-01 00:00:00+00", "infinity", "-infinity"),
    TypeWithValues(.binary, "\\x", "\\x00ff", "\\x61"),
    TypeWithValues(.transformable, "\\x", "\\x00ff"),
    TypeWithValues(.uuid, "00000000-0000-0000-0000-000000000001"),
    TypeWithValues(.objectID, "1", "9223372036854775807"),
    TypeWithValues(.json, "null", "{}", "[1]", "\"a\"", "1"),
    TypeWithValues(.calendarDate, "2024-02-29", "infinity"),
    TypeWithValues(.time, "00:00", "24:00"),
    TypeWithValues(.interval, "1 day", "-3 mons"),
    TypeWithValues(.inet, "10.0.0.1", "::1/64"),
    TypeWithValues(.textSearch, "", "'a':1A 'b c'"),
    TypeWithValues(.range(.int4range), "empty", "[1,3)", "(,)"),
    TypeWithValues(.range(.tstzrange), "empty", "[2024-02-29 10:00Z,infinity)"),
    TypeWithValues(.enumeration(["a", "b"]), "a", "b"),
    TypeWithValues(.enumeration(["a", "bcde", "it's"]), "a", "bcde", "it's"),
    TypeWithValues(.array(.integer16), "{}", "{0,NULL}", "{-32768,32767}"),
    TypeWithValues(
      .array(.integer64),
      "{}",
      "{NULL}",
      "{1,2}",
      "{{1,2},{3,32768}}",
      "{9007199254740993}",
      "{9223372036854775807}"
    ),
    TypeWithValues(.array(.double), "{}", "{0.1,NaN}", "{1,2.5}", "{Infinity}", "{1e300}", "{7}"),
    TypeWithValues(.array(.decimal), "{}", "{0.1}", "{1,2.5,NaN}", "{1e39}", "{7,NULL}"),
    TypeWithValues(.array(.boolean), "{}", "{t,f,NULL}"),
    TypeWithValues(.array(.string), "{}", "{\"\",a,NULL}", "{abc}", "{a,abcd}"),
    TypeWithValues(.array(.varchar(3)), "{}", "{a,abc}"),
    TypeWithValues(.array(.varchar(5)), "{}", "{a,abcde}"),
    TypeWithValues(.sql("int4"), "1", "2147483647"),
    TypeWithValues(.sql("Character Varying"), "", "abcd"),
    TypeWithValues(.sql("timestamp(3)"), "2001-01-01"),
    TypeWithValues(.sql("point"), "(1,2)"),
  ]
}

/// Defaults, checks, indexes and uniqueness follow their column into another type.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct ConvertedObjectsTests {
  private static let types: [(type: AttributeType, value: AttributeValue)] = [
    (.integer16, .integer(7)), (.integer32, .integer(70_000)), (.integer64, .integer(70_001)),
    (.decimal, .decimal("1.5")), (.numeric(precision: 14, scale: 2), .decimal("2.25")),
    (.double, .double(0.1)), (.float, .double(0.5)), (.string, .string("it's")),
    (.uri, .string("b")), (.varchar(40), .string("c")), (.boolean, .boolean(true)),
    (.enumeration(["a", "b", "c", "d"]), .string("d")), (.enumeration(["b", "a"]), .string("b")),
    (.array(.integer16), .text("{1}")), (.array(.integer64), .text("{2,3}")),
    (.sql("int4"), .text("4")), (.sql("text"), .text("t")),
  ]

  @Test
  func `what belongs to a column follows it into another type`() async throws {
    try await TestServer.withDatabase { url in
      let connection = try PostgresConnection(to: .url(url))
      try connection.prepareSession()
      for before in Self.types {
        for after in Self.types
        where before.type != after.type
          && AttributeConversion(from: before.type, to: after.type) != .impossible
        {
          let source = try PlannedVersion(Self.model(before.type, before.value))
          let destination = try PlannedVersion(Self.model(after.type, after.value), named: "2")
          let name = "\(before.type) to \(after.type)"
          var migration = LiveMigration(MigrationPlanner(), name: name)
          try migration.create(source, connection)
          try migration.migrate(
            from: source,
            to: destination,
            by: CompleteMapping(from: source.projection.model, to: destination.projection.model),
            connection
          )
        }
      }
    }
  }

  private static func model(_ type: AttributeType, _ value: AttributeValue) -> ManagedObjectModel {
    let names = ["optional", "required", "indexed"]
    let attributes = names.map {
      AttributeDescription(name: $0, type: type, isOptional: $0 != "required", defaultValue: value)
    }
    let index = FetchIndexDescription(name: "i", elements: [.init(propertyName: "indexed")])
    return ManagedObjectModel(entities: [
      EntityDescription(name: "A", attributes: attributes, fetchIndexes: [index])
    ])
  }
}
