import ObjectModel
import Testing

@Suite
struct InstantTests {
  @Test(arguments: [
    ("2001-01-01", "0"), ("2001-01-01T00:00:00Z", "0"), ("2000-12-31T23:59:59Z", "-1"),
    ("2021-01-01T00:00:00Z", "631152000"), ("1970-01-01", "-978307200"),
    ("2024-02-29 12:30", "730902600"), ("2001-01-01T01:00:00+01:00", "0"),
    ("2001-01-01T00:00:00.250Z", "0.25"), ("2000-12-31T23:59:59.75Z", "-0.25"),
    ("2024-02-29 12:30:00.5+00", "730902600.5"), ("2001-01-01 02:00:00+02", "0"),
  ])
  func `an instant counts from 2001`(text: String, seconds: String) {
    #expect(secondsSince2001(text) == seconds)
  }

  @Test(arguments: [
    "", "2001", "2001-13-01", "2001-02-29", "2001-1-1", "2001-01-01T", "2001-01-01T25:00",
    "2001-01-01T00:00:00ZZ", "0000-01-01", "2001-01-01T00:00:00+1",
  ])
  func `what is no instant is refused`(text: String) {
    #expect(secondsSince2001(text) == nil)
  }
}
