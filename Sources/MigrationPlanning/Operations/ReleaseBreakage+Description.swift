extension ReleaseBreakage: CustomStringConvertible {
  /// What happens to the previous release, in a line.
  public var description: String {
    switch self {
    case .tableRenamed(let table, let name):
      return "uses table \"\(table)\", which is called \"\(name)\" now"
    case .tableDropped(let table):
      return "uses table \"\(table)\", which has gone"
    case .columnRenamed(let column, let name, let table):
      return "uses column \"\(column)\" of table \"\(table)\", which is called \"\(name)\" now"
    case .columnDropped(let column, let table):
      return "uses column \"\(column)\" of table \"\(table)\", which has gone"
    case .typeChanged(let column, let table, let before, let after):
      return
        "reads and writes column \"\(column)\" of table \"\(table)\" as \(before), which is \(after) now"
    case .valueRequired(let column, let table):
      return "INSERT or UPDATE without a value for \"\(column)\" of table \"\(table)\" fails"
    case .uniquenessRequired(let columns, let table):
      let names = columns.map { "\"\($0)\"" }.joined(separator: ", ")
      return "INSERT or UPDATE that repeats \(names) of another row of table \"\(table)\" fails"
    case .conditionRequired(let constraint, let table):
      return
        "INSERT or UPDATE of a row of table \"\(table)\" that does not meet \"\(constraint)\" fails"
    case .entitiesRenamed(let table):
      return "finds and writes rows of table \"\(table)\" by names of entities that have changed"
    case .rowsLeft(let table):
      return "looks in table \"\(table)\" for rows that are no longer there"
    }
  }
}
