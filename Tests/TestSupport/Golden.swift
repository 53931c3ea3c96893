package import Testing

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// Compares a text with the file of a name in the folder `Golden` beside the test.
///
/// With `RECORD_GOLDEN=1` in the environment it writes the file and fails, so that a recording never
/// passes by accident.
///
/// - Parameters:
///   - text: The test's text.
///   - name: The file's name.
///   - filePath: The test's file.
///   - sourceLocation: The place of the test.
package func expectGolden(
  _ text: String,
  named name: String,
  filePath: String = #filePath,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let folder = URL(filePath: filePath).deletingLastPathComponent().appending(path: "Golden")
  expectGolden(text, at: folder.appending(path: name), sourceLocation: sourceLocation)
}

/// Compares a text with a file.
///
/// With `RECORD_GOLDEN=1` in the environment it writes the file and fails, so that a recording never
/// passes by accident.
///
/// - Parameters:
///   - text: The test's text.
///   - file: The file.
///   - sourceLocation: The place of the test.
package func expectGolden(
  _ text: String,
  at file: URL,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let name = file.lastPathComponent
  if ProcessInfo.processInfo.environment["RECORD_GOLDEN"] == "1" {
    do {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(),
        withIntermediateDirectories: true
      )
      try Data(text.utf8).write(to: file)
      Issue.record("recorded \"\(name)\"", sourceLocation: sourceLocation)
    } catch {
      Issue.record("could not record \"\(name)\": \(error)", sourceLocation: sourceLocation)
    }
    return
  }
  guard let expected = try? String(contentsOf: file, encoding: .utf8) else {
    Issue.record(
      "could not read golden file \"\(name)\"; record it with RECORD_GOLDEN=1",
      sourceLocation: sourceLocation
    )
    return
  }
  guard text != expected else { return }
  Issue.record(
    "\"\(name)\" differs:\n\(difference(from: expected, to: text))",
    sourceLocation: sourceLocation
  )
}

/// Returns the removed lines with `-` and the added ones with `+`, each with its line number.
private func difference(from expected: String, to actual: String) -> String {
  let old = expected.split(separator: "\n", omittingEmptySubsequences: false)
  let new = actual.split(separator: "\n", omittingEmptySubsequences: false)
  return new.difference(from: old)
    .map { change in
      switch change {
      case .remove(let offset, let line, _): "-\(offset + 1): \(line)"
      case .insert(let offset, let line, _): "+\(offset + 1): \(line)"
      }
    }
    .joined(separator: "\n")
}
