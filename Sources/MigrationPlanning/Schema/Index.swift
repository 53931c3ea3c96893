package import ObjectModel
package import SQLSyntax

/// An index of a table that no constraint stands for.
package struct Index: Hashable, Sendable {
  /// The name, unique in the schema.
  package var name: SQLIdentifier
  /// The elements, in order.
  package var elements: [Element]
  /// A Boolean value that indicates whether no two rows may agree in all elements.
  package var isUnique: Bool
  /// Which rows are indexed; all of them if there is no condition.
  package var predicate: SQLFragment?
  /// The kind of the index.
  package var method: AttributeTypeTraits.IndexMethod

  /// A column of an index, or an expression over columns.
  package struct Element: Hashable, Sendable {
    /// The indexed key.
    package var key: Key
    /// A Boolean value that indicates whether the order is descending.
    package var isDescending: Bool

    /// The kinds of index keys.
    package enum Key: Hashable, Sendable {
      case column(SQLIdentifier)
      case expression(SQLFragment)
    }

    /// Creates an element.
    package init(_ key: Key, isDescending: Bool = false) {
      self.key = key
      self.isDescending = isDescending
    }

    /// Creates an element of a column.
    package init(column: SQLIdentifier, isDescending: Bool = false) {
      self.init(.column(column), isDescending: isDescending)
    }

    /// The column, if it is one.
    package var column: SQLIdentifier? {
      switch key {
      case .column(let column): column
      case .expression: nil
      }
    }

    /// The columns that it reads.
    var columns: [SQLIdentifier] {
      switch key {
      case .column(let column): [column]
      case .expression(let expression): expression.identifiers
      }
    }

    /// The element as CREATE INDEX has it.
    var definition: SQLFragment {
      let definition: SQLFragment =
        switch key {
        case .column(let column): "\(column)"
        case .expression(let expression): "(\(expression.unparenthesised))"
        }
      return isDescending ? "\(definition) DESC" : definition
    }

    func renamingColumns(_ names: [SQLIdentifier: SQLIdentifier]) -> Element {
      switch key {
      case .column(let column):
        Element(column: names[column] ?? column, isDescending: isDescending)
      case .expression(let expression):
        Element(.expression(expression.renamingIdentifiers(names)), isDescending: isDescending)
      }
    }
  }

  /// The server's text after the table, instead of elements and condition.
  package var definition: SQLFragment?

  /// Creates an index.
  package init(
    name: SQLIdentifier,
    elements: [Element],
    isUnique: Bool = false,
    predicate: SQLFragment? = nil,
    definition: SQLFragment? = nil,
    method: AttributeTypeTraits.IndexMethod = .btree
  ) {
    self.name = name
    self.elements = elements
    self.isUnique = isUnique
    self.predicate = predicate
    self.definition = definition
    self.method = method
  }

  /// The columns that the elements read, in order.
  package var columns: [SQLIdentifier] { elements.flatMap(\.columns) }

  /// All columns that it reads, those of the condition included.
  package var readColumns: [SQLIdentifier] {
    columns + (predicate?.identifiers ?? []) + (definition?.identifiers ?? [])
  }

  /// The column that the rows are in the order of, if the first element is one.
  var leadingColumn: SQLIdentifier? { elements.first?.column }

  /// The parts of the server's default name: the columns, and `expr` for each expression.
  var nameParts: [SQLIdentifier] {
    elements.map { $0.column ?? "expr" }
  }

  /// A Boolean value that indicates whether the server keeps expressions of it, and not only columns.
  var hasExpressions: Bool {
    predicate != nil || definition != nil
      || elements.contains { $0.column == nil }
  }
}
