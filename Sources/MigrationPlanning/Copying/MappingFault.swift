package import Diagnostics
package import ModelMapping

/// Something in a mapping model that cannot be carried out in the server.
package struct MappingFault: Error, Hashable {
  /// The entity mapping; empty if it is about the mapping model as a whole.
  package let mappingName: String
  /// The property of the destination that it is about; none if it is about the rows.
  package let propertyName: String?
  /// The part of an expression that it is about.
  package var part: Expression? = nil
  /// The place in a file, where it is known.
  package var location: SourceLocation? = nil
  /// The fault.
  package let fact: Fact

  /// The faults of a mapping.
  package enum Fact: Hashable, Sendable {
    /// An expression has no meaning in the database.
    case expression(ExpressionFault)
    /// A lookup names no mapping that creates rows.
    case unrecognizedMapping(String, suggestion: String?)
    /// A lookup names a mapping whose rows the relationship cannot lead to.
    case unfittingMapping(String)
    /// The relationship is mapped at both ends, or at the one that cannot be turned around.
    case mappedAtOtherEnd(inverse: String)
    /// The rows of the mapping have nothing to be looked up by.
    case noLookup(String)
    /// The relationship that there is to be a row for each of is none, or is not to-many.
    case unusableForEach(String)
    /// Distinct rows cannot be created for each destination of a relationship.
    case distinctForEach
    /// The values have no equality.
    case indistinct(String)
    /// A placeholder names an object that does not exist.
    case unrecognizedPlaceholder(String)
    /// A placeholder names an object that does not exist at that time.
    case untimelyPlaceholder(String, Absence)
    /// SQL of people cannot be run as it is.
    case unusableSQL(part: String, WrittenSQL.Fault)
    /// SQL or code creates the rows, and sets the property.
    case writtenByPolicy
    /// Rows need keys, and nothing gives any.
    case noNewKeys(entity: String)
    /// The database alone gives a column its values.
    case numberedAlways(column: String, entity: String)
  }
}

extension MappingFault {
  /// Why something is not there.
  package enum Absence: Hashable, Sendable {
    /// It has been dropped.
    case dropped
    /// It is added later.
    case later
  }

  /// The fault in words.
  package var diagnostic: Diagnostic {
    let property = propertyName.map { "property \"\($0)\" of " } ?? ""
    let subject = mappingName.isEmpty ? "mapping model" : "entity mapping \"\(mappingName)\""
    let message = "\(property)\(subject) cannot be carried out"
    var diagnostic =
      if case .expression(let fault) = fact {
        fault.diagnostic(message)
      } else {
        Diagnostic(message, detail: words.detail, hint: words.hint)
      }
    diagnostic.location = location
    return diagnostic
  }

  private var words: (detail: String?, hint: String?) {
    switch fact {
    case .expression: (nil, nil)
    case .unrecognizedMapping(let name, let suggestion):
      (
        "No entity mapping that makes rows is called \"\(name)\".",
        suggestion.map { "Did you mean \"\($0)\"?" }
      )
    case .unfittingMapping(let name):
      (
        "Entity mapping \"\(name)\" makes no rows that the relationship could lead to.",
        "Look rows up that become the relationship's destination."
      )
    case .mappedAtOtherEnd(let inverse):
      (
        "Its links are kept at the other end, and the expression cannot be turned around.",
        "Map relationship \"\(inverse)\", the inverse, instead."
      )
    case .noLookup(let name):
      (
        "The rows of entity mapping \"\(name)\" cannot be looked up in this way.",
        "lookup(…) takes as many keys as \"distinct\" of the mapping has; SQL that makes the rows "
          + "has to fill \"${map.\(name)}\"."
      )
    case .unusableForEach(let name):
      (
        "The source has no to-many relationship \"\(name)\".",
        "\"forEach\" takes the name of a to-many relationship of the source entity."
      )
    case .distinctForEach:
      (
        "It has both \"distinct\" and \"forEach\".",
        "Map the entity that the relationship leads to, with \"distinct\" alone."
      )
    case .indistinct(let expression):
      (
        "Values of \"\(expression)\" cannot be told from one another.",
        "CAST the expression to text."
      )
    case .unrecognizedPlaceholder(let name):
      (
        "Placeholder \"${\(name)}\" names no entity or property that is kept in a table.",
        "Placeholders are ${source.Entity}, ${destination.Entity.property}, ${map.Mapping} "
          + "and ${chunk}."
      )
    case .untimelyPlaceholder(let name, .dropped):
      (
        "What placeholder \"${\(name)}\" names has been dropped by then.",
        "Use --removals retain, or read it in \"before\" or in a policy."
      )
    case .untimelyPlaceholder(let name, .later):
      (
        "What placeholder \"${\(name)}\" names is made only after the rows are copied.",
        "Say it in \"after\", which sees the tables of the destination in their places."
      )
    case .unusableSQL(let part, let fault):
      ("\"\(part)\" \(fault.phrase).", fault.remedy)
    case .noNewKeys(let entity):
      (
        "Its rows need new keys, and nothing gives keys to rows of entity \"\(entity)\".",
        "Let the key of the entity be generated, or map the rows so that they keep their keys."
      )
    case .numberedAlways(let column, let entity):
      (
        "Column \"\(column)\" of entity \"\(entity)\" takes no values but its sequence's.",
        "Let the attribute be numbered: identity, or keep the entity out of the mapping model."
      )
    case .writtenByPolicy:
      (
        "Its policy makes the rows, and gives the property its value with them.",
        "Leave the property out of the mapping, and set its column in the policy."
      )
    }
  }
}
