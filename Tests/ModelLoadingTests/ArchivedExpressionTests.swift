import TestSupport
import Testing

@testable import ModelLoading

@Suite
struct ArchivedExpressionTests {
  @Test(arguments: [
    (ArchiveSamples.size, "$source.#size"),
    (ArchiveSamples.text, #""a \"quoted\" \n é 日""#),
    (ArchiveSamples.yes, "YES"),
    (ArchiveSamples.two, "2"),
    (ArchiveSamples.real, "1.5"),
    (ArchiveSamples.add, "(3 + 4)"),
    (ArchiveSamples.policy, "FUNCTION($entityPolicy, \"migrateIdentifier\")"),
  ])
  func `an archived expression becomes its text`(archive: String, text: String) throws {
    let expression = try ArchivedExpression(base64: archive)

    #expect(expression.text == text)
  }

  @Test
  func `objects that contain each other end with a message`() {
    #expect(throws: ArchivedExpression.Fault.tooDeep) {
      try ArchivedExpression(base64: ArchiveSamples.cycle)
    }
  }

  @Test
  func `classes that there are no words for are named`() {
    #expect(throws: ArchivedExpression.Fault.unrecognizedClass("NSBlockExpression")) {
      try ArchivedExpression(base64: ArchiveSamples.unknown)
    }
  }

  @Test(arguments: ["", "a", "====", "AA==A", "ä", "YnBsaXN0MDA="])
  func `what is no archive is refused`(text: String) {
    #expect(throws: ArchivedExpression.Fault.self) { try ArchivedExpression(base64: text) }
  }

  /// Whatever is cut off or changed, reading ends, and never outside of the bytes.
  @Test(
    arguments: RandomCases.one(
      in: 3,
      of: [ArchiveSamples.size, ArchiveSamples.text, ArchiveSamples.cycle]
    )
  )
  func `damaged archives end with a message or a text`(archive: String) throws {
    let whole = try #require(bytes(ofBase64: archive))
    var refused = 0
    var read = 0

    func attempt(_ bytes: [UInt8]) {
      do {
        let list = try KeyedArchive(bytes)
        _ = list.texts
        read += 1
      } catch {
        refused += 1
      }
      _ = try? ArchivedExpression(base64: base64(bytes))
    }
    for count in 0..<whole.count { attempt(Array(whole.prefix(count))) }
    for index in whole.indices {
      for value: UInt8 in [0x00, 0x0F, 0x13, 0x5F, 0x7F, 0xAF, 0xDF, 0xFF, whole[index] ^ 1] {
        var damaged = whole
        damaged[index] = value
        attempt(damaged)
      }
    }

    #expect(refused > whole.count)
    #expect(read > 0)
  }

  private func base64(_ bytes: [UInt8]) -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    var text = ""
    var position = 0
    while position < bytes.count {
      let group = bytes[position...].prefix(3)
      var bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      bits <<= UInt32(8 * (3 - group.count))
      for index in 0...group.count {
        text.append(letters[Int(bits >> UInt32(18 - 6 * index) & 0x3F)])
      }
      text += String(repeating: "=", count: 3 - group.count)
      position += 3
    }
    return text
  }
}
