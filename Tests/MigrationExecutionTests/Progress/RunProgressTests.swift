import SQLSyntax
import TestSupport
import Testing

@testable import MigrationExecution
@testable import MigrationPlanning

/// The progress of a run as a value: what holds whatever events come, and what it expects.
@Suite
struct RunProgressTests {
  private static let size = TableSize(
    rows: 2_000_000,
    bytes: 400_000_000,
    indexBytes: 40_000_000
  )

  private func plan(_ steps: [MigrationStep], sizes: TableSizes = [:]) -> RunPlan {
    RunPlan(
      steps,
      PlanForecast(of: steps, sizes: sizes),
      of: StoreIdentity(schema: "public", modelName: "M", metadataSchema: "remodel"),
      in: "shop"
    )
  }

  private func start(of step: MigrationStep) -> MigrationEvent {
    .stepStarted(
      source: step.source?.name,
      destination: step.destination.name,
      statementCount: step.allStatements.count
    )
  }

  private func copied(
    _ part: CopyPart,
    ranges: Int,
    of total: Int,
    rows: Int,
    in seconds: Double,
    earlier: Int = 0
  ) -> MigrationEvent {
    .copied(
      MigrationEvent.CopyProgress(
        part: part.name,
        chunksDone: earlier + ranges,
        chunksTotal: total,
        rows: rows,
        duration: .seconds(seconds),
        chunksCopied: ranges
      )
    )
  }

  // MARK: - Laws

  /// A step's events in an order in which they may come, with reasons to wait between.
  private func events(
    of step: MigrationStep,
    _ random: inout SeededGenerator
  ) throws -> [MigrationEvent] {
    var events: [MigrationEvent] = [start(of: step)]
    guard let copy = step.copy, step.isCopyJob else {
      for number in 1...max(1, step.statements.count) {
        events.append(.statementStarted(number: number, count: step.statements.count))
      }
      return events
    }
    events.append(
      .jobStarted(id: "J", strategy: step.strategy, isContinued: Bool.random(using: &random))
    )
    events.append(.jobMoved(.copying))
    for part in CopyPart.parts(of: copy) {
      let earlier = Int.random(in: 0...3, using: &random)
      var total = earlier + Int.random(in: 1...8, using: &random)
      var done = 0
      while earlier + done < total {
        done += Int.random(in: 1...(total - earlier - done), using: &random)
        // A range that is too large is divided.
        if Bool.random(using: &random), earlier + done < total { total += 1 }
        events.append(
          copied(part, ranges: done, of: total, rows: done * 100, in: 1, earlier: earlier)
        )
      }
    }
    events += [.jobMoved(.indexing), .jobMoved(.catchingUp), .caughtUp(backlog: 7)]
    events.append(.jobMoved(.verifying))
    for table in copy.tables { events.append(.compared(table: table.name.name, ranges: 2)) }
    events += [.jobMoved(.ready), .statementStarted(number: 1, count: 5), .jobMoved(.settling)]
    return events + [.jobMoved(.finished)]
  }

  private func noise(_ random: inout SeededGenerator) -> MigrationEvent? {
    [
      nil, nil, .waitingForMigrationLock, .waitingForOthers([]),
      .throttled(.activity(sessions: 2), pause: .seconds(1)),
      .throttled(.blockedSessions(3), pause: .milliseconds(300)),
      .locksHeld(.milliseconds(40)), .statement(sql: "SELECT", duration: .zero, rows: 1),
      .statementProgressed(activity: "scanning", share: 0.5), .caughtUp(backlog: 3),
    ].randomElement(using: &random) ?? nil
  }

