internal import SQLSyntax

/// Changes the type of a column; the default is dropped and set again, so that it has the text of a
/// new table.
///
/// Other operations drop conditions and indexes with expressions over the column before, and create
/// them again.
///
/// ```sql
/// ALTER TABLE "s"."t" ALTER COLUMN "c" TYPE bigint USING "c"::bigint
/// ```
struct ChangeColumnType: SchemaOperation {
  var table: SQLIdentifier
  var column: SQLIdentifier
  var before: SQLTypeName
  var after: SQLTypeName
  var defaultBefore: SQLFragment?
  var defaultAfter: SQLFragment?
  /// Whether the column itself is in an index.
  var isIndexed = false

  var summary: String {
    "change type of column \"\(column)\" of table \"\(table)\" from \(before) to \(after)"
  }

  var dependencies: OperationDependencies {
    OperationDependencies(
      requires: [
        .table(table), .columnName(table, column), .freedom(table, column), .reads(table),
        .unread(table, column), .quiet(table), .unused(table, column),
      ],
      provides: [.columnType(table, column)]
    )
  }

  var rank: OperationRank { .alterations }
  var traits: OperationTraits { [.needsOwnership, .staysInTable] }

  var impact: OperationImpact {
    var impact = OperationImpact.accessExclusive(table, .failsOnData)
    if !isBinaryCompatible {
      impact.rewrites = [table]
      impact.scans = [table]
    } else if isIndexed, changesIndexes {
      impact.scans = [table]
    }
    return impact
  }

  /// Whether indexes of the column are rebuilt even if the rows are not rewritten.
  private var changesIndexes: Bool {
    ColumnTypeShape(before) == .timestamp && before != after
  }

  /// The conversions that change no row: longer or unbounded text, more digits at the same scale, and
  /// a time with and without a time zone.
  private var isBinaryCompatible: Bool {
    switch (ColumnTypeShape(before), ColumnTypeShape(after)) {
    // The session's time zone is UTC.
    case (.varchar, .text), (.text, .text), (.timestamp, .timestamp): true
    case (.varchar(let old), .varchar(let new)): old <= new
    case (.numeric, .unboundedNumeric): true
    case (.numeric(let precision, let scale), .numeric(let newPrecision, let newScale)):
      scale == newScale && precision <= newPrecision
    default: before == after
    }
  }

  func lockedParts(in schema: DatabaseSchema) -> Set<LockedObject> {
    var objects: Set<LockedObject> = [.rowTypes(of: table), .columnDefault(column, of: table)]
    guard !impact.scans.isEmpty, let contents = schema.tables[table] else { return objects }
    objects.formUnion(contents.lockedParts)
    objects.insert(.rewrite(of: table))
    objects.formUnion(contents.indexNames.map { .rebuiltIndex($0) })
    objects.formUnion(contents.constraints.map { .constraint($0.name, of: table) })
    return objects
  }

  func rowWork(in schema: DatabaseSchema) -> [[RowWork]] {
    if !impact.rewrites.isEmpty { return [[.rewrite(schema.qualified(table))]] }
    return [impact.scans.isEmpty ? [] : [.indexing([column], of: table, in: schema)]]
  }

  var subjects: [OperationSubject] { [OperationSubject(column: column)] }
  var dependentBreakage: DependentBreakage { .typeChanged(column) }

  func relevance(to finding: ReleaseComparison.Finding) -> Int? {
    guard case .typeChanged = finding.breakage else { return nil }
    return finding.isAbout(column, of: table) ? 0 : nil
  }

  func mayFail(_ risks: RowRisks, at places: [StatementPlace]) -> Bool { risks.isAsked(places) }

  func sql(in schema: SQLIdentifier) -> OperationSQL {
    var clauses: [SQLFragment] = []
    if defaultBefore != nil { clauses.append("ALTER COLUMN \(column) DROP DEFAULT") }
    clauses.append(
      "ALTER COLUMN \(column) TYPE \(after) USING \(Self.conversion(of: column, from: before, to: after))"
    )
    if let defaultAfter { clauses.append("ALTER COLUMN \(column) SET DEFAULT \(defaultAfter)") }
    return .clauses(clauses)
  }

  /// Returns the values of a column as those of another type.
  static func conversion(
    of column: SQLIdentifier,
    from before: SQLTypeName,
    to after: SQLTypeName
  ) -> SQLFragment {
    conversion(of: "\(column)", from: before, to: after)
  }

  static func conversion(
    of column: SQLFragment,
    from before: SQLTypeName,
    to after: SQLTypeName
  ) -> SQLFragment {
    if before == after { return column }
    // Between booleans and numbers there is no cast but of integer.
    switch (before.text, after.text) {
    case ("boolean", _), (_, "boolean"): return "\(column)::integer::\(after)"
    case ("boolean[]", _), (_, "boolean[]"): return "\(column)::integer[]::\(after)"
    default: return "\(column)::\(after)"
    }
  }

  func apply(to schema: inout DatabaseSchema) {
    schema.tables[table]?.withColumn(column) {
      $0.type = after
      $0.defaultExpression = defaultAfter
    }
  }
}

/// The types whose modifiers decide whether a conversion rewrites the table.
private enum ColumnTypeShape: Equatable {
  case text, unboundedNumeric, timestamp, other
  case varchar(Int)
  case numeric(Int, Int)

  init(_ type: SQLTypeName) {
    let parts = type.parts
    self =
      switch (parts.family, parts.name, parts.modifiers.count) {
      case (.text, "text", 0): .text
      case (.text, "character varying", 1): .varchar(parts.modifiers[0])
      case (.numeric, _, 0): .unboundedNumeric
      case (.numeric, _, 2): .numeric(parts.modifiers[0], parts.modifiers[1])
      case (.timestamp, _, 0): .timestamp
      // Arrays are always rewritten.
      default: .other  // Names of the server's types, not a closed set.
      }
  }
}

extension SQLTypeName {
  /// How many bytes the longest value takes up with its header, if that is known and not much.
  var longestValue: Int64? {
    guard case .varchar(let length) = ColumnTypeShape(self) else { return nil }
    // No character takes more than four bytes; more than the server allows is not taken for short.
    return length <= 10_485_760 ? Int64(length) * 4 + 4 : nil
  }
}
