/// An object of a dump that could not be created.
struct RestoreFailure: Hashable, Sendable {
  /// The kind, the name and the owner, as `pg_restore` prints them.
  let entry: String
  /// The server's message.
  let message: String

  /// Returns the failures in the output of `pg_restore`: each object once, with the first error.
  ///
  /// An object whose name or definition has several lines may make its part of the output
  /// unreadable, and then its failure has another description.
  static func all(in output: String) -> [RestoreFailure] {
    var failures: [RestoreFailure] = []
    var entry: String?
    for line in output.split(separator: "\n") {
      if line.hasPrefix("pg_restore: from TOC entry ") {
        // 215; 1255 16385 FUNCTION evil(integer) mallory
        let fields = line.dropFirst("pg_restore: from TOC entry ".count)
          .split(separator: " ", maxSplits: 3)
        entry = fields.count == 4 ? String(fields[3]) : String(line)
      } else if let told = entry, line.hasPrefix("pg_restore: error: "),
        let range = line.firstRange(of: "ERROR:")
      {
        failures.append(
          RestoreFailure(
            entry: told,
            message: String(line[range.upperBound...].drop { $0 == " " })
          )
        )
        entry = nil
      }
    }
    return failures
  }

  /// Returns whether it is about one of some entries, each of which is a kind and a name.
  func isAbout(_ entries: [String]) -> Bool {
    // The owner follows, if there is one.
    entries.contains { entry == $0 || entry.hasPrefix("\($0) ") }
  }
}
