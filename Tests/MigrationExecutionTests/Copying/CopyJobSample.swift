import ObjectModel
import PostgresClient
import SQLSyntax
import Synchronization
import TestSupport

@testable import MigrationExecution
@testable import MigrationPlanning

/// A step by hand: the titles of books become upper case, and their authors a table of their own.
struct CopyJobSample {
  let store = StoreIdentity(schema: "public", modelName: "M", metadataSchema: "remodel")
  let first: PlannedVersion
  let step: MigrationStep

  init(_ strategy: CopyStrategy, title: SQLFragment = "upper(b.title)") throws {
    func attribute(_ name: String, _ type: AttributeType) -> AttributeDescription {
      var attribute = AttributeDescription(name: name, type: type)
      attribute.isOptional = true
      return attribute
    }
    var book = EntityDescription(name: "Book")
    book.attributes = [
      attribute("title", .string), attribute("pages", .integer32), attribute("authorName", .string),
    ]
    var author = EntityDescription(name: "Author")
    author.attributes = [attribute("name", .string)]
    first = try Self.version("1", [book])
    book.attributes.removeLast()
    let second = try Self.version("2", [book, author])
    let metadataOnly = try MigrationPlanner(removals: .drop).step(creating: second)
    step = MigrationStep(
      source: first,
      destination: second,
      passedVersions: [],
      mappingModel: metadataOnly.mappingModel,
      preconditions: [],
      lockedTables: [
        MigrationStep.LockedTable(
          name: QualifiedName(schema: "public", name: "book"),
          mode: .accessExclusive
        )
      ],
      statements: [
        "SELECT setval('staging.book__id_seq', nextval('public.book__id_seq'))",
        "DROP TABLE public.book",
        "ALTER TABLE staging.book SET SCHEMA public",
        "ALTER TABLE staging.author SET SCHEMA public",
        """
        ALTER TABLE public.author ADD CONSTRAINT author_fkey FOREIGN KEY (_id) \
        REFERENCES public.author (_id) DEFERRABLE NOT VALID
        """,
      ].map { PlannedStatement(sql: $0, reason: "install the tables", impact: OperationImpact()) },
      retained: [],
      renamedRetained: [:],
      droppedRetained: [],
      warnings: [],
      copy: Self.plan(title),
      strategy: strategy,
      operations: []
    )
  }

  private static func version(
    _ name: String,
    _ entities: [EntityDescription]
  ) throws -> PlannedVersion {
    let model = ManagedObjectModel(entities: entities)
    return PlannedVersion(
      name: name,
      hashes: model.versionHashes(),
      projection: try ModelProjection(model, schema: "public")
    )
  }

  // MARK: - Running

  /// Makes the first version and fills it.
  func prepare(_ url: String, rows: Int) throws {
    let connection = try PostgresConnection(to: .url(url))
    try connection.prepareSession()
    try MetadataStore(store).createOrUpgrade(connection, Interruption())
    let creation = try MigrationPlanner().step(creating: first)
    _ = try execution(url, of: creation).run(connection)
    try connection.execute(
      """
      INSERT INTO public.book (title, pages, author_name)
        SELECT 'Title ' || i, i % 700, 'Author ' || i % 97
        FROM generate_series(1, \(SQLLiteral.integer(Int64(rows)))) AS i
      """
    )
  }

  func execution(
    _ url: String,
    of step: MigrationStep? = nil,
    waitForMigrationLock: Duration = .seconds(20),
    interruption: Interruption = Interruption(),
    onEvent: (@Sendable (MigrationEvent) -> Void)? = nil
  ) -> StepExecution {
    StepExecution(
      step ?? self.step,
      in: store,
      settings: StepExecution.Settings(
        lockTimeout: .milliseconds(400),
        lockRetryFor: .seconds(20),
        waitForMigrationLock: waitForMigrationLock
      ),
      source: .url(url),
      interruption: interruption,
      onEvent: onEvent
    )
  }

  /// Runs the job to its end.
  @discardableResult
  func run(
    _ url: String,
    waitForMigrationLock: Duration = .seconds(20),
    interruption: Interruption = Interruption(),
    _ settings: CopySettings = Self.settings(),
    onEvent: (@Sendable (MigrationEvent) -> Void)? = nil
  ) throws -> StepExecution.Result? {
    let connection = try PostgresConnection(to: .url(url))
    try connection.prepareSession()
    interruption.watch(connection.canceller)
    defer { interruption.watch(nil) }
    let execution = execution(
      url,
      waitForMigrationLock: waitForMigrationLock,
      interruption: interruption,
      onEvent: onEvent
    )
    return try CopyJobExecution(execution, settings: settings)?.run(connection)
  }

