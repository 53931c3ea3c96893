internal import Subprocess

#if canImport(System)
internal import System
#else
internal import SystemPackage
#endif

/// A script that stands for a program.
package enum TestProgram {
  /// Writes an executable script.
  ///
  /// A shell writes it, because children that other tests start at the same time inherit open files
  /// of this process, and the system does not run a file that is open for writing.
  ///
  /// - Parameters:
  ///   - script: The script, for the shell.
  ///   - path: The path of the file; its folder is created if it is missing.
  /// - Throws: An error if it could not be written.
  package static func write(_ script: String, to path: String) async throws {
    let commands = "mkdir -p \"${1%/*}\" && cat >\"$1\" && chmod 755 \"$1\""
    let result = try await Subprocess.run(
      .path("/bin/sh"),
      arguments: ["-c", commands, "sh", path],
      input: .string("#!/bin/sh\n\(script)"),
      output: .discarded,
      error: .discarded
    )
    guard result.terminationStatus.isSuccess else { throw NotWritten(path: path) }
  }

  private struct NotWritten: Error {
    let path: String
  }
}
