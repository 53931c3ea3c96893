public import SQLSyntax

/// What has become of something retained.
public enum RetainedState: Hashable, Sendable {
  /// It is there, as it was left.
  case present
  /// Somebody has dropped it.
  case gone
  /// Something else has its name.
  case replaced(Difference)

  /// What tells something else from what was retained.
  public enum Difference: Hashable, Sendable {
    /// It is no table; the server's letter for what it is.
    case notATable(kind: String)
    /// The table lacks columns that it had.
    case lacksColumns([SQLIdentifier])
    /// The column is of another type.
    case otherType(String, expected: [String])
  }
}

/// What something retained has to be like, as far as the version tells that had it last.
public enum RetainedShape: Hashable, Sendable {
  /// A table that has these columns; several sets where the version was recorded more than once.
  case table([Set<SQLIdentifier>])
  /// A column of one of these types; any type if there are none.
  case column(types: Set<String>)

  /// Finds out what something retained looks like: it was recorded with it, but by early tools.
  ///
  /// Tables may be renamed after a column of theirs was retained, so that a column is looked for in
  /// all of them.
  ///
  /// - Parameters:
  ///   - object: What is retained.
  ///   - schemas: The layouts of the version that had it last.
  public init(of object: RetainedObject, in schemas: [DatabaseSchema]) {
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
    // Where that was taken, a number stands behind it.
    guard name.name.hasPrefix(base + "_") else { return false }
    return name.name.dropFirst(base.count + 1).allSatisfy(\.isNumber)
  }
}