  /// Takes back the job that is not ended.
  func cancel(_ url: String, _ failpoints: Failpoints = Failpoints()) throws {
    let connection = try PostgresConnection(to: .url(url))
    try connection.prepareSession()
    let control = CopyJobControl(
      of: store,
      settings: execution(url).settings,
      copySettings: Self.settings(failpoints),
      interruption: Interruption()
    )
    try control.cancel(try control.job(nil, connection), connection)
  }

  /// Settings of small ranges, so that little data has many of them.
  static func settings(
    chunkRows: Int = 50,
    workers: Int = 1,
    _ failpoints: Failpoints = Failpoints()
  ) -> CopySettings {
    var settings = CopySettings(workers: workers)
    settings.chunkRows = chunkRows
    settings.failpoints = failpoints
    return settings
  }

  /// The rows after the step, in an order of their own.
  func rows(_ url: String) throws -> [String] {
    let connection = try PostgresConnection(to: .url(url))
    return try connection.query(
      """
      SELECT concat_ws('|', 'book', _id, title, pages) AS row FROM public.book
      UNION ALL SELECT concat_ws('|', 'author', name) FROM public.author ORDER BY 1
      """
    ).compactMap { $0["row"] }
  }

  /// What the step makes of the rows that are there now.
  func expectedRows(_ url: String) throws -> [String] {
    let connection = try PostgresConnection(to: .url(url))
    return try connection.query(
      """
      SELECT concat_ws('|', 'book', _id, upper(title), pages) AS row FROM public.book
      UNION ALL SELECT concat_ws('|', 'author', author_name) FROM public.book
        WHERE author_name IS NOT NULL GROUP BY author_name ORDER BY 1
      """
    ).compactMap { $0["row"] }
  }

  /// What a job leaves behind that it has to take away.
  func remains(_ url: String) throws -> [String] {
    let connection = try PostgresConnection(to: .url(url))
    return try connection.query(
      """
      SELECT 'trigger ' || tgname AS name FROM pg_trigger WHERE tgname LIKE '~remodel%'
      UNION ALL SELECT 'schema ' || nspname FROM pg_namespace WHERE nspname = 'staging'
      UNION ALL SELECT 'lock' FROM pg_locks WHERE locktype = 'advisory'
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
      """
    ).compactMap { $0["name"] }
  }

  /// Whether all that was to be validated is.
  func hasValidated(_ url: String) throws -> Bool {
    let connection = try PostgresConnection(to: .url(url))
    let found = try connection.query(
      """
      SELECT convalidated, to_regclass('public.mine') IS NOT NULL AS carried FROM pg_constraint
      WHERE conname = 'author_fkey'
      """
    ).first
    return found?.boolean("convalidated") == true && found?.boolean("carried") == true
  }

  func job(_ url: String) throws -> CopyJob? {
    let connection = try PostgresConnection(to: .url(url))
    return try CopyJob.all(of: store, connection).last
  }

  // MARK: - Plan

  private static func plan(_ title: SQLFragment) -> CopyPlan {
    CopyPlan(
      schema: "public",
      stagingSchema: "staging",
      sources: [
        CopySource(
          table: "book",
          key: [.init(name: "_id", type: "bigint")],
          carried: [],
          watched: ["title", "pages", "author_name"]
        )
      ],
      maps: [authors],
      tables: [book(title), author],
      preparation: [
        "CREATE SCHEMA staging",
        """
        CREATE TABLE staging.book (_id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, \
        title text, pages integer)
        """,
        """
        CREATE TABLE staging.author (_id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, \
        name text)
        """,
        """
        CREATE TABLE staging.author_names (name text PRIMARY KEY, \
        dst bigint GENERATED BY DEFAULT AS IDENTITY UNIQUE)
        """,
        "CREATE TABLE staging.author_members (_id bigint PRIMARY KEY, dst bigint NOT NULL)",
        "CREATE INDEX ON staging.author_members (dst)",
      ].map { PlannedStatement(sql: $0, reason: "prepare", impact: OperationImpact()) },
      completion: [
        PlannedStatement(
          sql: "ALTER TABLE staging.author ADD CONSTRAINT author_name_key UNIQUE (name)",
          reason: "add a constraint",
          impact: OperationImpact()
        )
      ],
      // An author refers to itself, which nothing can keep from being validated.
      unvalidatedReferences: [
        UnvalidatedReference(
          table: "author",
          constraint: "author_fkey",
          referencedTable: "author",
          rows: UnvalidatedReference.Rows(
            table: QualifiedName(schema: "staging", name: "author"),
            column: "_id",
            key: ["_id"],
            referenced: QualifiedName(schema: "staging", name: "author"),
            referencedKey: "_id"
          )
        )
      ],
      carriedParts: [
        carried("ALTER TABLE staging.book SET (fillfactor = 80)", comesBeforeRows: true),
        carried("CREATE INDEX mine ON staging.book (title)", comesBeforeRows: false),
      ]
    )
  }

