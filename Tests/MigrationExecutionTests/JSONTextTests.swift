import Testing

@testable import MigrationExecution

/// Objects of strings, as a catalog has one for each of its objects.
@Suite
struct JSONTextTests {
  @Test(arguments: [
    "{}", "{ }", #"{"type": "bigint", "identity": null}"#, #"{"a":"ä, {b}: \u0001","c":"d"} "#,
    #"{"definition": "CREATE INDEX \"a\" ON b\n\\ (c)", "x": null}"#, #"{"a": "", "b": "null"}"#,
    #"  {"a" : "b" , "c" : null}"#,
  ])
  func `members are those that a decoder reads`(_ text: String) throws {
    #expect(try JSONText.texts(in: text) == JSONText.value([String: String?].self, in: text))
  }

  @Test(arguments: [
    "", "{", #"{"a"}"#, #"{"a": 1}"#, #"{"a": "b""#, #"{"a": "b"} x"#, #"["a"]"#, "null",
    #"{"a": nul}"#, #"{"a": {"b": "c"}}"#, "{\"a\": \"\u{1}\"}", #"{"a": "b", "c"}"#,
  ])
  func `anything else is a fault`(_ text: String) {
    #expect(throws: (any Error).self) { try JSONText.texts(in: text) }
  }
}