  @Test(arguments: [CopyStrategy.locked, .gated, .online])
  func `a share never falls in a phase nor exceeds one, and no time is negative`(
    strategy: CopyStrategy
  ) throws {
    let step = try CopyJobSample(strategy).step
    for seed in 0..<200 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      var progress = RunProgress()
      var time = 0.0
      progress.note(
        .runPlanned(plan([step], sizes: seed.isMultiple(of: 2) ? ["book": Self.size] : [:])),
        at: time
      )
      var last: (number: Int, share: Double) = (0, 0)
      for event in try events(of: step, &random) {
        for event in [noise(&random), event].compactMap(\.self) {
          time += Double.random(in: 0...3, using: &random)
          progress.note(event, at: time)
          guard let number = progress.phaseNumber, let phase = progress.phase else { continue }
          #expect(number.number >= last.number && number.number <= number.count)
          if number.number == last.number { #expect(phase.share >= last.share) }
          #expect(phase.share >= 0 && phase.share <= 1)
          #expect(phase.rowsDone <= phase.rowsTotal ?? .max)
          for later in [0, 1, 1_000] as [Double] {
            #expect(progress.remaining(at: time + later) ?? 0 >= 0)
            #expect(progress.remainingOfPhase(at: time + later) ?? 0 >= 0)
          }
          last = (number.number, phase.share)
        }
      }
      progress.note(
        .stepEnded(source: "1", destination: "2", duration: .seconds(time)),
        at: time
      )
      #expect(progress.phase?.share == 1)
      #expect(progress.remaining(at: time) == 0)
      let times = progress.times(at: time).reduce(0) { $0 + $1.seconds }
      #expect(times <= time + 0.001, "seed \(seed)")
    }
  }

  // MARK: - Estimates

