internal import ObjectModel
internal import SQLSyntax

extension MigrationStep {
  /// A Boolean value that indicates whether the step copies in many transactions.
  public var isCopyJob: Bool { copy != nil && strategy != .locked }

  /// Returns the step with tables that are made by a copy, brought to their places by statements of
  /// its own.
  ///
  /// - Parameters:
  ///   - copy: What is copied.
  ///   - strategy: How.
  ///   - statements: What the step runs at the end, under its locks.
  ///   - lockedTables: The tables that it locks for that.
  /// - Returns: The step.
  package func copying(
    _ copy: CopyPlan,
    by strategy: CopyStrategy,
    statements: [PlannedStatement],
    lockedTables: [LockedTable]
  ) -> MigrationStep {
    var step = self
    step.copy = copy
    step.strategy = strategy
    step.statements = statements
    step.lockedTables = lockedTables
    return step
  }
}

extension MigrationStep {
  /// What runs when the step has been committed, each statement in a transaction of its own.
  public var settlingStatements: [PlannedStatement] { validations + lateStatements }

  /// The statements that validate the foreign keys of tables which a copy made.
  private var validations: [PlannedStatement] {
    guard let copy, isCopyJob else { return [] }
    return copy.lateReferences.map {
      var statement = $0.validation(in: copy.schema)
      statement.phase = .now
      return statement
    }
  }

  /// A digest of what is copied, by which a job is gone on with; none if nothing is.
  ///
  /// What is carried over, and what is done at the end, is not part of it: that may change meanwhile.
  package var copyDigest: String? {
    guard let copy else { return nil }
    var bytes: [UInt8] = []
    func add(_ text: String) {
      bytes += text.utf8
      bytes.append(0)
    }
    addVersions(to: add)
    copy.addFingerprint(to: add)
    return "sha256:" + hexadecimalSHA256(of: bytes)
  }
}

extension CopyPlan {
  /// Passes on every statement and every name that the copy goes by.
  func addFingerprint(to add: (String) -> Void) {
    // To be raised with every change of how changes are captured and copied again.
    add("copy:2")
    add(schema.name)
    add(stagingSchema.name)
    for statement in preparation + openings + keyStarts + closings + validations + completion {
      add(statement.sql.text)
    }
    for source in sources {
      add(source.table.name)
      for column in source.key + source.carried { add("\(column.name.name) \(column.type.text)") }
      for column in source.watched { add(column.name) }
    }
    for map in maps {
      add("\(map.mappingName) \(map.members.quoted) \(map.source.name) \(map.domainColumn.name)")
      for statement in map.fill { add(statement.sql { $0 }.text) }
      for statement in map.withdrawal { add(statement.sql { $0 }.text) }
      for dependency in map.dependencies {
        add("\(dependency.source.name) \(dependency.units.text)")
      }
    }
    for rowPolicy in rowPolicies { rowPolicy.addFingerprint(to: add) }
    for table in tables {
      add("\(table.name.name) \(table.unit.name) \(table.unitType.text)")
      for column in table.columns + table.key + table.comparedAsText.sorted() { add(column.name) }
      for feed in table.feeds {
        add("\(feed.mappingName) \(feed.domain.quoted) \(feed.domainColumn.name)")
        add(feed.query().text)
        add(feed.insertion?.sql { $0 }.text ?? "")
      }
      for dependency in table.dependencies {
        add(dependency.source.name)
        add(dependency.units.text)
      }
    }
  }
}
