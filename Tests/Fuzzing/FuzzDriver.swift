import FoundationEssentials
import Subprocess

#if canImport(System)
import System
#else
import SystemPackage
#endif

/// Has inputs tried by other processes, so that one which brings its process down is known.
struct FuzzDriver {
  /// The folders of the files that inputs are made of.
  let folders: [String]
  /// Where inputs with faults are left.
  let output: String

  /// The inputs of one process, which fail together if it cannot start.
  private static let chunk: UInt64 = 1000
  /// What is found ever again is one fault; it is enough to know of some.
  private static let findingLimit = 25

  /// Tries a count of inputs, divided over the readers.
  ///
  /// - Returns: What was found.
  func run(count: Int, first: UInt64, jobs: Int, readers: [FuzzedReader]) async throws -> [Finding]
  {
    let shares = readers.map(\.share).reduce(0, +)
    var pieces: [(FuzzedReader, Range<UInt64>)] = []
    for reader in readers {
      let end = first + UInt64(max(1, count * reader.share / shares))
      for start in stride(from: first, to: end, by: Int(Self.chunk)) {
        pieces.append((reader, start..<min(end, start + Self.chunk)))
      }
    }
    // All readers run early.
    pieces.sort { ($0.1.lowerBound, $0.0.rawValue) < ($1.1.lowerBound, $1.0.rawValue) }
    let all = pieces
    var results: [PieceResult] = []
    try await withThrowingTaskGroup(of: PieceResult.self) { group in
      var next = 0
      while next < min(jobs, all.count) {
        let (reader, numbers) = all[next]
        group.addTask { try await run(reader, numbers) }
        next += 1
      }
      for try await result in group {
        results.append(result)
        let found = results.filter { $0.reader == result.reader }.flatMap(\.findings).count
        for finding in result.findings { write(line: "\(finding)") }
        while next < all.count, all[next].0 == result.reader, found > Self.findingLimit {
          next += 1
        }
        guard next < all.count else { continue }
        let (reader, numbers) = all[next]
        group.addTask { try await run(reader, numbers) }
        next += 1
      }
    }
    for reader in readers {
      print(Self.summary(of: reader, results.filter { $0.reader == reader }))
    }
    return results.flatMap(\.findings)
  }

  /// What some inputs of a reader came to.
  struct PieceResult: Sendable {
    let reader: FuzzedReader
    var counts = [0, 0, 0]
    var findings: [Finding] = []
  }

  private static func summary(of reader: FuzzedReader, _ results: [PieceResult]) -> String {
    let counts = results.map(\.counts).reduce([0, 0, 0]) { zip($0, $1).map(+) }
    let findings = results.flatMap(\.findings).count
    return "\(reader): \(counts.reduce(0, +)) inputs, \(counts[0]) refused, \(counts[1]) read, "
      + "\(counts[2]) planned, \(findings) findings"
  }

  // MARK: - Processes

  private func run(_ reader: FuzzedReader, _ numbers: Range<UInt64>) async throws -> PieceResult {
    var result = PieceResult(reader: reader)
    let mark = "\(output)/\(reader)-\(numbers.lowerBound).mark"
    defer { try? FileManager.default.removeItem(atPath: mark) }
    var rest = numbers
    while !rest.isEmpty, result.findings.count <= Self.findingLimit {
      let outcome = try await call(
        ["try", reader.rawValue, String(rest.lowerBound), String(rest.upperBound), mark]
      )
      for (number, fault) in outcome.faults {
        result.findings.append(try await finding(reader, number, fault))
      }
      if let counts = outcome.counts {
        result.counts = zip(result.counts, counts).map(+)
        break
      }
      let number = try number(in: mark)
      result.findings.append(try await finding(reader, number, outcome.end))
      result.counts[0] += Int(number - rest.lowerBound) + 1
      rest = (number + 1)..<numbers.upperBound
    }
    return result
  }

  private func number(in mark: String) throws -> UInt64 {
    let bytes = FileManager.default.contents(atPath: mark).map(Array.init) ?? []
    guard bytes.count == 8 else { throw FuzzError.noMark(mark) }
    return bytes.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
  }

  /// What a process came to.
  private struct Outcome {
    var faults: [(UInt64, String)] = []
    var counts: [Int]?
    var end = ""
  }

  private func call(_ arguments: [String]) async throws -> Outcome {
    let folders = folders.flatMap { ["--corpus", $0] } + ["--output", output]
    let result = try await Subprocess.run(
      .path(FilePath(Self.executable)),
      arguments: Arguments(arguments + folders),
      // A report of a trap takes longer than many inputs.
      environment: .inherit.updating(["SWIFT_BACKTRACE": "enable=no"]),
      output: .string(limit: 50_000_000),
      error: .string(limit: 50_000_000)
    )
    var outcome = Outcome()
    for line in result.standardOutput.split(separator: "\n") {
      let words = line.split(separator: " ", maxSplits: 2)
      if words.first == "done" {
        outcome.counts = line.split(separator: " ").compactMap { Int($0) }
      }
      guard words.first == "fault", words.count == 3, let number = UInt64(words[1]) else {
        continue
      }
      outcome.faults.append((number, String(words[2])))
    }
    let trap = result.standardError.split(separator: "\n").last { $0.contains("rror:") } ?? ""
    outcome.end = "ended by \(result.terminationStatus) \(trap)"
    return outcome
  }

  /// The executable itself.
  private static let executable: String =
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
    ?? CommandLine.arguments[0]

  // MARK: - Findings

  /// Leaves an input behind, as small as can be had with little effort.
  private func finding(
    _ reader: FuzzedReader,
    _ number: UInt64,
    _ fault: String
  ) async throws -> Finding {
    let path = "\(output)/\(reader)-\(number)"
    _ = try await call(["write", reader.rawValue, String(number), path])
    var bytes = FileManager.default.contents(atPath: path).map(Array.init) ?? []
    var size = bytes.count / 2
    var calls = 0
    while size > 0, calls < 60 {
      var start = 0
      while start < bytes.count, calls < 60 {
        let candidate = Array(bytes[..<start] + bytes[min(bytes.count, start + size)...])
        _ = FileManager.default.createFile(atPath: path + ".less", contents: Data(candidate))
        let outcome = try await call(["repeat", reader.rawValue, String(number), path + ".less"])
        calls += 1
        if Self.kind(outcome.faults.first?.1 ?? outcome.end, outcome.counts)
          == Self.kind(fault, nil)
        {
          bytes = candidate
        } else {
          start += size
        }
      }
      size /= 2
    }
    try? FileManager.default.removeItem(atPath: path + ".less")
    _ = FileManager.default.createFile(atPath: path, contents: Data(bytes))
    return Finding(reader: reader, number: number, fault: fault, path: path, size: bytes.count)
  }

  /// What makes two faults the same: the words before anything that is of the input.
  private static func kind(_ fault: String, _ counts: [Int]?) -> String {
    guard counts == nil || !fault.hasPrefix("ended by") else { return "" }
    return String(fault.prefix { $0 != ":" && $0 != "\"" }.prefix(40))
  }
}

/// Something that is wrong, with the input that shows it.
struct Finding: Sendable, CustomStringConvertible {
  let reader: FuzzedReader
  let number: UInt64
  let fault: String
  let path: String
  let size: Int

  var description: String { "\(reader) \(number): \(fault)\n  \(path), \(size) bytes" }
}

enum FuzzError: Error {
  case noMark(String)
  case usage
}
