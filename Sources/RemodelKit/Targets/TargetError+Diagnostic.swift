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
    case .planOfOneStore:
      [
        Diagnostic(
          "a plan that was written down cannot run in many stores",
          detail: "It is of one database and one schema, with the sizes of its tables.",
          hint: "Migrate that store alone by it, and the others by their own; or deny what may not "
            + "happen in any of them."
        )
      ]
    }
  }
}
