internal import MigrationPlanning
internal import PostgresClient

extension StepExecution {
  /// Returns whether the metadata is such that the step is what comes next.
  ///
  /// - Parameters:
  ///   - done: How many statements of a creation in several transactions are committed.
  ///   - connection: A connection that has the migration lock.
  /// - Returns: Whether the step may go on; otherwise the plan has to be made again.
  /// - Throws: An error if another job comes first, and what the server says.
  func isStillNext(
    after done: Int,
    _ connection: borrowing PostgresConnection
  ) throws -> Bool {
    if cutover == nil, step.source != nil,
      let job = try CopyJob.unfinished(of: store, connection)
    {
      // Another process has ended a copy, and is to be let end what comes after it.
      if job.state == .settling { return false }
      // The tables are watched or guarded for the sake of that one.
      let obstacle: ExecutionError.JobObstacle =
        step.kind == .cleanup
        ? .comesFirst : .otherPlan(source: job.source, target: job.target)
      throw ExecutionError(.jobUnfinished(id: job.id, obstacle))
    }
    let presence = try MetadataStore(store).presence(connection)
    guard step.follows(presence, after: done) else { return false }
    if !step.droppedRetained.isEmpty {
      let retained = try MetadataStore(store).retained(connection)
      guard step.droppedRetained.isSubset(of: retained) else { return false }
    }
    if step.kind == .cleanup { return true }
    // What the last version has left to do comes before the next one.
    if step.source != nil, !step.isIntoSchema, step.kind != .revert,
      try !PendingWork.all(of: store, connection).isEmpty
    {
      return false
    }
    guard let copied = step.copiedStore(store) else { return true }
    return try step.isOf(MetadataStore(copied).presence(connection))
  }
}
