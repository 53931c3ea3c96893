import Diagnostics
import Testing

@testable import PostgresClient

/// Passwords and values that begin with combining marks, which belong to the sign before them to Swift.
@Suite
struct HiddenSignTests {
  private static let marks = ["", "\u{301}", "\u{200D}", "\u{FE0F}"]

  @Test(arguments: marks)
  func `no password is shown`(mark: String) {
    for text in [
      "x password=\(mark)hunter2 end", "x password='\(mark)hunter2' end",
      "x postgresql://u:\(mark)hunter2@h/d end", "x ://\(mark)u:\(mark)hunter2@\(mark)h end",
      "password=\(mark)hunter2 password=\(mark)hunter2 ://a:\(mark)hunter2@b ://c:hunter2@d end",
    ] {
      let shown = text.withoutPasswords
      #expect(!shown.unicodeScalars.contains("hunter2".unicodeScalars), "\(shown)")
      #expect(shown.hasSuffix("end"))
    }
    #expect("password='a b' c".withoutPasswords == "password='…' c")
    #expect("a://u:p@h/d?x=1".withoutPasswords == "a://u:…@h/d?x=1")
    #expect("a://h/d u@v".withoutPasswords == "a://h/d u@v")
  }

  @Test(arguments: marks)
  func `no value of a row is shown`(mark: String) {
    var duplicate = PostgresError(.server, "duplicate key", sqlState: .uniqueViolation)
    duplicate.detail = "Key (name)=(\(mark)hunter2) already exists."
    let unusable = PostgresError(
      .server,
      "invalid input syntax for type integer: \"\(mark)hunter2\"\(mark)",
      sqlState: SQLState(rawValue: "22P02")
    )

    for error in [duplicate, unusable] {
      let text = error.diagnostics.flatMap { [$0.message, $0.detail ?? ""] }.joined()
      #expect(!text.unicodeScalars.contains("hunter2".unicodeScalars), "\(text)")
    }
  }

  @Test(arguments: marks)
  func `a URL with another at sign is refused`(mark: String) {
    #expect(throws: PostgresError.self) {
      try ConnectionSource.url("postgresql://u:p@\(mark)x@\(mark)h/d").validate()
    }
  }
}
