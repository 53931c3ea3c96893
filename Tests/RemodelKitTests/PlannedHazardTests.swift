import RemodelKit
import TestSupport
import Testing

/// What a plan says of a release on the previous version, and of the rows, in words.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(60)))
struct PlannedHazardTests {
  private static let denials = [HazardDenial(.failsOnData), HazardDenial(.breaksPreviousRelease)]

  private static func version(_ attributes: String, _ rest: String = "") -> String {
    "remodel: 1\nentities:\n  Book: { attributes: { \(attributes) }\(rest) }"
  }

  /// Plans a migration from the first version to the second, and carries it out with other settings
  /// if given.
  private func plan(
    _ versions: [String],
    mappings: [String: String] = [:],
    strategy: CopyStrategy? = nil,
    denials: [HazardDenial] = [],
    migrates: Bool = false
  ) async throws -> PlanReport {
    try await withBundle(versions, mappings: mappings) { bundle in
      try await TestServer.withDatabase { url in
        let configuration = RemodelConfiguration(
          modelsPath: bundle,
          denials: denials,
          strategy: strategy
        )
        let remodel = Remodel(configuration)
        _ = try await Remodel(RemodelConfiguration(modelsPath: bundle)).migrate(.url(url), to: "1")
        let report = try await remodel.plan(.url(url))
        if migrates { _ = try await remodel.migrate(.url(url)) }
        return report
      }
    }
  }

  private func hazards(_ report: PlanReport) -> Set<Hazard> {
    Set(report.plan.steps.flatMap(\.allStatements).flatMap(\.impact.hazards))
  }

  private func breakages(_ report: PlanReport) -> [ReleaseBreakage] {
    report.plan.steps.flatMap(\.allStatements).flatMap(\.breakages)
  }

  @Test(arguments: [CopyStrategy.locked, .online])
  func `an enumeration that only grows has neither hazard, and passes where they are denied`(
    strategy: CopyStrategy
  ) async throws {
    let report = try await plan(
      [Self.version(#"state: "enum(x, y)""#), Self.version(#"state: "enum(x, y, z)""#)],
      strategy: strategy,
      denials: Self.denials,
      migrates: true
    )

    #expect(!report.plan.steps.flatMap(\.allStatements).isEmpty)
    #expect(hazards(report).isDisjoint(with: [.failsOnData, .breaksPreviousRelease]))
    #expect(breakages(report) == [])
    #expect(report.refusal == nil)
  }

  @Test
  func `an enumeration that loses a value has both, and is denied`() async throws {
    let versions = [Self.version(#"state: "enum(x, y)""#), Self.version(#"state: "enum(x)""#)]

    let report = try await plan(versions)

    #expect(hazards(report).isSuperset(of: [.failsOnData, .breaksPreviousRelease]))
    #expect(breakages(report) == [.conditionRequired("book_state_check", table: "book")])
    await #expect(throws: RemodelError.self) {
      try await plan(versions, denials: Self.denials, migrates: true)
    }
  }

  @Test
  func `a key that is left for some rows alone breaks ON CONFLICT, and no rows`() async throws {
    let report = try await plan([
      Self.version("isbn: string?, sold: boolean", ", unique: [[isbn]]"),
      Self.version(
        "isbn: string?, sold: boolean",
        ", indexes: { byIsbn: { elements: [isbn], unique: true, where: sold = YES } }"
      ),
    ])

    #expect(breakages(report) == [.keyRemoved(["isbn"], table: "book")])
    #expect(
      breakages(report).map(\.description) == [
        #"INSERT with ON CONFLICT ("isbn") into table "book" fails: no such key is left"#
      ]
    )
    #expect(!hazards(report).contains(.failsOnData))
  }

  // A fill retains the columns in their table.
  @Test(arguments: CopyStrategy.allCases.filter { $0 != .filled })
  func `after a copy the reasons are what the new table lacks and asks for`(
    strategy: CopyStrategy
  ) async throws {
    let report = try await plan(
      [
        Self.version("title: string, note: string?, pages: integer16, isbn: integer64?"),
        Self.version("name: string, pages: integer32, isbn: integer64?", ", unique: [[isbn]]"),
      ],
      mappings: [
        "1-2": """
        remodelMapping: 1
        source: "1"
        destination: "2"
        entities:
          - source: Book
            destination: Book
            attributes:
              name: 'concat($source.title, "!")'
        """
      ],
      strategy: strategy
    )

    #expect(report.plan.steps.first?.copy != nil)
    let found = Set(breakages(report))
    #expect(
      found == [
        .columnDropped("title", table: "book"), .columnDropped("note", table: "book"),
        .valueRequired("name", table: "book"),
        .typeChanged("pages", table: "book", from: "smallint", to: "integer"),
        .uniquenessRequired(["isbn"], table: "book"),
      ]
    )
    #expect(found.count == breakages(report).count)
  }

  @Test
  func `preconditions are denied even if no statement fails by them`() async throws {
    let versions = [
      """
      remodel: 1
      entities:
        Book: { attributes: { title: string }, relationships: { author: { to: Author? } } }
        Author: { relationships: { works: { toMany: Book } } }
      """,
      """
      remodel: 1
      entities:
        Book: { attributes: { title: string }, relationships: { author: { to: Author?, inverse: works } } }
        Author: { relationships: { works: { toMany: Book, inverse: author } } }
      """,
    ]

    let report = try await plan(versions, denials: [HazardDenial(.failsOnData)])

    #expect(!hazards(report).contains(.failsOnData))
    let refusal = try #require(report.refusal?.diagnostics.first)
    #expect(refusal.detail?.contains("so no row may have several links") == true)
    let passed = try await plan(
      versions,
      denials: [HazardDenial(.failsOnData, entityName: "Book", propertyName: "title")],
      migrates: true
    )
    #expect(passed.refusal == nil)
  }

  @Test(arguments: RandomCases.pairs(Hazard.allCases, CopyStrategy.allCases))
  func `SQL that people wrote has every hazard, and each denial refuses it`(
    hazard: Hazard,
    strategy: CopyStrategy
  ) async throws {
    let mappings = [
      "1-2": """
      remodelMapping: 1
      source: "1"
      destination: "2"
      before: TRUNCATE ${source.Book}
      """
    ]
    let versions = [Self.version("title: string"), Self.version("title: string, note: string?")]

    let report = try await plan(versions, mappings: mappings, strategy: strategy)

    #expect(hazards(report) == Set(Hazard.allCases))
    #expect(report.verdict.answer == .unknownEffect)
    let denials = [HazardDenial(hazard, entityName: "Author")]
    await #expect(throws: RemodelError.self) {
      try await plan(
        versions,
        mappings: mappings,
        strategy: strategy,
        denials: denials,
        migrates: true
      )
    }
  }

