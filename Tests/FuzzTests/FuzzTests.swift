import Subprocess
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

#if canImport(System)
import System
#else
import SystemPackage
#endif

/// The readers get damaged files, and answer every one of them.
///
/// `REMODEL_FUZZ` is how many there are, `REMODEL_SEED` the number of the first one. A release build
/// is far faster with many: `swift run -c release Fuzzing --count 1000000 --corpus migrations`.
@Suite(.timeLimit(.minutes(30)))
struct FuzzTests {
  @Test(.sampled(oneIn: 2))
  func `no damaged file brings a reader down or makes it contradict itself`() async throws {
    let wish = ProcessInfo.processInfo.environment["REMODEL_FUZZ"].flatMap { Int($0) }
    let count = wish ?? 1500
    // What is tried by default is the same everywhere.
    let folders =
      [
        "migrations", "Tests/Fuzzing/Seeds", "Tests/ModelLoadingTests/Golden",
        "Tests/CommandTests/Golden",
      ].map { "\(Self.repository)/\($0)" }
      + (wish == nil ? [] : [Corpora.root])
    let arguments = ["--count", String(count), "--seed", String(RandomCases.firstSeed)]

    let (status, output) = try await fuzzing(arguments + folders.flatMap { ["--corpus", $0] })

    #expect(status == .exited(0), "\(output)")
    // Inputs of which hardly any is read would try little.
    #expect(output.contains("yamlModel: "), "\(output)")
  }

  @Test(.sampled(oneIn: 3))
  func `the time that a reader takes grows as its input does`() async throws {
    let (status, output) = try await fuzzing(["sizes"])

    #expect(status == .exited(0), "\(output)")
  }

  @Test(arguments: [["--help"], ["--count"], ["try", "yamlModel", "1", "2"], ["x", "y"]])
  func `an error about a missing item lists the existing ones`(
    arguments: [String]
  ) async throws {
    let (status, output) = try await fuzzing(arguments)

    #expect(status == .exited(64))
    #expect(output.hasPrefix("usage: Fuzzing"))
  }

  private static let repository = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

  private func fuzzing(_ arguments: [String]) async throws -> (TerminationStatus, String) {
    let bundle = CommandLine.arguments.first { $0.contains(".xctest") } ?? CommandLine.arguments[0]
    let folder = bundle.split(separator: "/", omittingEmptySubsequences: false)
      .prefix { !$0.hasSuffix(".xctest") }.joined(separator: "/")
    let result = try await Subprocess.run(
      .path(FilePath("\(folder)/Fuzzing")),
      arguments: Arguments(arguments),
      output: .string(limit: 10_000_000),
      error: .string(limit: 10_000_000)
    )
    return (result.terminationStatus, result.standardOutput + result.standardError)
  }
}
