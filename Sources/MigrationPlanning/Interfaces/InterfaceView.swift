package import SQLSyntax

/// A view of an interface: what a table of the version is by now.
package struct InterfaceView: Hashable, Sendable, Codable {
  /// A column of a view.
  package struct Column: Hashable, Sendable, Codable {
    /// The name that the version has for it.
    package let name: SQLIdentifier
    /// The type.
    package let type: String
    /// The expression that rows of the version get by default; `nil` if there is none.
    package let defaultExpression: String?
    /// A Boolean value that indicates whether the version has a value for it in each row.
    package let isRequired: Bool
    /// A Boolean value that indicates whether the server computes or numbers the values.
    package let isFilledByServer: Bool
    /// The name of the column that has the values by now.
    package var source: SQLIdentifier

    /// The column that says which version a row is inserted for.
    static let writer = Column(
      name: BridgeDraft.writer,
      type: "boolean",
      defaultExpression: "true",
      isRequired: false,
      isFilledByServer: false,
      source: BridgeDraft.writer
    )

    /// Returns the column under another name.
    func named(_ name: SQLIdentifier) -> Column {
      Column(
        name: name,
        type: type,
        defaultExpression: defaultExpression,
        isRequired: isRequired,
        isFilledByServer: isFilledByServer,
        source: source
      )
    }
  }

  /// The name that the version has for the table.
  package let name: SQLIdentifier
  /// The name of the table by now; `nil` if the version is not served with it any more.
  package var table: SQLIdentifier?
  /// The columns in their order.
  package var columns: [Column]

  /// Creates the view of a table as it is.
  init(_ table: Table) {
    name = table.name
    self.table = table.name
    columns = table.columns.map { column in
      Column(
        name: column.name,
        type: column.type.text,
        defaultExpression: column.defaultExpression?.text,
        isRequired: !column.isNullable,
        isFilledByServer: column.sequence != nil || column.generation != nil,
        source: column.name
      )
    }
  }
}
