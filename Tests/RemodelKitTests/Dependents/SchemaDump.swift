import Subprocess
import SystemPackage
import TestSupport

/// The output of `pg_dump` for a database without the metadata and retained objects: an independent
/// description of the objects.
struct SchemaDump {
  private let lines: [String]

  init(_ url: String) async throws {
    let program: Executable =
      TestServer.binaries.map { .path(FilePath("\($0)/pg_dump")) } ?? .name("pg_dump")
    let result = try await Subprocess.run(
      program,
      arguments: [
        "--schema-only", "--exclude-schema=remodel", "--exclude-table=remodel_retained*", "-d", url,
      ],
      output: .string(limit: 1 << 22),
      error: .string(limit: 1 << 20)
    )
    guard result.terminationStatus.isSuccess else { throw Failure(errors: result.standardError) }
    let text = result.standardOutput
    // The order of columns, and a list's last comma with it, may be another.
    lines = text.split(separator: "\n").filter { !$0.hasPrefix("--") && !$0.hasPrefix("\\") }
      .map { $0.hasSuffix(",") ? String($0.dropLast()) : String($0) }.sorted()
  }

  /// A dump that failed.
  struct Failure: Error {
    let errors: String
  }

  /// The lines that only one of two dumps has, each as often as it has it more than the other.
  func difference(to other: SchemaDump) -> [String] {
    lines.difference(from: other.lines).map { change in
      switch change {
      case .insert(_, let line, _): "+ \(line)"
      case .remove(_, let line, _): "- \(line)"
      }
    }
  }
}