  @Test(arguments: [
    (
      version("pages: { type: integer32, validation: { minimum: 5, maximum: 9, enforced: true } }"),
      version("pages: { type: integer32, validation: { minimum: 4, enforced: true } }")
    ),
    (
      version(
        #"title: { type: string, validation: { minimumLength: 3, pattern: "[a-z]+", enforced: true } }"#
      ),
      version("title: { type: string, validation: { minimumLength: 2, enforced: true } }")
    ),
    (
      version(
        "isbn: string?, sold: boolean",
        #", checks: { few: "sold OR isbn IN ('x')" }"#
      ),
      version(
        "isbn: string?, sold: boolean",
        #", checks: { few: "sold OR isbn IN ('x', 'y')" }"#
      )
    ),
    (
      version("pages: integer32?"),
      version(
        "pages: integer32?, token: { type: uuid, defaultSQL: gen_random_uuid() }",
        ", unique: [[pages, token]]"
      )
    ),
  ])
  func `what only allows more has neither hazard, and passes where they are denied`(
    before: String,
    after: String
  ) async throws {
    let report = try await plan([before, after], denials: Self.denials, migrates: true)

    #expect(!report.plan.steps.flatMap(\.allStatements).isEmpty)
    #expect(hazards(report).isDisjoint(with: [.failsOnData, .breaksPreviousRelease]))
    #expect(breakages(report) == [])
  }

  @Test(arguments: [
    (version("isbn: varchar(10)?"), version("isbn: varchar(10)?", ", indexes: { byIsbn: [isbn] }")),
    (version("isbn: varchar(10)?"), version("isbn: string?")),
    (version(#"price: "numeric(8,2)""#), version(#"price: "numeric(10,2)""#)),
    (
      version(
        "isbn: string?, sold: boolean",
        ", indexes: { byIsbn: { elements: [isbn], unique: true } }"
      ),
      version(
        "isbn: string?, sold: boolean",
        ", indexes: { byIsbn: { elements: [isbn], unique: true, where: sold = YES } }"
      )
    ),
  ])
  func `what the rows allow in any case does not fail on them`(
    before: String,
    after: String
  ) async throws {
    let report = try await plan(
      [before, after],
      denials: [HazardDenial(.failsOnData)],
      migrates: true
    )

    #expect(!hazards(report).contains(.failsOnData))
  }

  @Test
  func `what is computed for rows may fail, for those that are there and for those that come`()
    async throws
  {
    let versions = [
      Self.version("pages: integer32, price: integer32"),
      Self.version(
        #"pages: integer32, price: integer32, each: { type: "integer32?", derivation: price / pages }"#
      ),
    ]

    let report = try await plan(versions)

    #expect(hazards(report).isSuperset(of: [.failsOnData, .breaksPreviousRelease]))
    #expect(breakages(report) == [.computationRequired("each", table: "book")])
    for hazard in [Hazard.failsOnData, .breaksPreviousRelease] {
      await #expect(throws: RemodelError.self) {
        try await plan(versions, denials: [HazardDenial(hazard)], migrates: true)
      }
    }
  }

  @Test
  func `a required value from another row may be none`() async throws {
    func version(_ derived: String) -> String {
      """
      remodel: 1
      entities:
        Author: { attributes: { name: string }, relationships: { books: { toMany: Book, inverse: author } } }
        Book:
          attributes: { title: string\(derived) }
          relationships: { author: { to: Author?, inverse: books } }
      """
    }

    let report = try await plan([
      version(""), version(", by: { type: string, derivation: author.name }"),
    ])

    #expect(hazards(report).contains(.failsOnData))
  }

  @Test
  func `an index of an expression may not take the rows`() async throws {
    let report = try await plan([
      Self.version("title: string"),
      Self.version(
        "title: string",
        #", indexes: { byTitle: { elements: [{ expression: "lowercase:(title)" }] } }"#
      ),
    ])

    #expect(hazards(report).contains(.failsOnData))
  }

  @Test
  func `a default under a key and a check, and another computation of a key, break statements`()
    async throws
  {
    let report = try await plan([
      Self.version(
        "pages: integer32?, price: integer32?",
        #", unique: [[pages]], checks: { few: "price < 5" }"#
      ),
      Self.version(
        "pages: { type: integer32?, default: 1 }, price: { type: integer32?, default: 7 }",
        #", unique: [[pages]], checks: { few: "price < 5" }"#
      ),
    ])

    #expect(
      Set(breakages(report)) == [
        .uniquenessRequired(["pages"], table: "book"), .conditionRequired("few", table: "book"),
      ]
    )
  }

