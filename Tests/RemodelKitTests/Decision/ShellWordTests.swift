import Subprocess
import TestSupport
import Testing

@testable import RemodelKit

/// Words of the calls that people copy.
@Suite(.timeLimit(.minutes(30)))
struct ShellWordTests {
  private static let hostile = [
    "", " ", "'", "''", "'\u{301}; touch x; '", "a'\u{301}$(touch x)'\u{301}b", "\\'; touch x #",
    "\\",
    "\\\\'", "-1", "--to=-1", "--=;x", "=ls", "~", "*", "!!", "a\nb", "\r", "\t", "\u{1B}]0;O\u{7}",
    "\u{202E}'; touch x; '", "\u{9B}31m'", "\u{200B}", "\u{2028}'", "\u{A0}", "'\u{FE0F}",
    "e\u{301}\u{302}",
    "\u{301}", "'\u{20DD}\n'", "$'a'", "`id`\n", "%s%n\n", "\u{115F}", "\u{E000}", "👩‍👩‍👧'", "日本",
    "\u{7F}1",
    "\n'; touch x #", "a ##[error]b", "##[##[", "\n##[x", "#'#[", "\\\n'", "1\u{301}", "\u{1}7",
  ]

  private static func random(_ seed: UInt64) -> String {
    var generator = SeededGenerator(seed: seed)
    let odd = Array("'\\\"$`!\n;\u{301}\u{202E}\u{9B}\u{FE0F} #-=07x".unicodeScalars)
    var text = ""
    for _ in 0..<Int.random(in: 0...12, using: &generator) {
      let any = Unicode.Scalar(UInt32.random(in: 1...0x2_FFFF, using: &generator))
      if let scalar = generator.once(in: 4) ? any : generator.pick(odd) {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  private static let words = hostile + (1...1_000).map(random)

  /// Returns what a shell makes of words, each with a line break after it, as bytes.
  private func read(_ words: [String], by shell: String) async throws -> [[UInt8]] {
    let script = "printf '%s\\0' \(words.map(\.quotedForShell).joined(separator: " "))"
    let result = try await Subprocess.run(
      .name(shell),
      arguments: ["-c", script],
      environment: .inherit.updating(["LC_ALL": "C.UTF-8"]),
      output: .bytes(limit: 1_000_000),
      error: .discarded
    )
    return result.standardOutput.split(separator: 0, omittingEmptySubsequences: false)
      .map(Array.init).dropLast()
  }

  @Test
  func `bash reads every word as it was`() async throws {
    let read = try await read(Self.words, by: "bash")

    #expect(read.count == Self.words.count)
    for (word, found) in zip(Self.words, read) {
      #expect(found == Array(word.utf8), "\(word.debugDescription): \(word.quotedForShell)")
    }
  }

  @Test
  func `a plainer shell reads one word for each, and those that are shown as they were`()
    async throws
  {
    let read = try await read(Self.words, by: "sh")

    #expect(read.count == Self.words.count)
    for (word, found) in zip(Self.words, read) where !word.quotedForShell.hasPrefix("$") {
      #expect(found == Array(word.utf8), "\(word.debugDescription): \(word.quotedForShell)")
    }
  }

  @Test
  func `a word has nothing that a terminal obeys or hides, and no text that joins a quote`() {
    for word in Self.words {
      let quoted = word.quotedForShell
      #expect(!quoted.contains("##["))
      #expect(
        quoted.unicodeScalars.allSatisfy {
          ![.control, .format, .lineSeparator, .paragraphSeparator]
            .contains($0.properties.generalCategory) && !$0.properties.isDefaultIgnorableCodePoint
        },
        "\(quoted.debugDescription)"
      )
      #expect(quoted.count(where: { $0 == "'" }) == quoted.utf8.count(where: { $0 == 0x27 }))
    }
    #expect("a\0b".quotedForShell == "ab")
    #expect("2024.1/x_y-z".quotedForShell == "2024.1/x_y-z")
    #expect("it's".quotedForShell == #"'it'\''s'"#)
    #expect("a\n'\\".quotedForShell == #"$'a\012\047\\'"#)
  }

  @Test
  func `values and operands with a dash are not taken for options`() {
    #expect(PlanCall.words("--to", "-1") == ["--to=-1"])
    #expect(PlanCall.words("--to", "1") == ["--to", "1"])
    #expect(["-1", "a b"].operandsForShell == "-- -1 'a b'")
    #expect(["1", "2"].operandsForShell == "1 2")
    let call = PlanCall()
    #expect(call.revert(to: "-1\n") == #"remodel revert $'--to=-1\012'"#)
  }
}
