internal import Diagnostics
internal import MigrationExecution
internal import MigrationPlanning
internal import PostgresClient

/// Carries out the deferred work of one store's online migrations.
struct FinishRun: ResumableRun {
  let call: RemodelCall
  let store: StoreIdentity
  let database: ConnectionSource
  var resumption: Resumption
  private var warnings: [Diagnostic] = []
  private var done: [DeferredWorkExecution.Done] = []
  private var partitions: [PartitionChange] = []
  private let allowance: DeferredWorkExecution.Allowance

  init(
    _ call: RemodelCall,
    _ store: StoreIdentity,
    _ database: ConnectionSource,
    _ allowance: DeferredWorkExecution.Allowance
  ) {
    self.allowance = allowance
    self.call = call
    self.store = store
    self.database = database
    resumption = Resumption(call, database)
  }

  mutating func attempt(_ connection: borrowing PostgresConnection) throws -> FinishReport {
    let presence = try MetadataStore(store).presenceWithJob(connection)
    guard case .store(let record) = presence else {
      return FinishReport(version: nil, done: [], left: [], partitions: [], warnings: [])
    }
    if resumption.serverStart == nil {
      resumption.serverStart = try ReadinessInspection.serverStart(connection)
    }
    call.tellPlan(of: [], in: store, connection)
    if record.unfinishedJobID != nil {
      note(try call.control(of: store).settleIfFree(connection)?.diagnostic)
    }
    try call.deferredWork(of: store, database).run(
      [.now, .deferred],
      connection,
      upTo: allowance.after(done.count),
      willBegin: { note(try call.warnOfSuperuser(unlessIn: warnings, $0)) },
      onDone: { work in
        done.append(work)
        resumption.noteProgress()
      }
    )
    if record.lacksPartitions != nil {
      partitions += try call.maintainPartitions(of: store, record, retaining: true, connection)
    }
    return FinishReport(
      version: VersionReference(name: record.versionName, checksum: record.checksum),
      done: done,
      left: try PendingWork.all(of: store, connection),
      partitions: partitions,
      warnings: warnings
    )
  }

  private mutating func note(_ warning: Diagnostic?) {
    if let warning, !warnings.contains(warning) { warnings.append(warning) }
  }
}

/// How much deferred work a call does.
public struct FinishLimit: Hashable, Sendable {
  /// How many pieces; any number if there is none.
  public var count: Int?
  /// For how long pieces may begin; any time if there is none.
  public var duration: Duration?

  /// Creates a limit.
  public init(count: Int? = nil, duration: Duration? = nil) {
    self.count = count
    self.duration = duration
  }
}

extension DeferredWorkExecution.Allowance {
  /// Creates the allowance of a call that begins now.
  init(_ limit: FinishLimit) {
    self.init(count: limit.count, end: limit.duration.map { .now + $0 })
  }
}
