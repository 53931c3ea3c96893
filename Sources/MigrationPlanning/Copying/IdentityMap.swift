package import SQLSyntax

/// The keys of rows that cannot keep their old ones: splits and merges.
///
/// A row keeps its new key when it is derived again, as long as the rows of the source take part.
package struct IdentityMap: Hashable, Sendable {
  /// The entity mapping that it is for.
  package var mappingName: String
  /// The table that has the keys of the source and `dst`, the key in the destination.
  package var members: QualifiedName
  /// The table of the source that it starts from.
  package var source: SQLIdentifier
  /// The key of the source, by which its rows are divided into ranges.
  package var domainColumn: SQLIdentifier
  /// The type of the key.
  package var keyType: SQLTypeName
  /// Statements that give keys to rows of the source that have none.
  package var fill: [RestrictedStatement]
  /// Statements that remove changed rows which no longer have the same identity; run before
  /// ``fill`` for the changed ones.
  package var withdrawal: [RestrictedStatement]
  /// The rows of the source to process again when rows of other tables have changed, by keys.
  ///
  /// Rows that have changed themselves are implied.
  package var dependencies: [CopyDependency] = []

  /// The name of the rows to process again: a temporary table with the one column `key`.
  package var changedKeys: QualifiedName {
    QualifiedName(schema: "pg_temp", name: StorageNames.fitted("keys_" + members.name.name))
  }
}

/// A statement that works on a part of the rows of a source.
package struct RestrictedStatement: Hashable, Sendable {
  /// The parts between the occurrences of the condition: one part more than there are occurrences.
  package var parts: [SQLFragment]
  /// The name of the source's key in the condition.
  package var key: SQLFragment

  /// Creates a statement with the condition in some places.
  init(parts: [SQLFragment], key: SQLFragment) {
    self.parts = parts
    self.key = key
  }

  /// Creates a statement with the condition in one place.
  init(head: SQLFragment, tail: SQLFragment, key: SQLFragment) {
    self.init(parts: [head, tail], key: key)
  }

  /// A Boolean value that indicates whether there is a place for the condition; a statement without
  /// one works on all rows at once.
  package var isRestricted: Bool { parts.count > 1 }

  /// Returns the statement for the rows for which a condition on their key holds.
  package func sql(_ restriction: (SQLFragment) -> SQLFragment) -> SQLFragment {
    parts.joined(separator: restriction(key))
  }
}
