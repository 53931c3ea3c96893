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

  @Test
  func `no text has a command of GitHub's runner`() {
    #expect(JSONValue.string("#[##[###[error]").line == ##""#[##\u005b###\u005berror]""##)
  }

  @Test
  func `keys are merged in lists of the same length, too`() {
    let first: JSONObject = ["a": [["x": 1], ["x": 2]] as JSONValue, "b": nil as String?, "c": 1]
    let second: JSONObject = ["a": [["y": 3], ["x": 4]] as JSONValue, "b": "d"]

    #expect(
      first.merging(second).jsonValue
        == ["a": [["x": 1, "y": 3], ["x": 4]], "b": "d", "c": 1]
    )
  }
}
