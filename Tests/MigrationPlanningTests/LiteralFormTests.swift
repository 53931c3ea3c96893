import ModelMapping
import ObjectModel
import PostgresClient
import SQLSyntax
import TestSupport
import Testing

@testable import MigrationPlanning

/// The constants of plans are those that a cast of quoted text would give, to the bit.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct LiteralFormTests {
  private static let samples: [(type: AttributeType, texts: [String])] = [
    (.uuid, ["00000000-0000-0000-0000-000000000000", "6F9619FF-8B86-D011-B42D-00CF4FC964FF"]),
    (.json, ["{}", "[1, \"a\", null]", "\"it's\"", "5", "-0.50"]),
    (.calendarDate, ["2020-02-29", "infinity", "0001-01-01"]), (.time, ["24:00:00", "23:59:59.5"]),
    (.interval, ["1 day 02:00:00", "P1DT2H"]), (.inet, ["10.0.0.0/8", "::1"]),
    (.range(.int4range), ["[1,5)", "empty"]), (.range(.numrange), ["[1,2.5)"]),
    (.array(.integer32), ["{1,-2,NULL}", "{}"]), (.array(.string), [#"{"a b",'c'}"#]),
    (.array(.numeric(precision: 5, scale: 1)), ["{1.5,2}"]),
    (.sql("char(5)"), ["ab", ""]), (.sql("bit(3)"), ["101"]), (.sql("varchar(3)"), ["abc"]),
    (.sql("numeric(4)"), ["1234", "-1"]), (.sql("interval(0)"), ["1.4 seconds"]),
    (.sql("timestamp(3)"), ["2020-01-01 00:00:00.1234"]), (.sql("money"), ["1.50"]),
  ]

  private static let types: [AttributeType] =
    [
      .integer16, .integer32, .integer64, .decimal, .double, .float, .string, .uri, .boolean, .date,
      .numeric(precision: 12, scale: 2), .numeric(precision: 30, scale: 0), .varchar(20),
      .enumeration(["a", "it's", "\\"]),
    ] + samples.map(\.type)

  /// Returns edges and random values of a type.
  private static func values(
    of type: AttributeType,
    _ random: inout SeededGenerator
  )
    -> [AttributeValue]
  {
    if let sample = samples.first(where: { $0.type == type }) {
      return sample.texts.compactMap { AttributeValue($0, of: type) }
    }
    switch type.kind {
    case .boolean: return [.boolean(true), .boolean(false)]
    case .integer(let bits):
      let edges = [Int64.min >> (64 - bits), Int64.max >> (64 - bits), 0, 1, -1]
      return (edges + (0..<40).map { _ in random.next(bits: bits) }).map { .integer($0) }
    case .decimal(let limit):
      let texts = (0..<60).map { _ in
        random.digits(whole: limit.map { $0.precision - $0.scale } ?? 40, limit?.scale ?? 40)
      }
      return (["0", "-1", "1"] + texts).compactMap { AttributeValue($0, of: type) }
        + (limit == nil ? [.decimal("NaN"), .decimal("1.500"), .decimal("-0")] : [])
    case .floating(let bits):
      let edges: [Double] = [
        0, -0.0, 0.1, -0.1, 1, 32, 1e15, 1e16, 16_777_217, 9_007_199_254_740_992, .infinity,
        -.infinity, .nan,
      ]
      let widest: [Double] =
        bits == 24
        ? [Double(Float.greatestFiniteMagnitude), 1e-45, Double(Float(0.1))]
        : [.greatestFiniteMagnitude, .leastNonzeroMagnitude, .leastNormalMagnitude, .pi]
      let others = (0..<60).compactMap { _ -> Double? in
        let value =
          bits == 24
          ? Double(Float(bitPattern: UInt32.random(in: 0...UInt32.max, using: &random)))
          : Double(bitPattern: random.next())
        return value.isFinite ? value : nil
      }
      return (edges + widest + others).map { .double($0) }
    case .text(.listed(let values)): return values.map { .string($0) }
    case .text:
      return ["", "x", "it's", "\\", "\\'; --", "5", "true", "$1", "ü€😀", "a\nb"].map {
        .string($0)
      }
    case .instant:
      return [0, -1, 0.5, 631_152_000, -211_845_110_400, 1e13, -1e13].map { .date($0) }
    case .uuid, .bytes, .objectID, .constant, .array, .none: return []
    }
  }

  /// The form that has the type of the value in a cast of quoted text.
  private static func cast(_ value: AttributeValue, _ type: SQLTypeName) -> SQLFragment {
    let text =
      switch value {
      case .boolean(let value): "\(value)"
      case .integer(let value): "\(value)"
      case .decimal(let text), .string(let text), .uuid(let text), .text(let text): text
      case .double(let value):
        value.isNaN ? "NaN" : value.isInfinite ? (value < 0 ? "-Infinity" : "Infinity") : "\(value)"
      case .date(let seconds): AttributeValue.timestamp(secondsSince2001: seconds)
      }
    return "\(SQLLiteral.text(text))::\(type)"
  }

  @Test(arguments: types.indices)
  func `a constant has the value and the type of its cast`(index: Int) async throws {
    let type = Self.types[index]
    let columnType = try #require(type.columnType)
    var random = SeededGenerator(seed: UInt64(index) + 1)
    let values = Self.values(of: type, &random)
    #expect(!values.isEmpty)
    try await TestServer.withDatabase { url in
      let connection = try PostgresConnection(to: .url(url))
      try connection.prepareSession()
      for value in values {
        let cast = Self.cast(value, columnType)
        // Integers have the type of their size, as they always had.
        let isInteger = if case .integer = value { true } else { false }
        if !isInteger {
          let rows = try connection.query(
            """
            SELECT ROW(a)::record *= ROW(b)::record AS is_equal, pg_typeof(a) = pg_typeof(b) AS is_typed
            FROM (SELECT \(value.literal(of: columnType)) AS a, \(cast) AS b) AS x
            """
          )
          #expect(rows.first?["is_equal"] == "t", "\(value.literal(of: columnType).quoted)")
          #expect(rows.first?["is_typed"] == "t", "\(value.literal(of: columnType).quoted)")
        }
        let assigned = value.assigned(to: columnType)
        try connection.execute("DROP TABLE IF EXISTS public.t")
        try connection.execute(
          """
          CREATE TABLE public.t (
            a \(columnType) DEFAULT \(assigned), b \(columnType) DEFAULT \(cast), c \(columnType),
            d \(columnType))
          """
        )
        try connection.execute("INSERT INTO public.t DEFAULT VALUES")
        try connection.execute(
          "UPDATE public.t SET c = \(assigned), d = coalesce(NULL::\(columnType), \(assigned))"
        )
        try connection.execute(
          "ALTER TABLE public.t ADD COLUMN e \(columnType) DEFAULT \(assigned)"
        )
        let same = try connection.query(
          """
          SELECT ROW(a, c, d, e)::record *= ROW(b, b, b, b)::record AS is_equal, ROW(a, b, c, d, e) AS v
          FROM public.t
          """
        )
        #expect(same.first?["is_equal"] == "t", "\(assigned.quoted): \(same.first?["v"] ?? "")")
      }
    }
  }

  @Test(
    arguments: [
      AttributeType.integer16, .integer32, .integer64, .decimal, .double, .float,
      .numeric(precision: 12, scale: 2),
    ]
  )
  func `a bound holds for the same values as a cast`(type: AttributeType) async throws {
    let columnType = try #require(type.columnType)
    var random = SeededGenerator(seed: 7)
    let values = Self.values(of: type, &random)
    let others = Self.values(of: .decimal, &random) + Self.values(of: .integer64, &random)
    let doubles = type.kind == .floating(bits: 24) ? Self.values(of: .double, &random) : []
    // What a model may have as a bound: digits.
    let bounds = (values + others + doubles).compactMap { value -> String? in
      SQLNumber(value.description)?.text
    }
    let former: SQLTypeName =
      if case .floating = type.kind { "double precision" } else { "numeric" }
    try await TestServer.withDatabase { url in
      let connection = try PostgresConnection(to: .url(url))
      try connection.prepareSession()
      try connection.execute("CREATE TABLE public.t (v \(columnType))")
      for value in values {
        try connection.execute("INSERT INTO public.t VALUES (\(Self.cast(value, columnType)))")
      }
      for bound in bounds {
        var validation = AttributeValidation()
        validation.minimum = bound
        validation.maximum = bound
        let condition = try #require(
          try ValidationCondition.condition(on: "v", validation, of: type)
        )
        let cast: SQLFragment = "\(SQLLiteral.text(bound))::\(former)"
        let rows = try connection.query(
          """
          SELECT count(*) FILTER (WHERE (\(condition)) IS DISTINCT FROM (v >= \(cast) AND v <= \(cast))) AS n
          FROM public.t
          """
        )
        #expect(rows.first?["n"] == "0", "\(condition)")
      }
    }
  }
}

extension SeededGenerator {
  fileprivate mutating func next(bits: Int) -> Int64 {
    Int64(bitPattern: next()) >> Int64(64 - Int.random(in: 1...bits, using: &self))
  }

  /// Returns a number of at most so many digits before and after the point.
  fileprivate mutating func digits(whole: Int, _ fraction: Int) -> String {
    func some(_ count: Int, _ random: inout SeededGenerator) -> String {
      (0..<count).map { _ in "\(Int.random(in: 0...9, using: &random))" }.joined()
    }
    let sign = Bool.random(using: &self) ? "-" : ""
    let after = some(Int.random(in: 0...fraction, using: &self), &self)
    let before = some(Int.random(in: 1...whole, using: &self), &self)
    return sign + before + (after.isEmpty ? "" : "." + after)
  }
}
