import TestSupport
import Testing

@testable import RemodelCommands

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What is installed beside the executable.
@Suite(.timeLimit(.minutes(30)))
struct ManualTests {
  @Test
  func `the manual page has all verbs, options, variables and exit codes`() async throws {
    let outcome = try await Tool.run("manual")
    let help = try await Tool.run("migrate", "--help")

    let page = outcome.output.replacing("\\-", with: "-")
    #expect(outcome.status == 0)
    for verb in ["migrate", "model diff", "mapping new", "job cancel", "cleanup"] {
      #expect(page.contains(".TP\n\\fB\(verb)\\fR"), "\(verb)")
    }
    let options = help.output.matches(of: /--[a-z][a-z-]+/).map { String($0.output) }
    for option in options { #expect(page.contains("\\fB\(option)\\fR"), "\(option)") }
    for status in ExitStatus.allCases {
      #expect(page.contains("\\fB\(status.rawValue)\\fR\n"))
    }
    #expect(page.contains("\\fBREMODEL_DATABASE_URL\\fR"))
  }

  @Test(.enabled(if: Program.isInstalled("mandoc")))
  func `the manual page has no faults`() async throws {
    let lint = try await Tool.shell("\"$TOOL\" manual | mandoc -T lint -W warning")

    #expect(lint.status == 0, "\(lint.output)\(lint.error)")
    #expect(lint.output.isEmpty)
  }

  @Test(arguments: ["bash", "zsh", "fish"].filter(Program.isInstalled))
  func `the shell reads the completions`(shell: String) async throws {
    let outcome = try await Tool.shell(
      """
      file=$(mktemp) && trap 'rm -f "$file"' EXIT
      "$TOOL" --generate-completion-script \(shell) > "$file" && \(shell) -n "$file"
      """
    )

    #expect(outcome.status == 0, "\(outcome.error)")
    #expect(outcome.error.isEmpty)
  }

  @Test
  func `bash completes verbs and options`() async throws {
    let script = """
      source <("$TOOL" --generate-completion-script bash)
      try() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}
        COMPREPLY=(); _remodel remodel "${@: -1}" "${@: -2:1}"; printf "%s\\n" "${COMPREPLY[@]}"; }
      try remodel mig
      try remodel migrate --removals re
      """
    let outcome = try await Tool.shell("bash -c '\(script)'")

    let words = outcome.output.split(separator: "\n").map {
      $0.replacing(" ", with: "")
    }
    #expect(words == ["migrate", "retain", "refuse"], "\(outcome)")
  }
}

/// A program of this machine.
private enum Program {
  static func isInstalled(_ name: String) -> Bool {
    ["/bin/", "/usr/bin/", "/usr/local/bin/"].contains {
      FileManager.default.isExecutableFile(atPath: $0 + name)
    }
  }
}
