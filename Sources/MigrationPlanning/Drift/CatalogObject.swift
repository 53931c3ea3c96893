/// What tells something in the catalog from all else that belongs to a store.
public struct CatalogObject: Hashable, Sendable {
  /// What it is.
  public let kind: Kind
  /// The table that it is, or belongs to; empty for what belongs to none.
  public let table: String
  /// Its name; empty for a table.
  public let name: String

  /// What an object can be.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case schema
    /// What the metadata says of the store.
    case metadata
    case table
    case column
    /// A constraint but for NOT NULL, which is its column's own.
    case constraint
    /// An index that no constraint stands for.
    case index
    /// The sequence of an identity column.
    case sequence
    case trigger
    /// The function of a trigger.
    case function
    case rule
    case policy
    /// A table that inherits, or is a partition.
    case child
  }

  /// Creates the address of an object.
  public init(_ kind: Kind, table: String = "", name: String = "") {
    self.kind = kind
    self.table = table
    self.name = name
  }
}

extension CatalogObject: Comparable {
  /// Orders objects by their tables, then by what they are, then by their names.
  public static func < (first: Self, second: Self) -> Bool {
    if first.table != second.table {
      return first.table.utf8.lexicographicallyPrecedes(second.table.utf8)
    }
    if first.kind != second.kind { return first.kind.position < second.kind.position }
    return first.name.utf8.lexicographicallyPrecedes(second.name.utf8)
  }
}

extension CatalogObject.Kind {
  fileprivate var position: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
