public import SQLSyntax

/// Work on a large table after the transaction that records the version, while others read and
/// write.
public enum DeferredWork: Hashable, Sendable {
  case validateConstraint(ConstraintValidation)
  case buildIndex(IndexBuild)
  case addUniqueConstraint(UniqueConstraintBuild)
  case setNotNull(NotNullRequirement)
  case dropIndex(IndexRemoval)

  /// The kinds of deferred work.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case validateConstraint = "validate-constraint"
    case buildIndex = "build-index"
    case addUniqueConstraint = "add-unique-constraint"
    case setNotNull = "set-not-null"
    case dropIndex = "drop-index"
  }

  /// The kind.
  public var kind: Kind {
    switch self {
    case .validateConstraint: .validateConstraint
    case .buildIndex: .buildIndex
    case .addUniqueConstraint: .addUniqueConstraint
    case .setNotNull: .setNotNull
    case .dropIndex: .dropIndex
    }
  }

  /// The work itself, whichever it is.
  var base: any DeferredOperation {
    switch self {
    case .validateConstraint(let work): work
    case .buildIndex(let work): work
    case .addUniqueConstraint(let work): work
    case .setNotNull(let work): work
    case .dropIndex(let work): work
    }
  }

  /// The table.
  public var table: SQLIdentifier { base.table }
  /// The constraint, index or column.
  public var object: SQLIdentifier { base.object }
  /// Whether a release relies on it.
  public var phase: MigrationPhase { base.phase }
  /// A summary in a line, in PostgreSQL's words.
  public var summary: String { base.summary }

  /// Returns its statements, in the order in which they run.
  package func statements(in schema: SQLIdentifier) -> [PlannedStatement] {
    base.statements(in: schema).map { statement in
      var statement = statement
      statement.phase = phase
      return statement
    }
  }

  /// Returns a query for the rows that keep the work from being done; none if there is no such query.
  package func question(in schema: DatabaseSchema) -> PlannedPrecondition? {
    guard let table = schema.tables[table], let key = table.key else { return nil }
    return base.question(
      of: table,
      Rows(table: schema.qualified(table.name), key: key, membership: nil)
    )
  }
}

/// The common properties of deferred work.
protocol DeferredOperation: Hashable, Sendable {
  /// The table that it works on.
  var table: SQLIdentifier { get }
  /// The constraint, index or column that it is about.
  var object: SQLIdentifier { get }
  /// Whether a release relies on it.
  var phase: MigrationPhase { get }
  /// A summary in a line, in PostgreSQL's words.
  var summary: String { get }
  func statements(in schema: SQLIdentifier) -> [PlannedStatement]
  /// Applies the statements to a schema value.
  func apply(to schema: inout DatabaseSchema)
  /// Returns a query for the rows that keep the work from being done.
  func question(of table: Table, _ rows: Rows) -> PlannedPrecondition?
}

extension DeferredOperation {
  func precondition(
    _ requirement: String,
    _ remedy: String,
    _ query: SQLFragment
  ) -> PlannedPrecondition {
    PlannedPrecondition(
      requirement: requirement,
      remedy: remedy,
      entityName: table.name,
      propertyName: nil,
      coreDataError: 134_110,
      failsSilently: false,
      query: query
    )
  }
}

extension DeferredWork {
  /// Creates recorded work from its metadata, in the version that it belongs to.
  ///
  /// - Parameters:
  ///   - kind: The kind of work.
  ///   - object: The constraint, index or column.
  ///   - table: The table.
  ///   - schema: The tables of the recorded version.
  ///   - serverMajor: The server's major version.
  package init?(
    _ kind: Kind,
    _ object: SQLIdentifier,
    of table: SQLIdentifier,
    in schema: DatabaseSchema,
    serverMajor: Int
  ) {
    guard let contents = schema.tables[table] else { return nil }
    let constraint = contents.constraints.first { $0.name == object }
    switch kind {
    case .validateConstraint:
      guard let constraint else { return nil }
      self = .validateConstraint(ConstraintValidation(table: table, constraint: constraint))
    case .buildIndex:
      guard let index = contents.indexes.first(where: { $0.name == object }) else { return nil }
      self = .buildIndex(IndexBuild(table: table, index: index))
    case .addUniqueConstraint:
      guard let constraint, constraint.hasIndex else { return nil }
      self = .addUniqueConstraint(UniqueConstraintBuild(table: table, constraint: constraint))
    case .setNotNull:
      guard let name = contents.column(object)?.notNullConstraint else { return nil }
      let form = NotNullForm(of: object, of: table, serverMajor: serverMajor)
      self = .setNotNull(
        NotNullRequirement(table: table, column: object, constraint: name, form: form)
      )
    case .dropIndex:
      // The version does not have it any more.
      self = .dropIndex(IndexRemoval(table: table, index: object))
    }
  }
}
