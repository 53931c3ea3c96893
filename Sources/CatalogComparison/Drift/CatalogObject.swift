package import MigrationPlanning
internal import SQLSyntax

/// The identity of an object of a store in the catalog.
public struct CatalogObject: Hashable, Sendable {
  /// Its kind.
  public let kind: Kind
  /// Its table, or itself; empty for an object without a table.
  public let table: String
  /// Its name; empty for a table.
  public let name: String

  /// The kinds of objects.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case schema
    /// The metadata of the store.
    case metadata
    case table
    case column
    /// A constraint but for NOT NULL, which is its column's own.
    case constraint
    /// An index that does not belong to a constraint.
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
    /// A view by which a version is served.
    case view
  }

  /// Creates the address of an object.
  package init(_ kind: Kind, table: String = "", name: String = "") {
    self.kind = kind
    self.table = table
    self.name = name
  }
}

extension CatalogObject: Comparable {
  /// Orders objects by their tables, then by their kinds, then by their names.
  public static func < (first: Self, second: Self) -> Bool {
    if first.table != second.table {
      return byBytes(first.table, second.table)
    }
    if first.kind != second.kind { return first.kind.position < second.kind.position }
    return byBytes(first.name, second.name)
  }
}

extension CatalogObject.Kind {
  private static let order = allCases

  fileprivate var position: Int { Self.order.firstIndex(of: self) ?? 0 }
}

extension CatalogObject: CustomStringConvertible {
  /// The object in the words of the catalog: `column "title" of table "book"`.
  public var description: String {
    switch kind {
    case .schema: "schema \"\(name)\""
    case .metadata: name
    case .view: "view \(name)"
    case .table: "table \"\(table)\""
    case .child: "child \(name) of table \"\(table)\""
    case .function: "function \"\(name)\" of table \"\(table)\""
    case .column, .constraint, .index, .sequence, .trigger, .rule, .policy:
      "\(kind.rawValue) \"\(name)\" of table \"\(table)\""
    }
  }
}

extension DeferredWork {
  /// The objects that change when the work is done.
  package var objects: [CatalogObject] {
    let table = table.name
    let name = object.name
    switch self {
    case .validateConstraint: return [CatalogObject(.constraint, table: table, name: name)]
    case .buildIndex, .dropIndex: return [CatalogObject(.index, table: table, name: name)]
    case .addUniqueConstraint:
      // Its index is created first.
      return [.constraint, .index].map { CatalogObject($0, table: table, name: name) }
    case .setNotNull(let requirement):
      let column = CatalogObject(.column, table: table, name: name)
      return switch requirement.form {
      case .check(let proof): [column, CatalogObject(.constraint, table: table, name: proof.name)]
      case .notNull: [column]
      }
    }
  }
}
