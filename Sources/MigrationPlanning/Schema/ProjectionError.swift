public import Diagnostics
public import ObjectModel

/// A model that cannot be laid out as tables; every reason why.
public struct ProjectionError: DiagnosticError, Hashable {
  /// The reasons, in the order of the model; never empty.
  public let faults: [ProjectionFault]

  /// A complaint for each reason.
  public var diagnostics: [Diagnostic] { faults.map(\.diagnostic) }

  /// A Boolean value that indicates whether a later version of Remodel will lay the model out.
  public var isNotYetSupported: Bool { faults.contains(where: \.isNotYetSupported) }
}

/// A reason why a model cannot be laid out as tables.
public struct ProjectionFault: Hashable, Sendable {
  /// The part of the model that it is about.
  public let element: ModelElement
  /// What is wrong.
  public let fact: Fact

  /// What can be wrong.
  public enum Fact: Hashable, Sendable {
    /// Two tables would have one name.
    case sharedTable(String)
    /// Two columns of a table would have one name.
    case sharedColumn(String, table: String)
    /// The name is empty or longer than PostgreSQL keeps.
    case unusableName(String)
    /// The type is not one that a column can have.
    case unusableType(String)
    /// Something that Remodel does not lay out yet.
    case notYetSupported(Feature)
  }

  /// What is not laid out yet.
  public enum Feature: Hashable, Sendable {
    case derivation(String)
    case enforcedValidation
    case indexExpression(String)
    case partialIndex(String)
    /// A property that is unique and has no column in the table of its entity.
    case uniqueness(String)
  }

  /// A Boolean value that indicates whether a later version of Remodel will lay this out.
  public var isNotYetSupported: Bool {
    if case .notYetSupported = fact { true } else { false }
  }

  /// The reason for people; without a place, which only the loader knows.
  public var diagnostic: Diagnostic {
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
    case .notYetSupported(let feature):
      Diagnostic("\(feature.words) not supported yet", hint: feature.hint)
    }
  }
}

extension ProjectionFault.Feature {
  fileprivate var words: String {
    switch self {
    case .derivation(let expression): "derived attribute with the expression \"\(expression)\" is"
    case .enforcedValidation: "validation that the database enforces is"
    case .indexExpression(let expression): "index on the expression \"\(expression)\" is"
    case .uniqueness(let property): "uniqueness of \"\(property)\", which has no column here, is"
    case .partialIndex(let predicate): "index with the predicate \"\(predicate)\" is"
    }
  }

  fileprivate var hint: String {
    switch self {
    case .derivation: "Make the attribute transient, or keep it up to date in the application."
    case .enforcedValidation: "Leave \"enforced\" away: the application checks."
    case .uniqueness: "Make attributes unique, or to-one relationships whose key is on this side."
    case .indexExpression, .partialIndex: "Index plain properties."
    }
  }
}
