internal import CatalogComparison
package import MigrationPlanning
internal import ObjectModel
internal import PostgresClient
package import SQLSyntax

/// A plan as a script for `psql`, which has the same result as running the plan.
package enum MigrationScript {
  /// Returns the script: the session's settings, then for each step a transaction with the
  /// migration lock, the guard of the version, the preconditions, the locks, the statements and the
  /// metadata.
  ///
  /// - Parameters:
  ///   - steps: The steps.
  ///   - store: The store.
  ///   - role: The role of the session; `nil` for that of the login.
  ///   - lockTimeout: The time to wait for each lock.
  ///   - metadataLayout: The version of the metadata's layout; `nil` if the schema does not exist
  ///     yet.
  ///   - hasCitus: Whether the database has Citus.
  /// - Returns: The text of the script.
  /// - Throws: The reason why the plan cannot be a script.
  package static func text(
    for steps: [MigrationStep],
    in store: StoreIdentity,
    as role: SQLIdentifier? = nil,
    lockTimeout: Duration,
    metadataLayout: Int?,
    hasCitus: Bool = false
  ) throws -> String {
    var script = Script()
    script.comment("psql -v ON_ERROR_STOP=1 -f THIS_FILE")
    script.line("\\set ON_ERROR_STOP on")
    for statement in PostgresConnection.sessionPrologue { script.statement(statement) }
    if hasCitus { script.statement(Script.block("PERFORM \(PostgresConnection.prologueOfCitus);")) }
    script.statement(
      role.map(PostgresConnection.assumption)
        ?? Script.block("PERFORM \(PostgresConnection.superuserRole());")
    )
    for (index, step) in steps.enumerated() {
      try script.add(
        step,
        in: store,
        lockTimeout,
        metadata: index == 0 ? Self.preparation(of: metadataLayout, store) : nil,
        isFirst: index == 0
      )
    }
    if let fault = script.fault { throw fault }
    return script.text
  }

  /// A statement that `psql` would read in another way than the server.
  package struct Fault: Error, Hashable, Sendable {
    /// The statement.
    package let statement: String
    /// The reason why psql would misread it.
    package let fault: ReadableSQL.Fault
  }

  /// Returns the statement that creates the metadata, or upgrades an earlier layout of it.
  private static func preparation(of layout: Int?, _ store: StoreIdentity) -> SQLFragment? {
    let schema = MetadataSchema(name: store.metadataSchema)
    let name = SQLLiteral.text(schema.relation("metadata").quoted)
    guard let layout else {
      return Script.block(
        """
        IF NOT pg_try_advisory_xact_lock(\(store.bootstrapKey)) THEN
            RAISE EXCEPTION 'another migrator makes the metadata' USING ERRCODE = '55P03';
          END IF;
          IF to_regclass(\(name)) IS NULL THEN
            \(schema.creation.joined(separator: ";\n    "));
          END IF;
        """
      )
    }
    let upgrade = schema.upgrade(from: layout)
    guard !upgrade.isEmpty else { return nil }
    return Script.block(
      """
      \(Script.refusal(ofMetadata: layout, in: store))
        IF (SELECT max(layout_version) FROM \(schema.relation("metadata"))) \
      = \(layout) THEN
          \(upgrade.joined(separator: ";\n    "));
        END IF;
      """
    )
  }
}

private struct Script {
  private(set) var text = ""
  /// The first statement that is none to psql.
  private(set) var fault: MigrationScript.Fault?

  mutating func line(_ line: String) { text += line + "\n" }

  /// A comment, on one line: a name from a model must not end it.
  mutating func comment(_ comment: String) {
    line("-- " + comment.split(whereSeparator: \.isNewline).joined(separator: " ").shownInLine)
  }

  mutating func statement(_ statement: SQLFragment) {
    let sql = ReadableSQL(statement.text)
    if let found = sql.fault {
      fault = fault ?? MigrationScript.Fault(statement: statement.text, fault: found)
    }
    line(sql.text + (sql.endsInComment ? "\n;" : ";"))
  }

