internal import MigrationPlanning

extension RunProgress {
  /// Moves to where the metadata has a copy job that another process works on.
  ///
  /// - Parameters:
  ///   - job: The job.
  ///   - time: The time since the first look at it, in seconds.
  package mutating func note(_ job: CopyJob, at time: Double) {
    if jobID != job.id { begin(job) }
    if job.progress.unvalidatedCount > 0, !phases.contains(where: { $0.phase == .validate }) {
      phases.append(PhaseProgress(.validate, [WorkUnit()]))
    }
    move(to: job.state, at: time)
    backlog = job.state.isEnded ? nil : job.progress.backlog
    if let copying = phases.firstIndex(where: { $0.phase == .copyRows }) {
      phases[copying].units[0].note(job.progress, at: time)
      if job.state != .copying { phases[copying].finish(at: time) }
      phases[copying].noteRate(at: time)
    }
    update { phase in
      guard phase.phase == .compare else { return }
      let done = job.progress.chunksVerified
      phase.units[0].note(ranges: done, of: max(1, job.progress.chunksTotal), at: time)
    }
    if job.state.isEnded { update { $0.finish(at: time) } }
    if job.state.isEnded {
      endWait(at: time)
    } else if job.isPaused {
      wait(for: .throttle(.paused), at: time)
    } else if !job.isOwnerConnected {
      wait(for: .worker, at: time)
    } else {
      endWait(at: time)
    }
  }

  /// Begins with a job, of whose plan only the metadata is known.
  private mutating func begin(_ job: CopyJob) {
    jobID = job.id
    versions = (job.source, job.target)
    let done = Double(job.progress.chunksDone) / Double(max(1, job.progress.chunksTotal))
    let seconds = job.progress.remainingSeconds.flatMap { done < 1 ? $0 / (1 - done) : nil }
    let isOnline = job.strategy == CopyStrategy.online.rawValue
    phases = [
      PhaseProgress(.prepare),
      PhaseProgress(.copyRows, [WorkUnit(name: "rows of the job", seconds: seconds)]),
      PhaseProgress(.buildIndexes, [WorkUnit()]),
    ]
    if isOnline { phases.append(PhaseProgress(.catchUp)) }
    phases += [
      PhaseProgress(.compare, [WorkUnit(name: "comparison")]), PhaseProgress(.switch, [WorkUnit()]),
    ]
    phaseIndex = nil
  }
}
