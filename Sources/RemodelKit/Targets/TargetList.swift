internal import Diagnostics
internal import PostgresClient
internal import SQLSyntax

/// A file that names targets, one on each line.
///
/// A line has a connection URL or a connection string, and at its end `schema=NAME` if that is not the
/// schema of all. Empty lines and those that begin with `#` are for people.
public enum TargetList {
  /// Reads the text of a file.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - path: The path for locations.
  /// - Returns: The targets, in the order of the lines.
  /// - Throws: Every faulty line with its location, unquoted because it may contain a password.
  public static func targets(
    in text: String,
    path: String
  ) throws(TargetError) -> [MigrationTarget] {
    var targets: [MigrationTarget] = []
    var complaints: [Diagnostic] = []
    // Some editors mark a file as UTF-8.
    let lines =
      text.unicodeScalars.first == "\u{FEFF}"
      ? text.unicodeScalars.dropFirst() : text.unicodeScalars[...]
    let all = Substring(lines).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (number, line) in zip(1..., all) {
      let line = line.trimmed
      if line.isEmpty || line.hasPrefix("#") { continue }
      do {
        var target = try target(line, path, number)
        if let earlier = targets.first(where: { $0.isSameStore(as: target) }) {
          complaints.append(repetition(path, number, of: earlier.line ?? 0))
          continue
        }
        // Reports distinguish databases by their names, even those that differ in other parts.
        if targets.contains(where: { $0.name == target.name }) {
          target.name += " (line \(number))"
        }
        targets.append(target)
      } catch {
        complaints.append(error.diagnostic)
      }
    }
    if targets.isEmpty, complaints.isEmpty {
      complaints = [
        Diagnostic(
          "the file names no database",
          hint: "Write a connection URL on each line.",
          location: SourceLocation(path: path)
        )
      ]
    }
    guard complaints.isEmpty else { throw TargetError(.invalidFile(complaints)) }
    return targets
  }

  private struct LineError: Error {
    let diagnostic: Diagnostic
  }

  private static func target(
    _ line: Substring,
    _ path: String,
    _ number: Int
  ) throws(LineError) -> MigrationTarget {
    let location = SourceLocation(path: path, line: number)
    let (address, name) = parts(of: line)
    let schema = name.map { SQLIdentifier($0) }
    if schema?.name.isEmpty == true {
      throw LineError(diagnostic: Diagnostic("the schema has no name", location: location))
    }
    // Text after a space would be read as a part of the database's name, and shown as one.
    if address.contains("://"), address.contains(where: \.isWhitespace) {
      throw LineError(
        diagnostic: Diagnostic(
          "the connection URL has a blank in it",
          hint: "Write %20 for a blank; after the URL there can be schema=NAME and nothing else.",
          location: location
        )
      )
    }
    let source = ConnectionSource.url(String(address))
    do {
      try source.validate()
    } catch {
      throw LineError(
        diagnostic: Diagnostic(
          "the connection URL is malformed",
          detail: error.detail,
          hint: error.hint,
          location: location
        )
      )
    }
    var target = MigrationTarget(source, schema: schema)
    target.line = number
    return target
  }

  /// Returns the URL, and the text after it for the schema.
  private static func parts(of line: Substring) -> (address: Substring, schema: String?) {
    let key = "schema="
    guard let gap = line.lastIndex(where: \.isWhitespace) else { return (line, nil) }
    let last = line[line.index(after: gap)...]
    guard last.hasPrefix(key) else { return (line, nil) }
    return (line[..<gap].trimmed, String(last.dropFirst(key.count)))
  }

  private static func repetition(_ path: String, _ number: Int, of earlier: Int) -> Diagnostic {
    Diagnostic(
      "the target is the same as that of line \(earlier)",
      location: SourceLocation(path: path, line: number)
    )
  }
}

extension MigrationTarget {
  fileprivate func isSameStore(as other: MigrationTarget) -> Bool {
    database == other.database && schema == other.schema
  }
}

extension Substring {
  fileprivate var trimmed: Substring {
    var rest = self
    while rest.first?.isWhitespace == true { rest.removeFirst() }
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return rest
  }
}
