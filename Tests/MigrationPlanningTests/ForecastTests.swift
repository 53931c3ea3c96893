import ObjectModel
import SQLSyntax
import TestSupport
import Testing

@testable import MigrationPlanning

@Suite
struct ForecastTests {
  private static let large = TableSize(
    rows: 10_000_000,
    bytes: 2_000_000_000,
    indexBytes: 400_000_000
  )

  private func book(_ attributes: AttributeDescription...) -> ManagedObjectModel {
    ManagedObjectModel(entities: [EntityDescription(name: "Book", attributes: attributes)])
  }

  private func pages(_ type: AttributeType, isIndexed: Bool = false) -> ManagedObjectModel {
    book(AttributeDescription(name: "pages", type: type, isIndexed: isIndexed))
  }

  /// Books under another name.
  private func volume(_ type: AttributeType, isIndexed: Bool = false) -> ManagedObjectModel {
    var entity = pages(type, isIndexed: isIndexed).entities[0]
    entity.name = "Volume"
    entity.renamingIdentifier = "Book"
    return ManagedObjectModel(entities: [entity])
  }

  private func rewriting() throws -> MigrationStep {
    try MigrationPlannerTests.step(from: pages(.integer16), to: pages(.integer64))
  }

  @Test
  func `a table that is written anew keeps readers and writers for as long as that takes`() throws {
    let step = try rewriting()

    let forecast = PlanForecast(of: [step], sizes: ["book": Self.large])

    let read = try #require(forecast.longestRead)
    #expect(read.table.name == "book")
    #expect(read.lock == .accessExclusive)
    #expect(read.readers == read.writers)
    #expect(read.readers > .about(10))
    #expect(read.longestStatement.map { step.statements[$0].reason }?.contains("type") == true)
    #expect(read.readers == forecast.longestWait)
    #expect(try #require(forecast.peakDiskBytes) == Self.large.bytes)
    #expect(try #require(forecast.logBytes) > Self.large.bytes)
  }

  @Test
  func `a server that works at half the speed takes twice as long`() throws {
    let steps = [
      try rewriting(),
      try MigrationPlannerTests.step(
        from: pages(.integer16),
        to: volume(.integer16, isIndexed: true)
      ),
    ]
    let half = try #require(ServerSpeed(reading: 0.5, writing: 0.5, sorting: 0.5))
    for step in steps {
      let usual = PlanForecast(of: [step], sizes: ["book": Self.large])
      let slow = PlanForecast(of: [step], sizes: TableSizes(["book": Self.large], speed: half))

      for (usual, slow) in zip(usual.steps[0].statements, slow.steps[0].statements) {
        let work = try #require(usual.seconds) - WorkRates.secondsPerStatement
        let slowWork = try #require(slow.seconds) - WorkRates.secondsPerStatement
        #expect(abs(slowWork - 2 * work) < 0.001)
        #expect(slow.writtenBytes == usual.writtenBytes)
      }
      #expect(slow.longestWait != usual.longestWait)
    }
  }

  @Test
  func `ranges that may not overlap keep others waiting for longer than indexes do`() throws {
    let attributes = [
      AttributeDescription(name: "room", type: .string),
      AttributeDescription(name: "period", type: .range(.tstzrange)),
    ]
    let size = TableSize(rows: 100_000, bytes: 8_000_000)
    func wait(_ change: (inout EntityDescription) -> Void) throws -> BlockedTime {
      var entity = book().entities[0]
      entity.attributes = attributes
      let before = ManagedObjectModel(entities: [entity])
      change(&entity)
      let step = try MigrationPlannerTests.step(
        from: before,
        to: ManagedObjectModel(entities: [entity])
      )
      return PlanForecast(of: [step], sizes: ["book": size]).longestWait
    }

    #expect(try wait { $0.compoundIndexes = [["room"]] } < .about(1))
    #expect(try wait { $0.compoundIndexes = [["period"]] } > .about(8))
    #expect(try wait { $0.uniquenessConstraints = [["room", "period"]] } > .about(15))
    #expect(try wait { $0.uniquenessConstraints = [["period"]] } > .about(15))
  }

  @Test
  func `what depends on a size that nobody knows is not known`() throws {
    let forecast = PlanForecast(of: [try rewriting()], sizes: [:])

    #expect(forecast.longestWait == .notKnown)
    #expect(forecast.seconds == nil)
    #expect(forecast.peakDiskBytes == nil)
    #expect(forecast.logBytes == nil)
    #expect(forecast.longestWrite?.writers == .notKnown)
    #expect(forecast.steps[0].statements[0].rows == nil)
  }

  @Test
  func `a change of the catalog alone is safe whatever the size`() throws {
    let step = try MigrationPlannerTests.step(
      from: book(),
      to: book(AttributeDescription(name: "pages", type: .integer16))
    )

    let forecast = PlanForecast(of: [step], sizes: [:])

    #expect(try #require(forecast.longestRead).readers < .about(0.1))
    #expect(forecast.steps[0].statements.map(\.rows) == [0])
    #expect(forecast.steps[0].statements[0].seconds != 0)
  }

