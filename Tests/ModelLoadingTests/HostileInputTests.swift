import Diagnostics
import FoundationEssentials
import ModelLoading
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

@Suite(.timeLimit(.minutes(30)))
struct HostileInputTests {
  @Test(arguments: [
    "<!DOCTYPE model [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]><model><x>&b;</x></model>",
    "<!DOCTYPE model SYSTEM \"file:///etc/passwd\"><model/>",
    "<!DOCTYPE model [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><model>&x;</model>",
  ])
  func `document types are refused`(xml: String) {
    let found = complaints(xml: xml)

    #expect(found.count == 1)
    #expect(found[0].hasPrefix("contents:1:1: error: file has a document type declaration"))
  }

  @Test
  func `deep nesting is refused`() {
    let deep = String(repeating: "<a>", count: 100_000)
    let list = "remodel: " + String(repeating: "[", count: 100_000)
    let mapping = "remodel: " + String(repeating: "{a: ", count: 100_000)
    let blocks = (0..<5000).map { String(repeating: " ", count: $0) + "a:\n" }.joined()

    #expect(complaints(xml: "<model>" + deep)[0].contains("nested more than 64 deep"))
    #expect(complaints(yaml: list)[0].contains("nested more than 64 deep"))
    #expect(complaints(yaml: mapping)[0].contains("nested more than 64 deep"))
    #expect(complaints(yaml: blocks)[0].contains("nested more than 64 deep"))
  }

  @Test(arguments: [
    ([0xFF, 0xFE, 0x3C, 0x00], "file is in UTF-16"),
    ([0x3C, 0x6D, 0xC3, 0x28], "file is not valid UTF-8"),
    ([0x00], "malformed XML: unclosed token"),
  ])
  func `other encodings are refused`(bytes: [UInt8], message: String) {
    let error = #expect(throws: ModelLoadingError.self) {
      try ModelLoader.load(xml: bytes, path: "contents")
    }

    #expect(error?.diagnostics.map(\.message) == [message])
  }

  @Test
  func `aliases are refused and not expanded`() {
    let levels = (1...30).map { "l\($0): &l\($0) [*l\($0 - 1), *l\($0 - 1)]" }
    let yaml = "remodel: 1\nl0: &l0 [x]\n" + levels.joined(separator: "\n")

    #expect(complaints(yaml: yaml).contains { $0.contains("aliases are not supported") })
  }

  @Test
  func `what is no file of a reasonable size is refused at once`() throws {
    try withTemporaryFolder { folder in
      let large = "\(folder)/large.yaml"
      try write(["large.yaml": ""], in: folder)
      #expect(truncate(large, 200 << 20) == 0)
      let pipe = "\(folder)/pipe.yaml"
      #expect(mkfifo(pipe, 0o600) == 0)

      for (path, message) in [
        (large, "file \"\(large)\" is too large"),
        (pipe, "\"\(pipe)\" is not a regular file"),
        (folder, "\"\(folder)\" is not a regular file"),
        ("/dev/zero", "\"/dev/zero\" is not a regular file"),
      ] {
        let error = #expect(throws: ModelLoadingError.self) { try ModelLoader.load(path) }

        #expect(error?.diagnostics.map(\.message) == [message])
      }
    }
  }

  @Test
  func `many faults are reported in little time`() {
    let entities = (0..<5000).map { "<entity name=\"E\($0)\" parentEntity=\"X\($0)\"/>" }
    let attributes = (0..<5000).map { "a\($0)=\"\"" }.joined(separator: " ")
    let types = (0..<2000).map { "  E\($0): { attributes: { x: txt } }\n" }

    #expect(complaints(xml: "<model>\(entities.joined())</model>").count == 5000)
    #expect(complaints(xml: model("<entity name=\"A\" \(attributes)/>")).count == 5000)
    #expect(complaints(yaml: "remodel: 1\nentities:\n\(types.joined())").count == 2000)
  }

  @Test(arguments: ["fetchIndex", "fetchedProperty"])
  func `what belongs to an entity is left out elsewhere, and what is left can be written`(
    name: String
  ) throws {
    let xml = "<model><\(name) name=\"a\"/></model>"

    let loaded = try ModelLoader.load(xml: Array(xml.utf8), path: "contents")

    #expect(loaded.warnings.map(\.message) == ["\(name) outside of an entity is left out"])
    #expect(throws: Never.self) { try ModelForm.xcode.text(of: loaded.model, named: "a") }
  }

  @Test
  func `truncated files never crash`() {
    let xml = Array(Samples.xml.utf8)
    let yaml = Array(Samples.yaml.utf8)

    for length in stride(from: 0, to: xml.count, by: 7) {
      expectAnAnswer { try ModelLoader.load(xml: Array(xml[..<length]), path: "x") }
    }
    for length in stride(from: 0, to: yaml.count, by: 7) {
      expectAnAnswer { try ModelLoader.load(yaml: Array(yaml[..<length]), path: "x") }
    }
  }

  @Test(arguments: 1...8)
  func `damaged files never crash`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<150 {
      var xml = Array(Samples.xml.utf8)
      var yaml = Array(Samples.yaml.utf8)
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        damage(&xml, using: &random)
        damage(&yaml, using: &random)
      }

      expectAnAnswer { try ModelLoader.load(xml: xml, path: "x") }
      expectAnAnswer { try ModelLoader.load(yaml: yaml, path: "x") }
    }
  }

  private func damage(_ bytes: inout [UInt8], using random: inout SeededGenerator) {
    guard let index = bytes.indices.randomElement(using: &random) else { return }
    switch Int.random(in: 0..<3, using: &random) {
    case 0: bytes[index] = UInt8.random(in: 0x20..<0x7F, using: &random)
    case 1: bytes.remove(at: index)
    default: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    }
  }

  /// Either a model or complaints, which have places inside the file.
  private func expectAnAnswer(_ load: () throws -> LoadedModel) {
    do {
      _ = try load()
    } catch let error as ModelLoadingError {
      #expect(error.diagnostics.contains { $0.severity == .error })
      #expect(error.diagnostics.allSatisfy { ($0.location?.line ?? 0) > 0 })
    } catch {
      Issue.record(error)
    }
  }
}

/// The same sequence for a seed, on every machine.
private struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// SplitMix64.
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
