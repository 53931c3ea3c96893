package import MigrationPlanning

/// How far a run is: a value that events move on, without clocks and words.
///
/// All times are seconds since the run began.
package struct RunProgress: Sendable {
  /// The plan; `nil` as long as nothing is planned.
  package private(set) var plan: RunPlan?
  /// The phases of the current step, in their order.
  package internal(set) var phases: [PhaseProgress] = []
  var phaseIndex: Int?
  /// The current step, by its place in the plan.
  package private(set) var stepIndex: Int?
  /// The current step's versions.
  package internal(set) var versions: (source: String?, destination: String)?
  /// The committed steps of the plan.
  package private(set) var committed: [MigrationStep] = []
  /// The statement of the step's own that runs, and their number.
  package private(set) var statement: (number: Int, count: Int)?
  /// What it does, as far as the server tells.
  package private(set) var activity: (name: String, share: Double?)?
  /// The changes that are still to be copied again; `nil` if unknown.
  package internal(set) var backlog: Int?
  /// The copy job; `nil` if there is none.
  package internal(set) var jobID: String?
  /// Whether something has been committed that the next run does not repeat.
  package private(set) var hasCommitted = false
  /// The reason why nothing happens at the moment.
  package private(set) var wait: RunWait?
  private var waitBegin = 0.0
  private var waited: [RunWait.Kind: Double] = [:]
  /// The attempts that were repeated.
  package private(set) var retries = 0
  /// The seconds for which the run has given way to others.
  package private(set) var throttled = 0.0
  /// The longest time for which locks were held or waited for.
  package private(set) var longestLock: Double?
  /// The most sessions of others that waited for a copy at once.
  package private(set) var blockedSessions = 0
  /// Since when writers are turned away.
  private var gateBegin: Double?
  /// For how long writers were turned away.
  private var gated: Double?
  /// The times of phases of earlier steps.
  private var earlierTimes: [RunPhase: Double] = [:]
  private var earlierRows = 0

  /// Creates the progress of a run that has not begun.
  package init() {}

  // MARK: - Events

  /// Moves on by an event.
  package mutating func note(_ event: MigrationEvent, at time: Double) {
    switch event {
    case .warned, .stepPlanned, .statement, .fallingBehind: return
    case .runPlanned(let plan): begin(plan, at: time)
    case .stepStarted(let source, let destination, _): beginStep(source, destination, at: time)
    case .stepEnded: endStep(at: time)
    case .cleanedUp: endCleanup(at: time)
    case .waitingForMigrationLock: wait(for: .migrationLock, at: time)
    case .waitingForOthers(let blockers):
      if blockers.isEmpty { endWait(at: time) } else { wait(for: .locks(blockers), at: time) }
    case .connectionLost: wait(for: .server, at: time)
    case .retrying:
      retries += 1
      if wait?.kind != .locks { wait(for: .locks([]), at: time) }
    case .locksHeld(let duration): longestLock = max(longestLock ?? 0, duration.inSeconds)
    case .statementStarted(let number, let count): start(number, of: count, at: time)
    case .statementProgressed(let name, let share): activity = (name, share)
    case .deferredWorkPlanned(let work): begin(work, at: time)
    case .deferredWorkStarted(let work): start(work.summary, at: time)
    case .deferredWorkEnded(let work, _):
      update { phase in
        guard phase.phase == .deferredWork else { return }
        let unit = phase.unit(named: work.summary)
        phase.units[unit].finish(at: time)
      }
      hasCommitted = true
      activity = nil
    case .jobStarted(let id, let strategy, let isContinued):
      jobID = id
      hasCommitted = true
      if strategy == .gated, gateBegin == nil { gateBegin = time }
      if !isContinued { enter(.prepare, at: time) }
    case .jobMoved(let state): move(to: state, at: time)
    case .copied(let progress):
      enter(.copyRows, at: time)
      update { phase in
        guard phase.phase == .copyRows else { return }
        let isTransfer = phase.units.first?.name == PlannedUnits.transferName
        let unit = isTransfer ? 0 : phase.unit(named: progress.part)
        for earlier in 0..<unit { phase.units[earlier].finish(at: time) }
        phase.units[unit].note(progress, at: time)
        phase.noteRate(at: time)
      }
      hasCommitted = true
    case .caughtUp(let left): backlog = left
    case .compared(let table, let ranges): compare(table, ranges, at: time)
    case .throttled(let reason, let pause):
      wait(for: .throttle(reason), at: time)
      let seconds = pause.inSeconds
      throttled += seconds
      if case .blockedSessions(let count) = reason { blockedSessions = max(blockedSessions, count) }
      update { phase in
        guard let unit = phase.units.firstIndex(where: { $0.begin != nil && $0.end == nil }) else {
          return
        }
        phase.units[unit].throttled += seconds
      }
    }
    if event.isAdvance { endWait(at: time) }
  }

  private mutating func begin(_ plan: RunPlan, at time: Double) {
    self.plan = plan
    committed = []
    stepIndex = nil
    guard plan.steps.first?.kind.staysAtVersion == true else { return }
    closeStep(at: time)
    phases = [
      PhaseProgress(.cleanUp, plan.steps.map { WorkUnit(name: $0.statements.first?.reason) })
    ]
    enter(.cleanUp, at: time)
  }

  /// Ends the transaction of a cleanup.
  private mutating func endCleanup(at time: Double) {
    hasCommitted = true
    update { phase in
      guard let unit = phase.units.firstIndex(where: { $0.end == nil }) else { return }
      phase.units[unit].finish(at: time)
    }
  }

  private mutating func beginStep(_ source: String?, _ destination: String, at time: Double) {
    let next = committed.count
    let steps = plan?.steps ?? []
    let isPlanned = steps.indices.contains(next) && steps[next].destination.name == destination
    // An attempt that was superseded is planned again.
    let place = isPlanned ? next : steps.lastIndex { $0.destination.name == destination }
    closeStep(at: time)
    versions = (source, destination)
    stepIndex = place
    phases = place.map { steps[$0].phases(forecast(of: $0)) } ?? [PhaseProgress(.change)]
    phaseIndex = nil
    statement = nil
    if let first = phases.first?.phase { enter(first, at: time) }
  }

  private func forecast(of step: Int) -> StepForecast? {
    guard let steps = plan?.forecast.steps, steps.indices.contains(step) else { return nil }
    return steps[step]
  }

  /// Keeps the times of a step before the next one begins.
  private mutating func closeStep(at time: Double) {
    update { $0.finish(at: time) }
    for phase in phases where phase.begin != nil {
      earlierTimes[phase.phase, default: 0] += phase.elapsed(at: time)
      earlierRows += phase.rowsCopied
    }
    phases = []
    phaseIndex = nil
  }

  private mutating func endStep(at time: Double) {
    update { if $0.phase != .deferredWork { $0.finish(at: time) } }
    hasCommitted = true
    statement = nil
    endGate(at: time)
    if let stepIndex, let step = plan?.steps[stepIndex] { committed.append(step) }
  }

  private mutating func endGate(at time: Double) {
    guard let begin = gateBegin else { return }
    gated = (gated ?? 0) + time - begin
    gateBegin = nil
  }

  /// Begins a phase of the step, and ends the one before; earlier phases do not begin again.
  private mutating func enter(_ phase: RunPhase, at time: Double) {
    guard let index = phases.firstIndex(where: { $0.phase == phase }), index > phaseIndex ?? -1
    else { return }
    if let phaseIndex { phases[phaseIndex].finish(at: time) }
    phases[index].start(at: time)
    phaseIndex = index
    activity = nil
  }

  mutating func update(_ change: (inout PhaseProgress) -> Void) {
    if let phaseIndex { change(&phases[phaseIndex]) }
  }

  private mutating func start(_ number: Int, of count: Int, at time: Double) {
    if let stepIndex, plan?.steps[stepIndex].isInParts == true { hasCommitted = true }
    // The numbers of a copy's end are no numbers of the plan.
    if jobID == nil {
      let planned = stepIndex.flatMap { plan?.steps[$0].statementCount }
      statement = (number, planned ?? count)
    }
    let index = number - 1
    if let phaseIndex, let range = phases[phaseIndex].statements, index < range.lowerBound,
      let stepIndex, jobID == nil, let steps = plan?.steps
    {
      // An attempt was given up, and its transaction with it.
      for phase in phases where phase.begin != nil {
        earlierTimes[phase.phase, default: 0] += phase.elapsed(at: time)
      }
      phases = steps[stepIndex].phases(forecast(of: stepIndex))
      self.phaseIndex = nil
    }
    if let phase = phases.first(where: { $0.statements?.contains(index) == true }) {
      enter(phase.phase, at: time)
    }
    update { phase in
      guard let range = phase.statements, range.contains(index) else { return }
      phase.startUnit(index - range.lowerBound, at: time)
    }
  }

  private mutating func begin(_ work: [PendingWork], at time: Double) {
    let summaries = work.map(\.summary)
    if !phases.contains(where: { $0.phase == .deferredWork }) {
      let units = summaries.map { WorkUnit(name: $0) }
      phases.append(PhaseProgress(.deferredWork, units))
    }
    enter(.deferredWork, at: time)
  }

  private mutating func start(_ summary: String, at time: Double) {
    if !phases.contains(where: { $0.phase == .deferredWork }) {
      phases.append(PhaseProgress(.deferredWork, [WorkUnit(name: summary)]))
    }
    enter(.deferredWork, at: time)
    update { phase in
      let unit = phase.unit(named: summary)
      phase.units[unit].start(at: time)
    }
    activity = nil
  }

  mutating func move(to state: CopyJob.State, at time: Double) {
    switch state {
    case .prepared: enter(.prepare, at: time)
    case .copying: enter(.copyRows, at: time)
    case .indexing: enter(.buildIndexes, at: time)
    case .catchingUp: enter(.catchUp, at: time)
    case .verifying: enter(.compare, at: time)
    case .ready: enter(.switch, at: time)
    case .settling:
      endGate(at: time)
      enter(.validate, at: time)
    case .finished, .aborting, .aborted: endGate(at: time)
    }
    if state != .catchingUp, state != .verifying { backlog = nil }
  }

  private mutating func compare(_ table: String, _ ranges: Int, at time: Double) {
    enter(.compare, at: time)
    let total = phases.first { $0.phase == .copyRows }?.units
      .first { $0.table == table && $0.rangesTotal != nil }?.rangesTotal
    update { phase in
      guard phase.phase == .compare else { return }
      let unit = phase.unit(named: table)
      for earlier in 0..<unit { phase.units[earlier].finish(at: time) }
      phase.units[unit].start(at: time)
      guard let total else { return }
      phase.units[unit].note(ranges: phase.units[unit].rangesDone + ranges, of: total, at: time)
    }
  }

  // MARK: - Waiting

  mutating func wait(for reason: RunWait, at time: Double) {
    if reason.kind != wait?.kind {
      endWait(at: time)
      waitBegin = time
    }
    wait = reason
  }

  mutating func endWait(at time: Double) {
    guard let wait else { return }
    waited[wait.kind, default: 0] += max(0, time - waitBegin)
    self.wait = nil
  }

  /// Returns for how many seconds the run has waited for a reason.
  package func waited(for kind: RunWait.Kind, at time: Double) -> Double {
    let current = wait?.kind == kind ? max(0, time - waitBegin) : 0
    return waited[kind, default: 0] + current
  }

  // MARK: - Facts

  /// The current phase; `nil` if none has begun.
  package var phase: PhaseProgress? { phaseIndex.map { phases[$0] } }

  /// The number of the current phase, and how many there are.
  package var phaseNumber: (number: Int, count: Int)? {
    phaseIndex.map { ($0 + 1, phases.count) }
  }

  /// The part of the phase that is at work, by its name.
  package var part: String? {
    phase?.units.last { $0.begin != nil && $0.end == nil }?.name
  }

  /// The rows that the run has copied, without those of an earlier run of the same job.
  package var rows: Int { earlierRows + phases.reduce(0) { $0 + $1.rowsCopied } }

  /// Returns for how long writers were turned away; `nil` if they were not.
  package func gated(at time: Double) -> Double? {
    guard let gateBegin else { return gated }
    return (gated ?? 0) + time - gateBegin
  }

  /// Returns the times of the phases that have begun, in their order.
  package func times(at time: Double) -> [(phase: RunPhase, seconds: Double)] {
    RunPhase.allCases.compactMap { phase in
      let current = phases.filter { $0.phase == phase && $0.begin != nil }
      guard !current.isEmpty || earlierTimes[phase] != nil else { return nil }
      let seconds = current.reduce(earlierTimes[phase, default: 0]) { $0 + $1.elapsed(at: time) }
      return (phase, seconds)
    }
  }
}

extension MigrationEvent {
  /// Whether it shows that the run goes on.
  fileprivate var isAdvance: Bool {
    switch self {
    case .stepStarted, .stepEnded, .cleanedUp, .statementStarted, .deferredWorkStarted,
      .deferredWorkEnded, .jobStarted, .jobMoved, .copied, .caughtUp, .compared:
      true
    case .warned, .runPlanned, .stepPlanned, .waitingForMigrationLock, .retrying, .connectionLost,
      .locksHeld, .statement, .statementProgressed, .deferredWorkPlanned, .waitingForOthers,
      .fallingBehind, .throttled:
      false
    }
  }
}
