internal import SQLSyntax

extension ReleaseBreakage: CustomStringConvertible {
  /// The effect on the previous release, in a line.
  public var description: String {
    switch self {
    case .tableRenamed(let table, let name):
      return "uses table \"\(table)\", which becomes \"\(name)\""
    case .tableDropped(let table):
      return "uses table \"\(table)\", which is dropped"
    case .columnRenamed(let column, let name, let table):
      return "uses column \"\(column)\" of table \"\(table)\", which becomes \"\(name)\""
    case .columnDropped(let column, let table):
      return "uses column \"\(column)\" of table \"\(table)\", which is dropped"
    case .typeChanged(let column, let table, let before, let after):
      return
        "reads and writes column \"\(column)\" of table \"\(table)\" as \(before), which becomes \(after)"
    case .valueRequired(let column, let table):
      return "INSERT or UPDATE without a value for \"\(column)\" of table \"\(table)\" fails"
    case .valueComputed(let column, let table):
      return "INSERT or UPDATE with a value for \"\(column)\" of table \"\(table)\" fails"
    case .computationRequired(let column, let table):
      return
        "INSERT or UPDATE fails for a row from which column \"\(column)\" of table \"\(table)\" cannot be computed"
    case .uniquenessRequired(let columns, let table):
      return
        "INSERT or UPDATE that repeats \(Self.list(columns)) of another row of table \"\(table)\" fails"
    case .keyRemoved(let columns, let table):
      return
        "INSERT with ON CONFLICT (\(Self.list(columns))) into table \"\(table)\" fails: no such key is left"
    case .conditionRequired(let constraint, let table):
      return
        "INSERT or UPDATE of a row of table \"\(table)\" that does not meet \"\(constraint)\" fails"
    case .referenceRequired(let column, let table, let referenced):
      return
        "INSERT or UPDATE with a value for \"\(column)\" of table \"\(table)\" that no row of table "
        + "\"\(referenced)\" has fails"
    case .deletionRefused(let table, let referring):
      return "DELETE of a row of table \"\(table)\" that table \"\(referring)\" refers to fails"
    case .keyChangeRefused(let table, let referring):
      return
        "UPDATE of the key of a row of table \"\(table)\" that table \"\(referring)\" refers to fails"
    case .nameRemoved(let name, let table):
      return
        "names \"\(name)\" of table \"\(table)\", which is something else now, cannot be deferred, or is dropped"
    case .entitiesRenamed(let table):
      return "finds and writes rows of table \"\(table)\" by names of entities that have changed"
    case .rowsLeft(let table):
      return "looks in table \"\(table)\" for rows that are no longer there"
    }
  }

  private static func list(_ columns: [SQLIdentifier]) -> String {
    columns.map { "\"\($0)\"" }.joined(separator: ", ")
  }
}
