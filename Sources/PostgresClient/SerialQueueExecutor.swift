import Dispatch

/// Runs an actor's jobs on a queue of its own, where they may wait for a server.
final class SerialQueueExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "remodel.postgres-session")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = asUnownedSerialExecutor()
    queue.async { job.runSynchronously(on: executor) }
  }

  func checkIsolated() {
    dispatchPrecondition(condition: .onQueue(queue))
  }
}