  private static func carried(_ sql: SQLFragment, comesBeforeRows: Bool) -> CarriedPart {
    CarriedPart(
      statements: [PlannedStatement(sql: sql, reason: "carry over", impact: OperationImpact())],
      removal: [],
      comesBeforeRows: comesBeforeRows
    )
  }

  private static func book(_ title: SQLFragment) -> CopiedTable {
    CopiedTable(
      name: "book",
      staged: QualifiedName(schema: "staging", name: "book"),
      columns: ["_id", "title", "pages"],
      key: ["_id"],
      unit: "_id",
      unitType: "bigint",
      comparedAsText: [],
      feeds: [
        CopyFeed(
          mappingName: "BookToBook",
          values: ["b._id", title, "b.pages"],
          origin: "public.book AS b",
          unit: "b._id",
          conditions: [],
          choice: [],
          domain: QualifiedName(schema: "public", name: "book"),
          domainColumn: "_id"
        )
      ],
      dependencies: [
        CopyDependency(source: "book", units: "SELECT _id FROM pg_temp.changed_book")
      ]
    )
  }

  private static let members = QualifiedName(schema: "staging", name: "author_members")

  private static var authors: IdentityMap {
    IdentityMap(
      mappingName: "BookToAuthor",
      members: members,
      source: "book",
      domainColumn: "_id",
      keyType: "bigint",
      fill: [
        RestrictedStatement(
          head: """
            INSERT INTO staging.author_names (name) SELECT DISTINCT b.author_name \
            FROM public.book AS b WHERE b.author_name IS NOT NULL AND
            """,
          tail: " ON CONFLICT DO NOTHING",
          key: " b._id"
        ),
        RestrictedStatement(
          head: """
            INSERT INTO staging.author_members (_id, dst) SELECT b._id, n.dst \
            FROM public.book AS b JOIN staging.author_names AS n ON n.name = b.author_name WHERE
            """,
          tail: " ON CONFLICT DO NOTHING",
          key: " b._id"
        ),
      ],
      withdrawal: [
        RestrictedStatement(
          head: """
            DELETE FROM staging.author_members AS m WHERE NOT EXISTS (SELECT FROM public.book AS b \
            JOIN staging.author_names AS n ON n.name = b.author_name \
            WHERE b._id = m._id AND n.dst = m.dst) AND
            """,
          tail: "",
          key: " m._id"
        )
      ]
    )
  }

  private static var author: CopiedTable {
    CopiedTable(
      name: "author",
      staged: QualifiedName(schema: "staging", name: "author"),
      columns: ["_id", "name"],
      key: ["_id"],
      unit: "_id",
      unitType: "bigint",
      comparedAsText: [],
      feeds: [
        CopyFeed(
          mappingName: "BookToAuthor",
          values: ["m.dst", "b.author_name"],
          origin: "staging.author_members AS m JOIN public.book AS b ON b._id = m._id",
          unit: "m.dst",
          conditions: ["b.author_name IS NOT NULL"],
          choice: ["b._id"],
          domain: members,
          domainColumn: "dst"
        )
      ],
      dependencies: [
        CopyDependency(
          source: "book",
          units: """
            SELECT dst FROM staging.author_members \
            WHERE _id IN (SELECT _id FROM pg_temp.changed_book)
            """
        )
      ]
    )
  }
}
