internal import SQLSyntax

/// The requirements and the results of an operation.
struct OperationDependencies: Hashable, Sendable {
  /// The resources that must exist before.
  var requires: Set<Resource> = []
  /// The resources that exist afterwards.
  var provides: Set<Resource> = []
  /// The names that it needs free.
  var claims: Set<NameSlot> = []
  /// The names that it gives up.
  var releases: Set<NameSlot> = []

  /// Something that one operation provides and others require.
  enum Resource: Hashable, Sendable {
    /// The table, under this name.
    case table(SQLIdentifier)
    /// The column, under this name.
    case columnName(SQLIdentifier, SQLIdentifier)
    /// The column of the source, under this name.
    case formerColumn(SQLIdentifier, SQLIdentifier)
    /// The table without the column of this name whose place another one takes.
    case vacancy(SQLIdentifier, SQLIdentifier)
    /// The constraint, index or sequence of the table, under this name.
    case objectName(SQLIdentifier, SQLIdentifier)
    /// The column with the type that it is to have.
    case columnType(SQLIdentifier, SQLIdentifier)
    /// The column with the values that it is to have.
    case values(SQLIdentifier, SQLIdentifier)
    /// The column with the values that come from elsewhere, nulls still to be filled.
    case movedValues(SQLIdentifier, SQLIdentifier)
    /// The table with the rows that it is to have, under the names of their entities.
    case rows(SQLIdentifier)
    /// The table with its rows on the nodes that they are to be on.
    case placed(SQLIdentifier)
    /// The table with the rows and links that come back to it from where they were retained.
    case returned(SQLIdentifier)
    /// The table with the rows that come from another one.
    case arrived(SQLIdentifier)
    /// The table without the rows that leave it.
    case departed(SQLIdentifier)
    /// Whatever reads the rows of the table as they were has been done.
    case reads(SQLIdentifier)
    /// Whatever reads values of the table for other columns of it has been done.
    case ownReads(SQLIdentifier)
    /// Whatever reads the links of the column as they were for another place has been done.
    case linkReads(SQLIdentifier, SQLIdentifier)
    /// The column with the links that come to it from another place.
    case movedLinks(SQLIdentifier, SQLIdentifier)
    /// The rows of the table that go are retained elsewhere, with all their links.
    case retainedRows(SQLIdentifier)
    /// The table without links to rows that go.
    case cut(SQLIdentifier)
    /// The column without the constraints that it is not to have.
    case freedom(SQLIdentifier, SQLIdentifier)
    /// The column without generated ones that read it and are not to.
    case unread(SQLIdentifier, SQLIdentifier)
    /// The table without the triggers that it is not to have.
    case quiet(SQLIdentifier)
    /// Nothing keeps a hold of the table any more.
    case unreferenced(SQLIdentifier)
    /// The column without the dependent objects that hold it as it is.
    case unused(SQLIdentifier, SQLIdentifier)
    /// The table, under the name that it is to have, with the settings of the one before.
    case settings(SQLIdentifier)
    /// The dependent object of this name, created again.
    case dependent(String)
    /// The dependent object of this name without others that use it.
    case unusedDependent(String)
  }

  /// A name that only one object can have at a time.
  enum NameSlot: Hashable, Sendable {
    case relation(SQLIdentifier)
    case column(SQLIdentifier, SQLIdentifier)
    case constraint(SQLIdentifier, SQLIdentifier)
    case function(SQLIdentifier)
  }
}

extension Set<OperationDependencies.Resource> {
  /// Columns with their final names, types and values.
  static func settled(_ columns: [SQLIdentifier], of table: SQLIdentifier) -> Self {
    var resources: Self = [.table(table), .rows(table), .returned(table), .placed(table)]
    for column in columns {
      resources.formUnion([
        .columnName(table, column), .columnType(table, column), .values(table, column),
      ])
    }
    return resources
  }
}
