import ObjectModel
import PostgresClient
import SQLSyntax
import TestSupport
import Testing

@testable import MigrationPlanning

/// Whatever passes for a constant without a server, the server takes.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct ServerConstantTests {
  private static let pieces: [(type: AttributeType, pieces: [String])] = [
    (
      .json,
      ["{", "}", "[", "]", "\"a\"", ":", ",", "1", "-", ".5", "e9", "null", "\\u00e4", " ", "\""]
    ),
    (.calendarDate, ["2024", "-", "02", "29", "31", "infinity", "0001", "12"]),
    (.time, ["24", ":", "00", "59", ".5", "12", "60", ".999999"]),
    (
      .interval,
      ["1", " ", "day", "s", "hour", "-", "02:30", ":15.5", "month", "week", "decade", "min"]
    ),
    (.interval, ["P", "T", "1", "-2", ".5", "Y", "M", "D", "H", "S", "W"]),
    (
      .range(.int4range),
      ["[", "(", "1", "2", "-", "2147483647", ",", "]", ")", "empty", " ", "\""]
    ),
    (.range(.int8range), ["[", "(", "9223372036854775807", "+5", "-", ",", "]", ")", "x"]),
    (.range(.numrange), ["[", "(", "1", ".5", "e2", "-", ",", "]", ")", " "]),
    (.range(.daterange), ["[", "(2024-02-29", "2024-03-01", "-infinity", ",", "]", ")", "30"]),
    (
      .range(.tsrange),
      ["[", "(", "2024-02-29", " 10:00", "T11:00:00", ".5", ",", ",", "]", ")", "infinity"]
    ),
    (
      .range(.tstzrange),
      ["[", "(2024-02-29", "2024-03-01 10:00", "Z", "+02", "-23", ":30", ",", ")", "]", ".25"]
    ),
    (.inet, ["10", ".", "0", "255", "/", "8", ":", "::", "fe80", "128", "1"]),
    (.array(.integer32), ["{", "}", ",", "1", "-2", "NULL", "\"3\"", " "]),
    (.array(.string), ["{", "}", ",", "a", "\"", "\\", " ", "null", "b c"]),
  ]

  @Test(arguments: pieces.indices)
  func `the server reads every constant that passes`(index: Int) async throws {
    let (type, pieces) = Self.pieces[index]
    var random = SeededGenerator(seed: UInt64(index) + 1)
    try await TestServer.withDatabase { url in
      let connection = try PostgresConnection(to: .url(url))
      let columnType = try #require(type.columnType)
      var count = 0
      for _ in 0..<60_000 {
        let length = Int.random(in: 1...7, using: &random)
        let text = (0..<length).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
        guard AttributeValue(text, of: type) != nil else { continue }
        count += 1
        #expect(throws: Never.self, "\(type): \(text)") {
          try connection.execute("SELECT \(SQLLiteral.typed(text, columnType))")
        }
      }
      #expect(count > 20)
    }
  }
}