  @Test(arguments: [(99_999, false), (100_000, true)])
  func `hazards of time begin where a table is no longer small`(
    rows: Int,
    isHazardous: Bool
  ) throws {
    let step = try rewriting()

    let forecast = PlanForecast(
      of: [step],
      sizes: ["book": TableSize(rows: rows, bytes: 9_000_000)]
    )

    let statement = forecast.steps[0].statements[0]
    let ofTime: [Hazard] = [.blocksReads, .blocksWrites, .rewritesTable, .scansTable]
    #expect(statement.hazards == ((isHazardous ? ofTime : []) + [.breaksPreviousRelease]).sorted())
    #expect(statement.isLong == isHazardous)
    // What it does is listed whatever it takes.
    #expect(step.statements[0].impact.rewrites == ["book"])
  }

  @Test
  func `a table that the plan makes costs nothing until there are rows`() throws {
    let step = try MigrationPlannerTests.step(
      from: ManagedObjectModel(entities: []),
      to: pages(.integer16, isIndexed: true)
    )

    let forecast = PlanForecast(of: [step], sizes: [:])

    #expect(forecast.longestWait == .none)
    #expect(forecast.longestWrite == nil)
    #expect(forecast.steps[0].statements.flatMap(\.hazards) == [])
    #expect(forecast.peakDiskBytes == 0)
  }

  @Test
  func `a table that is renamed keeps its size, and is called what people know`() throws {
    let step = try MigrationPlannerTests.step(
      from: pages(.integer16),
      to: volume(.integer16, isIndexed: true)
    )

    let forecast = PlanForecast(of: [step], sizes: ["book": Self.large])

    let index = try #require(step.statements.firstIndex { $0.sql.text.hasPrefix("CREATE INDEX") })
    #expect(forecast.steps[0].statements[index].rows == Self.large.rows)
    #expect(forecast.steps[0].blocks.map(\.table.name) == ["book"])
  }

  @Test
  func `a later step finds the tables as the earlier one leaves them`() throws {
    let steps = [
      try MigrationPlannerTests.step(from: pages(.integer16), to: volume(.integer16)),
      try MigrationPlannerTests.step(
        from: volume(.integer16),
        to: volume(.integer64),
        names: ("2", "3")
      ),
    ]

    let forecast = PlanForecast(of: steps, sizes: ["book": Self.large])

    #expect(forecast.steps[1].statements[0].rows == Self.large.rows)
    #expect(forecast.longestRead?.table.name == "book")
  }

  @Test
  func `a plan that fills rows admits readers until its DDL`() throws {
    let required = AttributeDescription(
      name: "pages",
      type: .integer16,
      isOptional: false,
      defaultValue: .integer(1)
    )
    let step = try MigrationPlannerTests.step(from: pages(.integer16), to: book(required))

    let forecast = PlanForecast(of: [step], sizes: ["book": Self.large])

    let block = try #require(forecast.steps[0].blocks.first)
    #expect(block.readers > .none)
    #expect(block.writers > block.readers)
    #expect(forecast.steps[0].statements[0].writtenBytes ?? 0 >= Self.large.bytes)
  }

  @Test
  func `rows that lose values are counted`() throws {
    let step = try MigrationPlannerTests.step(
      from: pages(.integer16),
      to: book(),
      MigrationPlanner(removals: .drop)
    )

    let known = PlanForecast(of: [step], sizes: ["book": Self.large])
    let unknown = PlanForecast(of: [step], sizes: [:])

    #expect(known.steps[0].statements.compactMap(\.rowsAtRisk) == [.about(Self.large.rows)])
    #expect(unknown.steps[0].statements.compactMap(\.rowsAtRisk) == [.notKnown])
  }

  @Test
  func `a longer time is never less than a shorter one, and what is not known is the longest`() {
    let times: [BlockedTime] = [.none, .about(0), .about(2), .notKnown]

    for (index, time) in times.enumerated() {
      for (other, later) in times.enumerated() { #expect((time < later) == (index < other)) }
    }
  }

  @Test
  func `locks conflict as the server has it`() {
    // https://www.postgresql.org/docs/18/explicit-locking.html
    let conflicts: [LockMode: Int] = [
      .accessShare: 1, .rowShare: 2, .rowExclusive: 4, .shareUpdateExclusive: 5, .share: 5,
      .shareRowExclusive: 6, .exclusive: 7, .accessExclusive: 8,
    ]

    for mode in LockMode.allCases {
      #expect(LockMode.allCases.count(where: mode.conflicts) == conflicts[mode])
      for other in LockMode.allCases {
        #expect(mode.conflicts(with: other) == other.conflicts(with: mode))
      }
    }
    #expect(LockMode(serverName: "ShareRowExclusiveLock") == .shareRowExclusive)
    #expect(LockMode(serverName: "SIReadLock") == nil)
  }
}
