/// The element of the model that a column represents.
package enum ColumnOrigin: Hashable, Sendable {
  /// The key of a root entity.
  case key(entity: String)
  /// Which entity of a hierarchy a row is.
  case discriminator(root: String)
  /// An attribute, or an element of one that is a composite.
  case attribute(entity: String, String, path: [String])
  /// The key of the one at the other end of a relationship, in the entity's own table.
  case reference(entity: String, String)
  /// The place among those at the end of an ordered relationship.
  case position(entity: String, String)
  /// The key, in a join table, of those that a relationship leads to.
  case joinedDestination(entity: String, String)
  /// The key, in a join table, of those that a relationship without inverse starts from.
  case joinedSource(entity: String, String)
}

/// The element of the model that a table represents.
package enum TableOrigin: Hashable, Sendable {
  /// A root entity with all that inherit from it.
  case root(entity: String)
  /// The pairs of a relationship, by the end that gives the table its name.
  case join(entity: String, String)
}
