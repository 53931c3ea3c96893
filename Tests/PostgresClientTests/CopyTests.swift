import PostgresClient
import SQLSyntax
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct CopyTests {
  private func withTable(
    _ columns: SQLFragment = "n bigint, value text",
    _ body: (borrowing PostgresConnection, _ url: String) throws -> Void
  ) async throws {
    try await TestServer.withDatabase { url in
      let connection = try PostgresConnection(to: .url(url))
      try connection.prepareSession()
      try connection.execute("CREATE TABLE public.t (\(columns))")
      try body(connection, url)
    }
  }

  private static let values: [String?] = [
    nil, "", "\\N", "\\", "\\\\N", "\\.", "a\tb", "a\nb", "a\rb\r\n", "\u{8}\u{B}\u{C}\u{7F}\u{1}",
    "\\t\\n\\x41\\101", "tab at the end\t", "\t", "\n", "Ünï—cödé 🦆", "\"quoted\", 'quoted'",
    "NULL",
    String(repeating: "long\\\t", count: 30_000),
  ]

  @Test
  func `every text is returned unchanged`() async throws {
    try await withTable { connection, _ in
      let count = try connection.copyIn("COPY public.t (n, value) FROM STDIN") { writer in
        for (number, value) in Self.values.enumerated() {
          try writer.write([String(number), value])
        }
      }
      let queried = try connection.query("SELECT value FROM public.t ORDER BY n").rows.map(\.first)
      var copied: [String?] = []
      let rows = try connection.copyOut(
        "COPY (SELECT n, value FROM public.t ORDER BY n) TO STDOUT"
      ) { row in
        #expect(row.count == 2)
        #expect(row[0] == String(copied.count))
        copied.append(row[1])
      }

      #expect(count == Self.values.count)
      #expect(rows == Self.values.count)
      #expect(queried == Self.values.map(Optional.some))
      #expect(copied == Self.values)
    }
  }

  @Test
  func `a table with a single column can have empty texts`() async throws {
    try await withTable("value text") { connection, _ in
      let values: [String?] = ["", nil, "\\.", ""]
      try connection.copyIn("COPY public.t FROM STDIN") { writer in
        for value in values { try writer.write([value]) }
      }
      var copied: [String?] = []
      try connection.copyOut("COPY public.t TO STDOUT") { copied.append($0[0]) }

      #expect(copied == values)
    }
  }

  @Test(arguments: [
    ("a\\bb\\fc\\nd\\re\\tf\\vg", "a\u{8}b\u{C}c\nd\re\tf\u{B}g"), ("\\x41\\x4aZ\\xgg", "AJZxgg"),
    ("\\101\\60\\7", "A0\u{7}"), ("\\\\N", "\\N"), ("\\.", "."), ("a\\", "a\\"), ("\\q", "q"),
  ])
  func `every escape of the format is read`(line: String, value: String) {
    #expect(CopyRow(line: line.utf8)[0] == value)
  }

  @Test
  func `NULL is not the text that stands for it`() {
    let row = CopyRow(line: "\\N\t\\\\N\t\t\\N ".utf8)

    #expect(row.count == 4)
    #expect((0..<4).map { row[$0] } == [nil, "\\N", "", "N "])
  }

  @Test(.sampled(oneIn: 3))
  func `many rows need no more memory than a few`() async throws {
    try await withTable { connection, _ in
      let before = try residentBytes()
      var count = 0
      var peak = before
      let text = String(repeating: "x", count: 500)

      try connection.copyIn("COPY public.t FROM STDIN") { writer in
        for number in 0..<60_000 {
          try writer.write([String(number), text])
          if number.isMultiple(of: 5_000) { peak = max(peak, try residentBytes()) }
        }
      }
      try connection.copyOut("COPY public.t TO STDOUT") { row in
        count += 1
        if count.isMultiple(of: 5_000) { peak = max(peak, try residentBytes()) }
      }

      #expect(count == 60_000)
      // The rows are 30 MB, and twice as much as Swift keeps them.
      #expect(peak - before < 30_000_000)
    }
  }

  /// What this process has in memory.
  private func residentBytes() throws -> Int {
    #if os(Linux)
    let status = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
    return (status.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 4096
    #else
    return 0
    #endif
  }

  // MARK: - Errors

  @Test
  func `a row that the server refuses is named by its line`() async throws {
    try await withTable { connection, _ in
      let error = #expect(throws: PostgresError.self) {
        try connection.copyIn("COPY public.t (n, value) FROM STDIN") { writer in
          for number in 1...100_000 {
            try writer.write([number == 777 ? "x" : "\(number)", "text"])
          }
        }
      }

      #expect(error?.sqlState == "22P02")
      #expect(error?.copiedLine(ofTable: "t") == 777)
      #expect(error?.statement == "COPY public.t (n, value) FROM STDIN")
      #expect(connection.transactionStatus == .idle)
      let left = try connection.query("SELECT count(*) FROM public.t").value
      #expect(left == "0")
    }
  }

  @Test
  func `an error of the server in the middle of reading is thrown`() async throws {
    try await withTable { connection, _ in
      var rows = 0
      let error = #expect(throws: PostgresError.self) {
        try connection.copyOut(
          "COPY (SELECT 1 / (5000 - n) FROM generate_series(1, 10000) AS n) TO STDOUT"
        ) { _ in rows += 1 }
      }

      #expect(error?.sqlState == "22012")
      #expect(rows == 4999)
      let one = try connection.query("SELECT 1 AS one").value
      #expect(one == "1")
    }
  }

  @Test
  func `an error before the server reads a row leaves the connection in step`() async throws {
    try await withTable { connection, _ in
      try connection.execute(
        """
        CREATE FUNCTION public.refuse() RETURNS trigger LANGUAGE plpgsql
        AS 'BEGIN RAISE EXCEPTION ''no rows, please''; END';
        CREATE TRIGGER refuse BEFORE INSERT ON public.t
        FOR EACH STATEMENT EXECUTE FUNCTION public.refuse()
        """
      )

      let error = #expect(throws: PostgresError.self) {
        try connection.copyIn("COPY public.t FROM STDIN") { writer in
          for number in 0..<20_000 { try writer.write([String(number), "text"]) }
        }
      }

      #expect(error?.message == "no rows, please")
      for _ in 1...3 {
        let left = try connection.query("SELECT count(*) FROM public.t").value
        #expect(left == "0")
      }
    }
  }

  @Test
  func `a value with a null byte is refused before it is sent`() async throws {
    try await withTable { connection, _ in
      let error = #expect(throws: PostgresError.self) {
        try connection.copyIn("COPY public.t FROM STDIN") { try $0.write(["1", "a\0b"]) }
      }

      #expect(error?.sqlState == .characterNotInRepertoire)
      let left = try connection.query("SELECT count(*) FROM public.t").value
      #expect(left == "0")
    }
  }

  private struct Stop: Error {}

  @Test
  func `an error of the caller ends the copy either way`() async throws {
    try await withTable { connection, _ in
      #expect(throws: Stop.self) {
        try connection.copyIn("COPY public.t FROM STDIN") { writer in
          try writer.write(["1", "a"])
          throw Stop()
        }
      }
      let left = try connection.query("SELECT count(*) FROM public.t").value
      #expect(left == "0")
      #expect(throws: Stop.self) {
        try connection.copyOut("COPY (SELECT generate_series(1, 100000000)) TO STDOUT") {
          _ in
          throw Stop()
        }
      }
      let one = try connection.query("SELECT 1 AS one").value
      #expect(one == "1")
    }
  }

  @Test
  func `reading is cancelled from outside`() async throws {
    try await withTable { connection, _ in
      let canceller = connection.canceller
      var rows = 0
      let error = #expect(throws: PostgresError.self) {
        try connection.copyOut("COPY (SELECT generate_series(1, 100000000)) TO STDOUT") {
          _ in
          rows += 1
          if rows == 1000 { canceller.cancel() }
        }
      }

      #expect(error?.sqlState == .queryCanceled)
      #expect(rows < 10_000_000)
      let one = try connection.query("SELECT 1 AS one").value
      #expect(one == "1")
    }
  }

  @Test
  func `writing is cancelled from outside`() async throws {
    try await withTable { connection, _ in
      let canceller = connection.canceller
      let error = #expect(throws: PostgresError.self) {
        try connection.copyIn("COPY public.t FROM STDIN") { writer in
          for number in 0..<1_000_000 {
            try writer.write([String(number), "text"])
            if number == 1000 { canceller.cancel() }
          }
        }
      }

      #expect(error?.sqlState == .queryCanceled)
      let left = try connection.query("SELECT count(*) FROM public.t").value
      #expect(left == "0")
    }
  }

  @Test
  func `a lost connection is reported as such`() async throws {
    try await withTable { connection, url in
      let pid = SQLLiteral.integer(Int64(connection.backendPID))
      let error = #expect(throws: PostgresError.self) {
        try connection.copyIn("COPY public.t FROM STDIN") { writer in
          try writer.write(["1", "a"])
          let other = try PostgresConnection(to: .url(url))
          try other.query("SELECT pg_terminate_backend(\(pid), 5000)")
          for number in 2..<1_000_000 { try writer.write([String(number), "text"]) }
        }
      }

      #expect(error?.kind == .connectionLost)
    }
  }

  @Test
  func `what is no copy is refused`() async throws {
    try await withTable { connection, _ in
      #expect(throws: PostgresError.self) { try connection.copyOut("SELECT 1") { _ in } }
      #expect(throws: PostgresError.self) {
        try connection.copyOut("COPY public.t FROM STDIN") { _ in }
      }
      #expect(throws: PostgresError.self) {
        try connection.copyIn("COPY public.t TO STDOUT") { _ in }
      }
      let error = #expect(throws: PostgresError.self) {
        try connection.copyIn("COPY public.nothing FROM STDIN") { _ in }
      }
      #expect(error?.sqlState == .undefinedTable)
      let one = try connection.query("SELECT 1 AS one").value
      #expect(one == "1")
    }
  }
}
