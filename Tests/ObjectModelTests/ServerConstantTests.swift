import ObjectModel
import Testing

@Suite
struct ServerConstantTests {
  static let constants: [(type: AttributeType, good: [String], bad: [String])] = [
    (
      .json,
      ["null", " {\"a\": [1, -0.5e3, true]} ", "\"\\u00e4\\ud83d\\ude00\"", "[]", "0", "{}"],
      [
        "", "{", "{a: 1}", "[1,]", "01", "\"\\u0000\"", "\"\\ud83d\"", "1 2", "'a'", "\"a\nb\"",
        "1e9999",
      ]
    ),
    (
      .calendarDate, ["2024-02-29", "0001-01-01", "9999-12-31", "infinity", "-infinity"],
      ["2023-02-29", "today", "2024-13-01", "24-01-01", "0000-01-01", "", "2024-1-1"]
    ),
    (
      .time, ["00:00", "23:59:59.999999", "24:00", "24:00:00", "12:30:00.5"],
      ["24:00:01", "12", "12:60", "1:00", "12:00:60", "now", "24:00:00.5", "12:30:00."]
    ),
    (
      .interval,
      [
        "1 day", "-3 mons", "1.5 hours", "1 year 2 months 3 days 04:05:06.5", "-02:00", "00:00:00",
        "P1DT2H", "P1Y-2M3.5D", "PT0.5S", "P2W",
      ],
      [
        "", "1", "day", "1 day 2 days", "1 hour 02:00", "1 fortnight", "1 sec 2 seconds", "1 day 2",
        "P", "P1", "PT", "P1DT", "P1H", "P1D2Y", "1DT2H", "p1d",
      ]
    ),
    (
      .range(.int4range), ["empty", "[1,3)", "(,)", "[-5, 5]", "[1,1]", "(2147483646,2147483647)"],
      ["", "1,2", "[1]", "[2,1]", "[1,2,3]", "[a,b]", "[1,2147483647]", "[ ,1]", "[1,2"]
    ),
    (
      .range(.daterange), ["[2024-02-29,infinity)", "[\"2024-01-01\",)"],
      ["[2023-02-29,)", "[2024-02-01,2024-01-01)", "[today,)"]
    ),
    (
      .range(.tstzrange), ["[2024-01-01 10:00Z,2024-01-01T12:00:00.5Z)"],
      [
        "[2024-01-01 10:00+16,)", "[2024-01-01 10:00:00.,)",
        "[2024-01-01 10:00Z,2024-01-01 09:59Z)",
      ]
    ),
    (.range(.tsrange), ["[2024-01-01 10:00,)"], ["[2024-01-01 10:00Z,)"]),
    (.range(.numrange), ["[0.5,1e3]", "[1.10,1.10]"], ["[x,)", "[2,1.5]"]),
    (.textSearch, [], ["a"]),
    (
      .inet, ["10.0.0.1", "10.0.0.0/8", "::1", "::", "fe80::1/64", "1:2:3:4:5:6:7:8", "0.0.0.0/0"],
      ["10.0.0", "256.0.0.1", "10.0.0.0/33", "1:2", ":::", "1::2::3", "g::1", "::1/129", ""]
    ),
    (
      .array(.integer16), ["{}", "{1,NULL}", "{{1,2},{3,4}}", "{-5, 6}"],
      ["", "1,2", "{1,}", "{a}", "{70000}", "{1.0}", "{{1},{2,3}}", "{1}x", "{{}}"]
    ),
    (.array(.varchar(2)), ["{ab}", "{\"\"}", "{\"a\\\"\"}"], ["{abc}", "{\"a}", "{\"abc\"}"]),
    (.array(.string), ["{\"a b\",c}", "{\"{\",\"\\\\\"}"], ["{,}", "{a\"b}"]),
    (.array(.calendarDate), ["{2024-02-29}"], ["{2023-02-29}"]),
  ]

  @Test(arguments: constants.indices)
  func `a constant is one that every server reads`(index: Int) {
    let (type, good, bad) = Self.constants[index]
    for text in good { #expect(AttributeValue(text, of: type) == .text(text), "\(type) \(text)") }
    for text in bad { #expect(AttributeValue(text, of: type) == nil, "\(type) \(text)") }
  }
}
