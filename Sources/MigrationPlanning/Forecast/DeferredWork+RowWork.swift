internal import SQLSyntax

extension DeferredWork {
  /// Returns the row work of each statement.
  func rowWork(in schema: DatabaseSchema) -> [[RowWork]] {
    let name = schema.qualified(table)
    switch self {
    case .validateConstraint(let validation):
      guard let referenced = validation.constraint.referencedTable else { return [[.read(name)]] }
      return [[.checkReferences(from: name, to: schema.qualified(referenced))]]
    case .buildIndex(let build): return [[.indexing(build.index, of: table, in: schema)]]
    case .addUniqueConstraint(let build):
      return [[.indexing(build.constraint.columns, of: table, in: schema)], []]
    case .setNotNull(let requirement):
      switch requirement.form {
      case .check: return [[.read(name)], [], []]
      case .notNull: return [[.read(name)]]
      }
    case .dropIndex: return [[]]
    }
  }

  /// The tables and columns that it is about.
  var places: [StatementPlace] {
    func places(_ columns: [SQLIdentifier], isOfKey: Bool) -> [StatementPlace] {
      columns.map { column in
        StatementPlace(
          after: StatementPlace.Location(table: table, column: column),
          isOfKey: isOfKey
        )
      }
    }
    switch self {
    case .validateConstraint(let validation):
      return places(validation.constraint.columns, isOfKey: false)
    case .buildIndex(let build): return places(build.index.readColumns, isOfKey: true)
    case .addUniqueConstraint(let build): return places(build.constraint.columns, isOfKey: true)
    case .setNotNull(let requirement): return places([requirement.column], isOfKey: false)
    case .dropIndex: return [StatementPlace(made: table)]
    }
  }
}
