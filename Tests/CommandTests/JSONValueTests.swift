import Testing

@testable import RemodelCommands

@Suite
struct JSONValueTests {
  @Test
  func `keys are in order`() {
    let value: JSONValue = ["b": 1, "a": [true, nil], "c": [:], "d": []]

    #expect(
      value.text == """
        {
          "a": [
            true,
            null
          ],
          "b": 1,
          "c": {},
          "d": []
        }
        """
    )
    #expect(value.line == #"{"a":[true,null],"b":1,"c":{},"d":[]}"#)
  }

  @Test
  func `texts are escaped`() {
    #expect(JSONValue.string("a\"\\\n\t\u{1}é🐘/").line == #""a\"\\\n\t\u0001é🐘/""#)
  }
}
