package import Diagnostics
package import ObjectModel

/// A model that cannot be laid out as tables; every reason why.
package struct ProjectionError: DiagnosticError, Hashable {
  /// The reasons, in the order of the model; never empty.
  package let faults: [ProjectionFault]

  /// A complaint for each reason.
  package var diagnostics: [Diagnostic] { faults.map(\.diagnostic) }
}

/// A reason why a model cannot be laid out as tables.
package struct ProjectionFault: Hashable, Sendable {
  /// The part of the model that it is about.
  package let element: ModelElement
  /// The fault.
  package let fact: Fact

  /// The faults of a projection.
  package enum Fact: Hashable, Sendable {
    /// Two tables would have one name.
    case sharedTable(String)
    /// Two columns of a table would have one name.
    case sharedColumn(String, table: String)
    /// A table would have more columns than the server allows.
    case tooManyColumns(Int, table: String)
    /// The name is empty or longer than PostgreSQL keeps.
    case unusableName(String)
    /// The type is not one that a column can have.
    case unusableType(String)
    /// A name is given to something that there is not.
    case unrecognizedObjectName(String, entity: String, known: [String])
    /// Two constraints of a table, or two indexes or sequences, would have one name.
    case sharedObjectName(String, table: String)
    /// A property that is unique together with others and has its column in another table.
    case uniquenessElsewhere(String)
    /// A derivation, an index or its predicate.
    case expression(String, ExpressionFault)
    /// The validation of an attribute cannot be kept by the database.
    case unenforceable(String, ExpressionFault)
  }

  /// The warning about something that is left out.
  package func warning(at location: SourceLocation?) -> Diagnostic {
    let complaint = diagnostic
    return Diagnostic(
      .warning,
      complaint.message,
      detail: [complaint.detail, "It is left out."].compactMap(\.self).joined(separator: " "),
      hint: complaint.hint,
      location: location
    )
  }

  /// The reason for people; without a place, which only the loader knows.
  package var diagnostic: Diagnostic {
    switch fact {
    case .sharedTable(let name):
      Diagnostic(
        "two tables would be called \"\(name)\"",
        hint: "Give one of them another name with \"table\" or \"joinTable\" "
          + "(user info \"remodel.table\", \"remodel.joinTable\")."
      )
    case .sharedColumn(let name, let table):
      Diagnostic(
        "two columns of table \"\(table)\" would be called \"\(name)\"",
        hint: "Give one of them another name with \"column\" (user info \"remodel.column\")."
      )
    case .tooManyColumns(let count, let table):
      Diagnostic(
        "table \"\(table)\" would have \(count) columns",
        detail: "PostgreSQL allows 1600, and a hierarchy of entities is one table.",
        hint: "Move attributes to an entity of their own."
      )
    case .unusableName(let name):
      Diagnostic(
        "\"\(name)\" cannot be the name of a table or column",
        detail: "A name has 1 to 63 bytes."
      )
    case .unusableType(let type):
      Diagnostic(
        "\"\(type)\" cannot be the type of a column",
        hint: "Write the name of a type as PostgreSQL has it, without anything else."
      )
    case .unrecognizedObjectName(let name, let entity, let known):
      Diagnostic(
        "entity \"\(entity)\" gives a name to \"\(name)\", which does not exist",
        detail: "By the rules there are \(known.map { "\"\($0)\"" }.joined(separator: ", ")).",
        hint: suggestion(for: name, among: known).map { "Did you mean \"\($0)\"?" }
      )
    case .sharedObjectName(let name, let table):
      Diagnostic(
        "\"\(name)\" would be the name of two things, one of them of table \"\(table)\"",
        hint: "Give one of them another name with \"names\" (user info \"remodel.name.…\")."
      )
    case .uniquenessElsewhere(let property):
      Diagnostic(
        "uniqueness together with \"\(property)\" cannot be kept",
        detail: "The links of the relationship are kept in another table.",
        hint: "Make attributes unique, or to-one relationships whose key is on this side."
      )
    case .expression(let text, let fault): fault.diagnostic(about: text)
    case .unenforceable(let subject, let fault):
      fault.diagnostic("the validation of \(subject) cannot be enforced")
    }
  }
}