  @Test
  func `names that statements have for keys count`() async throws {
    let report = try await plan([
      Self.version("pages: integer32", ", unique: [[pages]]"),
      Self.version(
        "pages: integer32",
        ", unique: [[pages]], names: { book_pages_key: one_for_pages }"
      ),
    ])

    #expect(breakages(report) == [.nameRemoved("book_pages_key", table: "book")])
  }

  @Test
  func `ON CONFLICT finds no constraint of ranges by its columns, but by its name`() async throws {
    let report = try await plan([
      Self.version("lent: daterange", ", unique: [[lent]]"), Self.version("lent: daterange"),
    ])

    #expect(breakages(report) == [.nameRemoved("book_lent_excl", table: "book")])
  }

  @Test
  func `ranges in composites are left to the server, as others are`() async throws {
    func version(_ rest: String) -> String {
      """
      remodel: 1
      entities:
        Book: { attributes: { lent: composite(Loan)? }\(rest) }
      composites: { Loan: { days: daterange?, title: "int4range?" } }
      """
    }

    let report = try await plan([version(""), version(", unique: [[lent]]")])

    #expect(report.plan.steps.flatMap(\.preconditions).isEmpty)
    #expect(hazards(report).contains(.failsOnData))
  }

  @Test
  func `an extension that is missing is told before anything is done`() async throws {
    let versions = [
      Self.version("isbn: string, lent: daterange"),
      Self.version("isbn: string, lent: daterange", ", unique: [[isbn, lent]]"),
    ]
    let fact = RemodelError.Fact.missingExtension(
      "btree_gist",
      constraint: "book_isbn_lent_excl",
      table: "book"
    )

    let report = try await plan(versions)

    #expect(report.refusal?.fact == fact)
    let error = await #expect(throws: RemodelError.self) {
      try await plan(versions, migrates: true)
    }
    #expect(error?.fact == fact)
  }

  @Test
  func `a uniqueness constraint of a new default says what the rows are asked`() async throws {
    let report = try await plan([
      Self.version("title: string"),
      Self.version("title: string, lang: { type: string, default: en }", ", unique: [[lang]]"),
    ])

    #expect(
      report.plan.steps.flatMap(\.preconditions).map(\.requirement) == [
        "all rows of entity \"Book\" agree in a new uniqueness constraint, so there may be one row at most"
      ]
    )
  }

  @Test(arguments: ["price / author.fee", "price / author.fee - shop.rate"])
  func `what is computed as before from columns of other names is no hazard`(
    derivation: String
  ) async throws {
    func version(_ rate: String, _ share: String, _ derivation: String) -> String {
      """
      remodel: 1
      entities:
        Author: { attributes: { \(rate) }, relationships: { books: { toMany: Book, inverse: author } } }
        Shop: { attributes: { rate: integer32, fee: integer32 }, relationships: { books: { toMany: Book, inverse: shop } } }
        Book:
          attributes: { price: integer32, each: { type: "integer32?", derivation: "\(derivation)" }, \(share) }
          relationships: { author: { to: Author?, inverse: books }, shop: { to: Shop?, inverse: books } }
      """
    }
    let versions = [
      version("fee: integer32", "rate: integer32", derivation),
      version(
        "rate: { type: integer32, renamingIdentifier: fee }",
        "fee: { type: integer32, renamingIdentifier: rate }",
        derivation.replacing("author.fee", with: "author.rate")
      ),
    ]

    let same = try await plan(versions)
    let other = try await plan([
      versions[0], version("fee: integer32", "rate: integer32", "shop.fee / price"),
    ])

    #expect(
      breakages(same).allSatisfy { if case .columnRenamed = $0 { true } else { false } },
      "\(breakages(same))"
    )
    #expect(breakages(other) == [.computationRequired("each", table: "book")])
  }
}
