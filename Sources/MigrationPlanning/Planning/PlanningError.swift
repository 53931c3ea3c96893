package import Diagnostics

/// The reason why a mapping has no plan.
package struct PlanningError: DiagnosticError, Hashable {
  /// The obstacle.
  package let fact: Fact

  /// The obstacles to a plan.
  package enum Fact: Hashable, Sendable {
    /// The user does not want anything removed, and this would be.
    case removalsRefused([String])
    /// Objects outside of the store depend on changed ones, and cannot be created again.
    case dependentsInTheWay([DependentRefusal])
    /// Tables would not survive as what they are, or changes of them would only seem to be made.
    case kindsInTheWay([KindRefusal])
    /// The release on the version before would not find its tables, and is to stay.
    case versionNotServable([UnservedTable])
    /// The release on the version before uses the tables themselves, and is to stay.
    case versionNotServed(String)
    /// Operations that wait for one another; a fault of the planner.
    case circularOperations([String])
    /// Links move between the ends of a relationship, which a copy into another schema cannot do.
    case linksMove([String])
    /// Parts of a mapping model that cannot be carried out in the server.
    case unmappable([MappingFault])
    /// Columns would have to get their values from elsewhere.
    case numberingChanges([String])
    /// Columns cannot be filled in place, for a reason that begins a sentence.
    case notFillable(String)
    /// The rows cannot be checked for a validation to be enforced.
    case unenforceable(String, ExpressionFault)
  }

  package init(fact: Fact) {
    self.fact = fact
  }

  /// The error in words.
  package var diagnostics: [Diagnostic] {
    switch fact {
    case .removalsRefused(let removals):
      [
        Diagnostic(
          "the migration would remove something, and removals are refused",
          detail: removals.joined(separator: "\n"),
          hint: "Use --removals retain to keep it in place, or --removals drop to delete it."
        )
      ]
    case .linksMove(let moves):
      [
        Diagnostic(
          "links of a relationship move, which a copy into another schema cannot do",
          detail: moves.joined(separator: "\n"),
          hint: "Migrate without --into-schema, or map the relationship in a mapping model."
        )
      ]
    case .unmappable(let faults): faults.map(\.diagnostic)
    case .numberingChanges(let columns):
      [
        Diagnostic(
          "a column cannot get its numbers from elsewhere than before",
          detail: columns.joined(separator: "\n"),
          hint:
            "Keep \"generated\" and \"numbered\" as they are, or add an attribute under another "
            + "name; a numbered: serial attribute keeps its type, too."
        )
      ]
    case .notFillable(let reason):
      [
        Diagnostic(
          "the columns cannot be filled in place",
          detail: "\(reason.prefix(1).uppercased())\(reason.dropFirst()).",
          hint: "Use --strategy online to copy the rows, or --strategy auto."
        )
      ]
    case .unenforceable(let element, let fault):
      [fault.diagnostic("the validation of \(element) cannot be enforced")]
    case .dependentsInTheWay(let refusals):
      refusals.map(\.diagnostic)
    case .kindsInTheWay(let refusals):
      refusals.map(\.diagnostic)
    case .versionNotServable(let tables):
      [
        Diagnostic(
          "version \"\(tables.first?.versionName ?? "")\" cannot stay served",
          detail: tables.map(\.summary).joined(separator: "\n"),
          hint: "Use --allow unserved:"
            + (tables.first?.entityNames.first ?? "")
            + " if the release can do without it, or --keep none once the release has stopped."
        )
      ]
    case .versionNotServed(let version):
      [
        Diagnostic(
          "version \"\(version)\" is not served, so it cannot stay so",
          detail: "Releases on it use the tables themselves, which are about to change.",
          hint:
            "Run remodel migrate --to \(version) --keep previous, and have them use the URL that "
            + "remodel interface --url prints; then migrate."
        )
      ]
    case .circularOperations(let summaries):
      [
        Diagnostic(
          "could not put the operations of the plan in order",
          detail: summaries.joined(separator: "\n"),
          hint: "This is a fault of Remodel. Splitting the change into several versions avoids it."
        )
      ]
    }
  }
}
