import Subprocess
import Synchronization

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

/// A process of the example server that serves.
final class Replica: Sendable {
  /// What is wrong with a replica.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private let port: String
  private let process: Task<TerminationStatus, any Error>
  private let end: AsyncStream<Never>.Continuation

  /// Starts a process.
  ///
  /// - Parameters:
  ///   - models: The bundle of its release.
  ///   - url: The database.
  /// - Throws: What it says if it ends before it serves.
  init(models: String, database url: String) async throws {
    let started = AsyncThrowingStream.makeStream(of: String.self)
    let stopping = AsyncStream.makeStream(of: Never.self)
    end = stopping.continuation
    process = Task {
      let result = try await Subprocess.run(
        .path(FilePath(Self.path)),
        environment: .inherit.updating(["DATABASE_URL": url, "MODELS": models]),
        input: .none,
        output: .discarded,
        error: .sequence
      ) { execution in
        let stopper = Task {
          for await _ in stopping.stream {}
          try execution.send(signal: .terminate)
        }
        defer { stopper.cancel() }
        var log = ""
        for try await line in execution.standardError.strings() {
          log += line
          guard line.contains("serving"), let port = line.firstMatch(of: /port: ([0-9]+)/) else {
            continue
          }
          started.continuation.yield(String(port.1))
        }
        started.continuation.finish(throwing: Failure(description: log))
      }
      return result.terminationStatus
    }
    var iterator = started.stream.makeAsyncIterator()
    guard let port = try await iterator.next() else { throw Failure(description: "it ended") }
    self.port = port
  }

  /// Asks for the health, as a load balancer does.
  func health() async throws -> String {
    let result = try await Subprocess.run(
      .name("bash"),
      arguments: [
        "-c",
        """
        exec 3<>/dev/tcp/127.0.0.1/\(port)
        printf 'GET /health HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n' >&3
        read -r protocol status reason <&3; echo "$status"
        """,
      ],
      output: .string(limit: 1_000),
      error: .string(limit: 1_000)
    )
    return result.standardOutput.filter(\.isNumber)
  }

  /// Tells the process to end, as an orchestrator does, and returns how it did.
  func terminate() async throws -> TerminationStatus {
    end.finish()
    return try await process.value
  }

  private static let path: String = {
    let bundle = CommandLine.arguments.first { $0.contains(".xctest") } ?? CommandLine.arguments[0]
    let folders = bundle.split(separator: "/", omittingEmptySubsequences: false)
    let end = folders.firstIndex { $0.hasSuffix(".xctest") } ?? folders.endIndex - 1
    return (folders[..<end] + ["ExampleServer"]).joined(separator: "/")
  }()
}
