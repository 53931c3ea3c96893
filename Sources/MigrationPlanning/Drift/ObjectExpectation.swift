/// What an object has to be, as far as a model says by itself.
struct ObjectExpectation: Hashable, Sendable {
  /// What is demanded of a facet.
  enum Requirement: Hashable, Sendable {
    /// This text, or that there is none.
    case exactly(String?)
    /// Some text, which only the server words.
    case something
  }

  /// What is certain whatever the server.
  var requirements: [ObjectDefinition.Facet: Requirement] = [:]
  /// The SQL that makes it, or says what it is.
  var sql: String

  /// Returns the facets in which a definition is not what it has to be.
  func facetsMissed(by definition: ObjectDefinition) -> Set<ObjectDefinition.Facet> {
    Set(
      requirements.compactMap { facet, requirement in
        guard definition.knows(facet) else { return nil }
        switch requirement {
        case .exactly(let text): return definition[facet] == text ? nil : facet
        case .something: return definition[facet] == nil ? facet : nil
        }
      }
    )
  }
}