  mutating func add(
    _ step: MigrationStep,
    in store: StoreIdentity,
    _ lockTimeout: Duration,
    metadata: SQLFragment?,
    isFirst: Bool
  ) throws {
    let way = step.source.map { "\"\($0.name)\" to " } ?? ""
    line("")
    comment("\(way)\"\(step.destination.name)\": \(step.statements.count) statements")
    for (index, part) in step.transactions.enumerated() {
      statement(step.transactionMode.beginning)
      statement(Transaction.lookingUpInCatalog)
      if step.isIntoSchema, !step.lockedTables.isEmpty {
        statement(Transaction.locking(step.lockedTables, .accessShare))
      }
      statement(Self.migrationLock(store))
      if let metadata, index == 0 { statement(metadata) }
      if isFirst, index == 0 {
        statement(Self.guardingMetadata(of: MetadataSchema.layoutVersion, in: store))
      }
      statement(Self.guarding(step, upTo: part.lowerBound, in: store))
      if part.lowerBound == 0, step.source != nil, !step.isIntoSchema {
        statement(Self.guardingDeferredWork(in: store))
      }
      if let copied = step.copiedStore(store) {
        statement(Self.guarding(step.source, in: copied))
      }
      addStatements(part, of: step, in: store, lockTimeout)
      let isLast = index + 1 == step.transactions.count
      try addRecord(of: step, upTo: isLast ? nil : part.upperBound, in: store)
      statement("COMMIT")
    }
    addDeferredWork(of: step, in: store, lockTimeout)
  }

  private mutating func addStatements(
    _ part: Range<Int>,
    of step: MigrationStep,
    in store: StoreIdentity,
    _ lockTimeout: Duration
  ) {
    statement(Transaction.lockTimeout(max(1, lockTimeout.inMilliseconds)))
    for view in step.lockedViews { statement(Transaction.locking(view)) }
    for mode in LockMode.allCases.reversed() {
      let tables = step.lockedTables.filter { $0.mode == mode }
      if !tables.isEmpty { statement(Transaction.locking(tables, mode)) }
    }
    // Another role may have replaced a table since the plan was created.
    guardObjects(StoreOwnership(of: step, in: store))
    for precondition in step.preconditions {
      comment(precondition.requirement)
      statement(Self.question(precondition))
    }
    statement("SET CONSTRAINTS ALL IMMEDIATE")
    for planned in step.statements[part] {
      comment(planned.reason)
      statement(planned.sql)
    }
  }

  /// Adds deferred work, each piece of which is recorded when it is done; `finish` does the work
  /// that a script leaves.
  private mutating func addDeferredWork(
    of step: MigrationStep,
    in store: StoreIdentity,
    _ lockTimeout: Duration
  ) {
    guard step.hasDeferredWork else { return }
    let schema = step.destination.projection.schema.name
    let key = SQLLiteral.integer(store.migrationLockKey)
    statement(Self.migrationLock(store, of: "pg_try_advisory_lock"))
    for work in step.deferredWork {
      comment("\(work.phase.rawValue): \(work.summary)")
      let statements = work.statements(in: schema)
      // Later statements must not roll back the ones that take long.
      let lone = statements.prefix { !$0.isTransactional || !$0.impact.scans.isEmpty }
      guardObjects(StoreOwnership(of: step, in: store))
      for planned in lone { statement(planned.sql) }
      statement("BEGIN")
      statement(Transaction.lookingUpInCatalog)
      statement(Transaction.lockTimeout(max(1, lockTimeout.inMilliseconds)))
      for planned in statements.dropFirst(lone.count) { statement(planned.sql) }
      statement(DeferredWorkStatements(store).end(of: work))
      for sql in MetadataStatements(store)
        .recordingDefinitions(of: work.objects, in: step.destination.projection)
      {
        statement(sql)
      }
      statement("COMMIT")
    }
    statement("SELECT pg_advisory_unlock(\(key))")
  }

  /// Records the version, or how far its creation is.
  private mutating func addRecord(
    of step: MigrationStep,
    upTo done: Int?,
    in store: StoreIdentity
  ) throws {
    let statements = MetadataStatements(store)
    let archive = try ModelArchive.text(of: step.destination.projection.model)
    if let done {
      statement(statements.progress(of: step, done: done, archive: archive))
      return
    }
    if step.isInParts { statement(statements.creationEnd) }
    for sql in statements.recording(step, archive: archive) { statement(sql) }
    let attempt = HistoryAttempt(id: nil, startedAt: nil, kind: HistoryKind(step.kind))
    statement(statements.event(.succeeded, of: step, digest: step.digest, attempt: attempt))
  }

