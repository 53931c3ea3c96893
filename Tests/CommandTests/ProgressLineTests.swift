import Logging
import Testing

@testable import RemodelCommands

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The line on the terminal, and other output while it is shown.
@Suite
struct ProgressLineTests {
  /// Returns what a function writes.
  private func written(_ body: (TextFile) async throws -> Void) async throws -> String {
    let path = FileManager.default.temporaryDirectory.appending(path: "line-\(UUID())").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let descriptor = open(path, O_WRONLY | O_CREAT, 0o600)
    defer { close(descriptor) }
    try await body(TextFile(descriptor: descriptor))
    return try String(contentsOfFile: path, encoding: .utf8)
  }

  /// Shows a text that eyes can follow.
  private func show(_ text: String, _ line: ProgressLine) async throws {
    try await Task.sleep(for: .milliseconds(110))
    line.show(text)
  }

  @Test
  func `a record is written above the line, which stays`() async throws {
    let text = try await written { file in
      let line = ProgressLine(on: file)
      line.begin()
      try await show("1 of 2 stores", line)
      line.write("ERROR:  store failed\n")
      line.clear()
    }

    #expect(
      text == "\r\u{1B}[K1 of 2 stores\r\u{1B}[KERROR:  store failed\n"
        + "1 of 2 stores\r\u{1B}[K"
    )
  }

  @Test
  func `without a line a record is all there is`() async throws {
    let text = try await written { file in
      let line = ProgressLine(on: file)
      line.begin()
      line.write("one\n")
      try await show("half", line)
      line.clear()
      line.write("two\n")
    }

    #expect(text == "one\n\r\u{1B}[Khalf\r\u{1B}[Ktwo\n")
  }

  @Test
  func `the log writes above the line`() async throws {
    let text = try await written { file in
      let line = ProgressLine(on: file)
      line.begin()
      try await show("half", line)
      let logger = Logger(label: "remodel") { _ in
        StandardErrorLogHandler(
          level: .info,
          format: .text,
          style: .plain,
          progress: line
        )
      }
      logger.info("step ended")
    }

    #expect(text.hasSuffix("half\r\u{1B}[KINFO:  step ended\nhalf"), "\(text)")
  }
}
