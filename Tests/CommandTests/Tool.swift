import Subprocess
import Testing

@testable import RemodelCommands

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

/// The built executable, as a user runs it.
enum Tool {
  /// What a call came to.
  struct Outcome: Sendable {
    let status: Int32?
    let output: String
    let error: String

    /// The JSON document on standard output.
    var json: JSONValue? {
      try? JSONDecoder().decode(JSONValue.self, from: Data(output.utf8))
    }

    /// The value of a key of that document.
    subscript(key: String) -> JSONValue? {
      guard case .object(let values) = json else { return nil }
      return values[key]
    }
  }

  /// Where the executable is: beside the tests.
  static let path: String = {
    let bundle = CommandLine.arguments.first { $0.contains(".xctest") } ?? CommandLine.arguments[0]
    var folder = bundle.split(separator: "/", omittingEmptySubsequences: false)[...]
    while let last = folder.popLast(), !last.hasSuffix(".xctest"), folder.count > 1 {}
    return (folder + ["remodel"]).joined(separator: "/")
  }()

  /// Runs the executable to its end.
  ///
  /// - Parameters:
  ///   - arguments: The arguments.
  ///   - environment: All variables but those that programs need to be found.
  ///   - folder: The working directory.
  /// - Returns: What the call came to.
  /// - Throws: What starting it throws.
  static func run(
    _ arguments: String...,
    environment: [String: String] = [:],
    in folder: String? = nil
  ) async throws -> Outcome {
    try await run(arguments, environment: environment, in: folder)
  }

  /// Runs the executable to its end.
  static func run(
    _ arguments: [String],
    environment: [String: String] = [:],
    in folder: String? = nil
  ) async throws -> Outcome {
    let result = try await Subprocess.run(
      .path(FilePath(path)),
      arguments: Arguments(arguments),
      environment: self.environment(environment),
      workingDirectory: folder.map { FilePath($0) },
      output: .string(limit: 10_000_000),
      error: .string(limit: 10_000_000)
    )
    return Outcome(result)
  }

  /// Runs a command line as a shell reads it, in which `$0` is the executable.
  static func run(shell command: String, environment: [String: String]) async throws -> Outcome {
    let result = try await Subprocess.run(
      .path("/bin/sh"),
      arguments: Arguments(["-c", command, path]),
      environment: self.environment(environment),
      output: .string(limit: 10_000_000),
      error: .string(limit: 10_000_000)
    )
    return Outcome(result)
  }

  /// Runs the executable with a file in place of standard output.
  static func run(_ arguments: [String], outputTo file: String) async throws -> Outcome {
    let result = try await Subprocess.run(
      .path("/bin/sh"),
      arguments: Arguments(["-c", "exec \"$0\" \"$@\" >'\(file)'", path] + arguments),
      environment: environment([:]),
      output: .string(limit: 10_000_000),
      error: .string(limit: 10_000_000)
    )
    return Outcome(result)
  }

  /// Runs the executable, and sends it a signal when it has written a text to standard error.
  static func run(
    _ arguments: [String],
    environment: [String: String] = [:],
    signal: Signal,
    whenErrorHas text: String
  ) async throws -> (status: Int32?, error: String) {
    let result = try await Subprocess.run(
      .path(FilePath(path)),
      arguments: Arguments(arguments),
      environment: self.environment(environment),
      input: .none,
      output: .discarded,
      error: .sequence
    ) { execution in
      var error = ""
      var isSent = false
      for try await line in execution.standardError.strings() {
        error += line
        guard !isSent, line.contains(text) else { continue }
        isSent = true
        try execution.send(signal: signal)
      }
      return error
    }
    return (result.terminationStatus.code, result.closureResult)
  }

  /// Runs the executable while something else is done, and returns what both came to.
  static func run<Result: Sendable>(
    _ arguments: [String],
    environment: [String: String],
    meanwhile body:
      @escaping @Sendable (Execution<NoInput, DiscardedOutput, SequenceOutput>)
      async throws -> Result
  ) async throws -> (status: Int32?, error: String, result: Result) {
    let result = try await Subprocess.run(
      .path(FilePath(path)),
      arguments: Arguments(arguments),
      environment: self.environment(environment),
      input: .none,
      output: .discarded,
      error: .sequence
    ) { execution in
      do {
        let result = try await body(execution)
        var error = ""
        for try await line in execution.standardError.strings() { error += line }
        return (error, result)
      } catch {
        try? execution.send(signal: .kill)
        throw error
      }
    }
    let (error, value) = result.closureResult
    return (result.terminationStatus.code, error, value)
  }

  private static func environment(_ variables: [String: String]) -> Environment {
    let inherited = ["PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH", "REMODEL_POSTGRES_BIN"]
    let process = ProcessInfo.processInfo.environment
    var all: [Environment.Key: String] = [:]
    for name in inherited { all[.init(stringLiteral: name)] = process[name] }
    if let binaries = process["REMODEL_TEST_POSTGRES_BIN"] {
      all["REMODEL_POSTGRES_BIN"] = binaries
    }
    for (name, value) in variables { all[.init(stringLiteral: name)] = value }
    return .custom(all)
  }
}

extension Tool.Outcome {
  fileprivate init(_ result: ExecutionResult<Void, StringOutput<UTF8>, StringOutput<UTF8>>) {
    self.init(
      status: result.terminationStatus.code,
      output: result.standardOutput,
      error: result.standardError
    )
  }
}

extension TerminationStatus {
  /// The exit code; none if a signal ended the process.
  fileprivate var code: Int32? {
    if case .exited(let code) = self { code } else { nil }
  }
}

extension Tool {
  /// Runs a line of shell, in which `$TOOL` is the executable.
  static func shell(
    _ line: String,
    _ variables: [String: String] = [:]
  ) async throws -> Outcome {
    let result = try await Subprocess.run(
      .name("sh"),
      arguments: ["-c", line],
      environment: environment(variables.merging(["TOOL": path], uniquingKeysWith: { $1 })),
      output: .string(limit: 10_000_000),
      error: .string(limit: 10_000_000)
    )
    return Outcome(result)
  }
}

/// Runs the executable, and expects it to end with a status.
@discardableResult
func expect(
  _ status: Int32,
  _ arguments: [String],
  environment: [String: String] = [:],
  sourceLocation: Testing.SourceLocation = #_sourceLocation
) async throws -> Tool.Outcome {
  let outcome = try await Tool.run(arguments, environment: environment)
  #expect(outcome.status == status, "\(arguments): \(outcome)", sourceLocation: sourceLocation)
  return outcome
}

/// Returns the version that a database is at.
func version(_ call: [String]) async throws -> JSONValue? {
  try await Tool.run(["status", "--format", "json"] + call)["version"]
}
