/// What the catalog says of an object, facet by facet, in the server's own words.
public struct ObjectDefinition: Hashable, Sendable {
  /// A facet of an object's definition.
  public enum Facet: String, Hashable, Sendable, CaseIterable {
    // Of tables.
    case relationKind, persistence, rowSecurity, replicaIdentity, inherits, accessMethod, owner
    // Of columns.
    case type, collation, nullability, notNullConstraint, defaultExpression, identity, generation
    // Of constraints; those that have an index or refer to a table have `columns`, too.
    case constraintKind, columns, references, onDelete, deferrability, enforcement
    // Of constraints and indexes.
    case validity
    // Of indexes.
    case uniqueness, extent
    // Of sequences.
    case column, start, increment, minimum, maximum, cache, cycle
    // Of triggers.
    case firing, function
    /// The statement or clause that would make it again.
    case definition
  }

  /// The facets; one that is known not to be there is `nil`, one that is not known is missing.
  public var facets: [Facet: String?]

  /// Creates a definition.
  public init(_ facets: [Facet: String?]) {
    self.facets = facets
  }

  /// The text of a facet; none if it is not there or not known.
  public subscript(facet: Facet) -> String? { facets[facet] ?? nil }

  /// Returns whether it is known that there is such a facet, or that there is none.
  public func knows(_ facet: Facet) -> Bool { facets[facet] != nil }
}

extension ObjectDefinition.Facet {
  /// A Boolean value that indicates whether the text is made by the server out of expressions, which
  /// another version of it may word in another way.
  var isDeparsed: Bool {
    switch self {
    case .defaultExpression, .generation, .definition: true
    case .relationKind, .persistence, .rowSecurity, .replicaIdentity, .inherits, .accessMethod,
      .owner, .type, .collation, .nullability, .notNullConstraint, .identity, .constraintKind,
      .columns, .references, .onDelete, .deferrability, .enforcement, .validity, .uniqueness,
      .extent, .column, .start, .increment, .minimum, .maximum, .cache, .cycle, .firing, .function:
      false
    }
  }

  /// A Boolean value that indicates whether it is none of the model's business.
  var isNoted: Bool { self == .owner }
}