  @Test(arguments: [0.25, 1, 4], [CopyStrategy.gated, .online])
  func `work at a steady pace takes as long as is expected after a tenth of it`(
    slowness: Double,
    strategy: CopyStrategy
  ) throws {
    let step = try CopyJobSample(strategy).step
    // The sample moves its tables by hand, so the forecast does not follow them.
    let sizes: TableSizes = ["book": Self.size, "author": TableSize(rows: 97, bytes: 8_192)]
    let phases = step.phases(PlanForecast(of: [step], sizes: sizes).steps.first)
    let all = phases.reduce(0) { $0 + ($1.seconds ?? 0) } * slowness
    let before = (phases[0].seconds ?? 0) * slowness
    var progress = RunProgress()
    progress.note(.runPlanned(plan([step], sizes: sizes)), at: 0)
    progress.note(start(of: step), at: 0)
    progress.note(.jobStarted(id: "J", strategy: strategy, isContinued: false), at: 0)
    let first = try #require(progress.remaining(at: 0)) * slowness
    #expect(abs(first / all - 1) < 0.001)
    progress.note(.jobMoved(.copying), at: before)
    let copy = try #require(step.copy)
    let part = try #require(CopyPart.parts(of: copy).first)
    let partTime = try #require(phases[1].units.first?.seconds) * slowness
    let ranges = 200
    var estimates: [Double] = []
    for range in 1...ranges {
      let share = Double(range) / Double(ranges)
      let time = before + partTime * share
      progress.note(
        copied(part, ranges: range, of: ranges, rows: range * 10_000, in: partTime * share),
        at: time
      )
      if time >= all / 10 { estimates.append(time + (progress.remaining(at: time) ?? 0)) }
    }
    #expect(!estimates.isEmpty)
    for estimate in estimates { #expect(abs(estimate / all - 1) < 0.05) }
  }

  @Test
  func `rows of earlier processes count, and those in all follow from the ranges`() throws {
    let step = try CopyJobSample(.online).step
    var progress = RunProgress()
    progress.note(.runPlanned(plan([step])), at: 0)
    progress.note(start(of: step), at: 0)
    progress.note(.jobStarted(id: "J", strategy: .online, isContinued: true), at: 0)
    let copy = try #require(step.copy)
    let part = try #require(CopyPart.parts(of: copy).first)

    progress.note(copied(part, ranges: 10, of: 100, rows: 1_000, in: 2, earlier: 40), at: 2)

    let phase = try #require(progress.phase)
    #expect(phase.phase == .copyRows)
    #expect(phase.rowsDone == 5_000)
    #expect(progress.rows == 1_000)
    #expect(phase.units.first?.rowsTotal == 10_000)
    // Fifty ranges in ten seconds.
    let left = try #require(phase.units.first?.remaining(at: 2, scale: 1))
    #expect(abs(left - 10) < 0.001)
    progress.note(start(of: step), at: 3)
    #expect(progress.rows == 1_000)
  }

  @Test
  func `nobody knows how long a copy takes that stands still`() throws {
    let step = try CopyJobSample(.online).step
    let copy = try #require(step.copy)
    let part = try #require(CopyPart.parts(of: copy).first)
    var progress = RunProgress()
    progress.note(.runPlanned(plan([step], sizes: ["book": Self.size])), at: 0)
    progress.note(start(of: step), at: 0)
    progress.note(.jobStarted(id: "J", strategy: .online, isContinued: false), at: 0)
    func note(_ rows: Int, at time: Double) {
      progress.note(copied(part, ranges: rows / 100, of: 100, rows: rows, in: 1), at: time)
    }

    note(1_000, at: 2)
    #expect(progress.remainingOfPhase(at: 2) != nil)
    note(1_000, at: 4)
    #expect(progress.remaining(at: 4) == nil)
    #expect(progress.remainingOfPhase(at: 4) == nil)
    note(2_000, at: 6)
    #expect(progress.remainingOfPhase(at: 6) != nil)
    progress.note(.throttled(.paused, pause: .seconds(1)), at: 7)
    #expect(progress.remainingOfPhase(at: 7) == nil)
  }

  // MARK: - Facts

  @Test
  func `statements have the numbers of the plan, and those of a copy have none`() throws {
    let creation = try MigrationPlanner().step(creating: CopyJobSample(.locked).first)
    var progress = RunProgress()
    progress.note(.runPlanned(plan([creation])), at: 0)
    progress.note(start(of: creation), at: 0)
    for number in 1...creation.statements.count {
      progress.note(
        .statementStarted(number: number, count: creation.statements.count),
        at: Double(number)
      )
      #expect(progress.statement?.number == number)
      #expect(progress.statement?.count == creation.allStatements.count)
    }
    let copy = try CopyJobSample(.gated).step
    var job = RunProgress()
    job.note(.runPlanned(plan([copy])), at: 0)
    job.note(start(of: copy), at: 0)
    job.note(.jobStarted(id: "J", strategy: .gated, isContinued: false), at: 0)
    job.note(.statementStarted(number: 1, count: copy.statements.count), at: 1)
    #expect(job.statement == nil)
  }

  @Test
  func `waits end with the next work, and are summed by their reasons`() throws {
    let step = try CopyJobSample(.online).step
    let blocker = Blocker(
      pid: 7,
      application: "psql",
      query: nil,
      since: nil,
      table: "book"
    )
    var progress = RunProgress()
    progress.note(.waitingForMigrationLock, at: 1)
    progress.note(.waitingForMigrationLock, at: 2)
    #expect(progress.wait == .migrationLock)
    progress.note(.runPlanned(plan([step])), at: 4)
    progress.note(start(of: step), at: 4)
    #expect(progress.wait == nil)
    progress.note(.retrying(sqlState: "55P03", attempt: 1, pause: .seconds(1)), at: 5)
    progress.note(.waitingForOthers([blocker]), at: 5)
    #expect(progress.wait == .locks([blocker]))
    progress.note(.statementStarted(number: 1, count: 5), at: 7)
    #expect(progress.wait == nil)
    progress.note(.throttled(.paused, pause: .seconds(3)), at: 8)

    #expect(progress.waited(for: .migrationLock, at: 9) == 3)
    #expect(progress.waited(for: .locks, at: 9) == 2)
    #expect(progress.waited(for: .throttle, at: 9) == 1)
    #expect(progress.throttled == 3)
    #expect(progress.retries == 1)
  }
}
