internal import SQLSyntax

/// ```sql
/// ALTER TABLE "s"."t" ALTER COLUMN "c" SET DEFAULT 1
/// ```
struct SetDefault: SchemaOperation {
  var table: SQLIdentifier
  var column: SQLIdentifier
  /// The expression; none to drop the default.
  var expression: SQLFragment?
  /// The type of a column added by the same ALTER TABLE, which drops defaults before it adds
  /// columns.
  var newColumnType: SQLTypeName?

  var summary: String {
    "\(expression == nil ? "drop" : "set") default of column \"\(column)\" of table \"\(table)\""
  }

  var dependencies: OperationDependencies {
    OperationDependencies(requires: [.table(table), .columnName(table, column)])
  }

  var rank: OperationRank { .alterations }
  var traits: OperationTraits { [.needsOwnership, .staysInTable] }

  var impact: OperationImpact { .accessExclusive(table) }

  func lockedParts(in schema: DatabaseSchema) -> Set<LockedObject> {
    [.columnDefault(column, of: table)]
  }

  var subjects: [OperationSubject] { [OperationSubject(column: column)] }

  func relevance(to finding: ReleaseComparison.Finding) -> Int? {
    guard finding.isAbout(column, of: table) else { return nil }
    if case .conditionRequired = finding.breakage { return 0 }
    if case .valueRequired = finding.breakage { return 2 }
    return nil
  }

  func sql(in schema: SQLIdentifier) -> OperationSQL {
    if let expression { return .clauses(["ALTER COLUMN \(column) SET DEFAULT \(expression)"]) }
    guard let newColumnType else { return .clauses(["ALTER COLUMN \(column) DROP DEFAULT"]) }
    // A null that has to be fitted to a type modifier is an expression to the server, which stays.
    guard newColumnType.text.contains("(") else {
      return .clauses(["ALTER COLUMN \(column) SET DEFAULT NULL"])
    }
    let owner = QualifiedName(schema: schema, name: table)
    return .statements(["ALTER TABLE \(owner) ALTER COLUMN \(column) DROP DEFAULT"])
  }

  func apply(to schema: inout DatabaseSchema) {
    schema.tables[table]?.withColumn(column) { $0.defaultExpression = expression }
  }
}
