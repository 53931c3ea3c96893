public import Diagnostics

/// Why there are no stores where many were meant.
public struct TargetError: DiagnosticError, Hashable {
  /// The fault.
  public let fact: Fact

  /// The faults.
  public enum Fact: Hashable, Sendable {
    /// There is no database among the targets.
    case noTargets
    /// No schema of a database is called like any of these.
    case noSchemas([String])
    /// The file of targets has faults, each with its place.
    case invalidFile([Diagnostic])
    /// A plan that was written down, and so is of one store, is to run in many.
    case planOfOneStore
  }

  package init(_ fact: Fact) {
    self.fact = fact
  }
}

extension TargetError {
  /// The faults, for people.
  public var diagnostics: [Diagnostic] {
    switch fact {
    case .noTargets: [Diagnostic("there are no targets")]
    case .noSchemas(let patterns):
      [
        Diagnostic(
          "the database has no schema \(patterns.map { "\"\($0)\"" }.joined(separator: " or "))",
          detail: "Schemas of the server, of extensions and of remodel itself do not count.",
          hint: "Create the schema before; remodel creates its objects."
        )
      ]
    case .invalidFile(let diagnostics): diagnostics
    case .planOfOneStore:
      [
        Diagnostic(
          "a plan file cannot run in several stores",
          detail: "It is of one database and one schema, with the sizes of its tables.",
          hint: "Use the file for its own store, and one plan file for each other store; or deny "
            + "hazards with --deny."
        )
      ]
    }
  }
}

extension RepeatedTarget {
  /// The warning, for people.
  var diagnostic: Diagnostic {
    let shown = schemas.prefix(3).map { "\"\($0)\"" }.joined(separator: ", ")
    let rest = schemas.count > 3 ? " and \(schemas.count - 3) more" : ""
    return Diagnostic(
      .warning,
      "\(target.place) names the same store as \(owner.place)",
      detail: "Worked on once: schema \(shown)\(rest)."
    )
  }
}

extension MigrationTarget {
  /// The name, and where it is given.
  fileprivate var place: String {
    // Of those that are called alike the name has the line already.
    let line = line.map { " (line \($0))" } ?? ""
    return "target \"\(name)\"" + (name.hasSuffix(line) ? "" : line)
  }
}
