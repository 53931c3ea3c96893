import RemodelKit
import TestSupport
import Testing

@Suite
struct MarkupTests {
  @Test(arguments: [
    "<script>alert(1)</script>", "\" onload=\"alert(1)", "' x='", "a & b &amp; c", "]]>", "<!--",
    "日本 😀 e\u{301}", "</style></svg>", "{}\\",
    "<\u{301}b>", "\"\u{301}", "&\u{20E3}amp;", "\"\u{20E3} onload=\"a",
  ])
  func `a text is shown as it is, between tags and in quotes`(text: String) throws {
    let tree = try MarkupTree(("<p title=\"\(text)\">\(text)</p>" as Markup).text)

    #expect(tree.text == text)
    #expect(tree.attributes == ["title": text])
    #expect(tree.children.isEmpty)
  }

  @Test
  func `any text gives well-formed markup`() throws {
    for seed in 1...200 {
      var generator = SeededGenerator(seed: UInt64(seed))
      var text = ""
      for _ in 0..<40 {
        let range: ClosedRange<UInt32> = generator.once(in: 2) ? 0...0x7F : 0...0x2_FFFF
        if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &generator)) {
          text.unicodeScalars.append(scalar)
        }
      }
      let markup: Markup = "<a b=\"\(text)\">\(text)</a>"
      #expect(throws: Never.self, "seed \(seed)") { try MarkupTree(markup.text) }
    }
  }

  @Test
  func `what would turn or hide other letters stands as a number`() throws {
    let tree = try MarkupTree(("<p>\("a\u{202E}b\u{0}c\u{200B}")</p>" as Markup).text)

    #expect(tree.text == "a\u{27E8}U+202E\u{27E9}b\u{27E8}U+0\u{27E9}c\u{27E8}U+200B\u{27E9}")
  }

  @Test
  func `markup in markup stays what it is`() {
    let inner: Markup = "<b>\("<")</b>"

    #expect(("<p>\(inner)\([inner, inner])\(3)</p>" as Markup).text.contains("<b>&lt;</b>"))
    #expect([inner, "x", inner].joined(separator: ", ").text == "<b>&lt;</b>, x, <b>&lt;</b>")
  }
}
