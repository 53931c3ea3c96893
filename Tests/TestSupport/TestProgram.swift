internal import Subprocess

#if canImport(System)
internal import System
#else
internal import SystemPackage
#endif

/// A script that stands for a program.
public enum TestProgram {
  /// Writes a script that can be run at once.
  ///
  /// A shell writes it: what this process has open for writing, children that other tests start at that
  /// moment have open, too, and the system runs no file that anybody can still write to.
  ///
  /// - Parameters:
  ///   - script: The script, for the shell.
  ///   - path: The path of the file; its folder is made if it is not there.
  /// - Throws: That it could not be written.
  public static func write(_ script: String, to path: String) async throws {
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
