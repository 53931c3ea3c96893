import ObjectModel
import TestSupport
import Testing

@Suite
struct PartitioningTests {
  private typealias Interval = PartitioningDescription.Interval

  @Test(arguments: [
    ("1 month", PartitioningDescription.Interval.time(1, .month)), ("24 months", .time(24, .month)),
    ("1 hour", .time(1, .hour)), ("90 days", .time(90, .day)), ("2 weeks", .time(2, .week)),
    ("1000000 years", .time(1_000_000, .year)), ("1000000", .integers(1_000_000)),
    ("10000000000000000", .integers(10_000_000_000_000_000)), ("1", .integers(1)),
  ])
  func `an interval is read as it is written`(
    text: String,
    interval: PartitioningDescription.Interval
  ) {
    #expect(Interval(text) == interval)
    #expect(interval.description == text)
  }

  @Test(arguments: [
    "", " ", "month", "0", "0 months", "01", "-1", "+1", "1.5", "1 ", " 1", "1  month",
    "1 fortnight",
    "1 Month", "1 month ago", "1000001 hours", "10000000000000001", "99999999999999999999999", "١",
    "1 months\0", "1\u{301} month", "1 month\u{301}", "1_000", "1e3", "P1M",
  ])
  func `anything else is no interval`(text: String) {
    #expect(Interval(text) == nil)
  }

  @Test
  func `either number of a unit is read`() {
    #expect(Interval("1 months") == .time(1, .month))
    #expect(Interval("2 month") == .time(2, .month))
  }

  private static let lengths: [(String, String, Bool?)] = [
    ("1 month", "1 month", false), ("12 months", "1 year", false), ("365 days", "1 year", false),
    ("11 months", "1 year", true), ("27 days", "1 month", true), ("23 hours", "1 day", true),
    ("4 weeks", "1 month", false), ("9", "10", true), ("10", "10", false), ("1", "1 hour", nil),
    ("1 hour", "1", nil),
  ]

  @Test(arguments: lengths)
  func `months and years have no length of their own`(
    one: String,
    other: String,
    isShorter: Bool?
  ) throws {
    let one = try #require(Interval(one))
    let other = try #require(Interval(other))

    #expect(one.isShorter(than: other) == isShorter)
    #expect(Interval.time(.max, .year).isShorter(than: .time(.max, .hour)) == false)
    #expect(!Interval.time(.min, .year).isInBounds)
  }

  @Test(arguments: [
    ("range(placed)", PartitionKey.range("placed")), ("list(region)", .list("region")),
    ("hash(_id, 16)", .hash(nil, 16)), ("hash(\"_id\", 16)", .hash("_id", 16)),
    ("hash(customer, 2)", .hash("customer", 2)), ("range(_id)", .range("_id")),
    ("list(\"a, b\")", .list("a, b")), ("range(\"größe\")", .range("größe")),
    ("range(\"say \"\"x\"\"\")", .range("say \"x\"")), ("hash(\"a)\", 3)", .hash("a)", 3)),
    ("hash(x, -1)", .hash("x", -1)),
  ])
  func `a method is read as it is written`(text: String, key: PartitionKey) {
    #expect(PartitionKey(text) == key)
    #expect(key.description == text)
  }

  @Test(arguments: [
    "", "range", "range(", "range()", "range(a, b)", "list()", "list(\"\")", "hash(_id)",
    "hash(_id, x)", "hash(_id, 16, 2)", "hash(, 16)", "hash(_id, 99999999999999999999)",
    "range(\"a)", "Range(a)", "range(a) ", "expression(a)", ")(", "range(a)\u{301}",
  ])
  func `anything else is no method`(text: String) {
    #expect(PartitionKey(text) == nil)
  }

  private static let everyMethod: [PartitioningDescription] = [
    .init(.range(attribute: "a", every: .time(1, .month))),
    .init(.range(attribute: "a", every: .integers(10)), ahead: 5, retention: .integers(100)),
    .init(.list(attribute: "a", values: nil)),
    .init(.list(attribute: "a", values: ["x", "", "a, b"])),
    .init(.hash(attribute: nil, partitions: 16)), .init(.hash(attribute: "_id", partitions: 2)),
  ]

  @Test(arguments: everyMethod)
  func `an archive keeps how a table is partitioned`(partitioning: PartitioningDescription) throws {
    let model = ManagedObjectModel(entities: [.init(name: "A", partitioning: partitioning)])

    let text = try ModelArchive.text(of: model)

    #expect(try ModelArchive.model(from: text) == model)
    #expect(text.contains("\"by\":"))
  }

  @Test(arguments: [
    #"{"by":"range(a)"}"#, #"{"by":"list(a)","every":"1 month"}"#, #"{"by":"hash(a)"}"#,
    #"{"by":"hash(_id, 16)","values":[]}"#, #"{"by":"range(a)","every":"0 months"}"#, "{}",
  ])
  func `an archive with another partitioning is damaged`(partitioning: String) {
    let text = #"{"entities":[{"name":"A","partitioning":\#(partitioning)}]}"#

    #expect(throws: DecodingError.self) { try ModelArchive.model(from: text) }
  }

  @Test
  func `the attribute can get another name, and stays where there has to be one`() {
    let renamed = Self.everyMethod.map { partitioning in
      var partitioning = partitioning
      partitioning.attributeName = "b"
      return partitioning.description
    }
    let none = Self.everyMethod.map { partitioning in
      var partitioning = partitioning
      partitioning.attributeName = nil
      return partitioning.attributeName
    }

    #expect(
      renamed == [
        "range(b), every: 1 month, ahead: 3", "range(b), every: 10, ahead: 5, keep: 100", "list(b)",
        "list(b), values: x, \"\", \"a, b\"", "hash(b, 16)", "hash(b, 2)",
      ]
    )
    #expect(none == ["a", "a", "a", "a", nil, nil])
  }
}