  private static func migrationLock(
    _ store: StoreIdentity,
    of function: SQLIdentifier = "pg_try_advisory_xact_lock"
  ) -> SQLFragment {
    let key = SQLLiteral.integer(store.migrationLockKey)
    return block(
      """
      IF NOT \(function)(\(key)) THEN
          RAISE EXCEPTION 'another migrator of this store is at work' USING ERRCODE = '55P03';
        END IF;
      """
    )
  }

  private static func guarding(
    _ step: MigrationStep,
    upTo done: Int,
    in store: StoreIdentity
  ) -> SQLFragment {
    guard done == 0 else {
      let condition = MetadataStatements(store).isCreated(step, upTo: done)
      return block(
        """
        IF NOT \(condition) THEN
            RAISE EXCEPTION 'the creation is not where this script continues it';
          END IF;
        """
      )
    }
    return guarding(step.isIntoSchema ? nil : step.source, in: store)
  }

  private static func guarding(
    _ source: PlannedVersion?,
    in store: StoreIdentity
  ) -> SQLFragment {
    let relation = MetadataSchema(name: store.metadataSchema).relation("store")
    let schema = SQLLiteral.text(store.schema.name)
    let model = SQLLiteral.text(store.modelName)
    let condition: SQLFragment
    if let source {
      condition = """
        version_name = \(text: source.name) \
        AND checksum = \(text: source.hashes.checksum.text) \
        AND layout_digest = \(text: source.hashes.layoutDigest.text)
        """
    } else {
      condition = "true"
    }
    let expectation: SQLFragment = source == nil ? "" : "NOT "
    return block(
      """
      IF \(expectation)EXISTS (SELECT FROM \(relation) WHERE schema_name = \(schema) \
      AND model_name = \(model) AND \(condition)) THEN
          RAISE EXCEPTION 'the database is not at the version that this script was made for';
        END IF;
      """
    )
  }

  /// Deferred work of the last version precedes the next version, whose model may not have its
  /// objects.
  private static func guardingDeferredWork(in store: StoreIdentity) -> SQLFragment {
    block(
      """
      IF EXISTS (\(DeferredWorkStatements(store).anyPending)) THEN
          RAISE EXCEPTION 'an online migration of this store is not finished' \
      USING ERRCODE = '55000', HINT = 'Run "remodel finish" first.';
        END IF;
      """
    )
  }

  /// Checks that trusted roles own the metadata, before anything of it is read.
  private static func guardingMetadata(of layout: Int, in store: StoreIdentity) -> SQLFragment {
    block(refusal(ofMetadata: layout, in: store))
  }

  /// Refuses metadata that is incomplete, or that a role owns which is not trusted.
  static func refusal(ofMetadata layout: Int, in store: StoreIdentity) -> SQLFragment {
    let relations = MetadataRelation.ofLayout(layout)
    let schema = SQLLiteral.text("schema \(store.metadataSchema.quoted)")
    return """
      IF NOT \(MetadataGuard(store: store, relations: relations).condition) THEN
          RAISE EXCEPTION USING MESSAGE = \(schema) || \
      ' has metadata that another role owns or can write to, or lacks a part of it', ERRCODE = '42501';
        END IF;
      """
  }

  /// Checks that the tables, and the objects that they call or refer to, belong to trusted roles.
  private mutating func guardObjects(_ ownership: StoreOwnership) {
    let schema = SQLLiteral.text("the store in schema \(ownership.store.schema.quoted)")
    statement(
      Self.block(
        """
        IF \(ownership.refusal) THEN
            RAISE EXCEPTION USING MESSAGE = \(schema) || ' has objects of other owners', \
        ERRCODE = '42501', HINT = 'Run "remodel migrate", which is refused as well, and names them.';
          END IF;
        """
      )
    )
  }

  private static func question(_ precondition: PlannedPrecondition) -> SQLFragment {
    let message = SQLLiteral.text("the rows do not allow it: \(precondition.requirement)")
    return block(
      """
      IF (SELECT count FROM (\(precondition.query)) AS question) > 0 THEN
          RAISE EXCEPTION USING MESSAGE = \(message), ERRCODE = '23000';
        END IF;
      """
    )
  }

  static func block(_ body: SQLFragment) -> SQLFragment {
    let statements: SQLFragment = "\nBEGIN\n  \(body)\nEND\n"
    return "DO \(statements.dollarQuoted)"
  }
}
