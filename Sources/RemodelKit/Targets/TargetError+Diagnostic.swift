public import Diagnostics

extension TargetError {
  /// What is wrong, for people.
  public var diagnostics: [Diagnostic] {
    switch fact {
    case .noTargets: [Diagnostic("there are no targets")]
    case .noSchemas(let patterns):
      [
        Diagnostic(
          "the database has no schema \(patterns.map { "\"\($0)\"" }.joined(separator: " or "))",
          detail: "Schemas of the server, of extensions and of remodel itself do not count.",
          hint: "Create the schema before: what is in it is made by remodel."
        )
      ]
    case .invalidFile(let diagnostics): diagnostics
    }
  }
}
