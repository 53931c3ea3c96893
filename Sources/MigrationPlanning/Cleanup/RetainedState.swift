public import SQLSyntax

/// The state of a retained object.
public enum RetainedState: Hashable, Sendable {
  /// It exists unchanged.
  case present
  /// Somebody has dropped it.
  case gone
  /// Something else has its name.
  case replaced(Difference)

  /// The difference between an object and the retained one.
  public enum Difference: Hashable, Sendable {
    /// It is not a table; the server's letter for its kind.
    case notATable(kind: String)
    /// The table lacks columns that it had.
    case lacksColumns([SQLIdentifier])
    /// The column is of another type.
    case otherType(String, expected: [String])
  }
}

/// The shape of a retained object, as far as the last version that had it determines it.
package enum RetainedShape: Hashable, Sendable {
  /// A table that has these columns; several sets where the version was recorded more than once.
  case table([Set<SQLIdentifier>])
  /// A column of one of these types; any type if there are none.
  case column(types: Set<String>)

  /// Determines the shape of a retained object, which early tools did not record.
  ///
  /// Tables can be renamed after one of their columns was retained, so a column is looked up in all
  /// of them.
  ///
  /// - Parameters:
  ///   - object: The retained object.
  ///   - schemas: The schemas of the last version that had it.
  package init(of object: RetainedObject, in schemas: [DatabaseSchema]) {
    if let origin = object.origin {
      self =
        object.column == nil
        ? .table([Set(origin.columns.map { SQLIdentifier($0.retainedName) })])
        : .column(types: Set(origin.columns.map(\.type)))
      return
    }
    let tables = schemas.flatMap(\.tables.values)
    guard let column = object.column else {
      self = .table(
        tables.filter { object.isName(object.table, of: $0.name) }
          .map { Set($0.columns.map(\.name)) }
      )
      return
    }
    let columns = tables.flatMap(\.columns).filter { object.isName(column, of: $0.name) }
    self = .column(types: Set(columns.map(\.type.text)))
  }
}

extension RetainedObject {
  /// Returns whether a name is one that something was retained under.
  fileprivate func isName(_ name: SQLIdentifier, of original: SQLIdentifier) -> Bool {
    if name == original { return true }
    let base = RetainedNames.base(for: original, of: version)
    if name == StorageNames.fitted(base) { return true }
    // If that name was taken, a number follows it.
    guard name.name.hasPrefix(base + "_") else { return false }
    return name.name.dropFirst(base.count + 1).allSatisfy(\.isNumber)
  }
}
