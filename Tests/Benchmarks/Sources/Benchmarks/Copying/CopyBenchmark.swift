import FoundationEssentials
import RemodelKit
import Subprocess

/// Copies by mapping models against hand-written SQL, and their effect on other sessions.
struct CopyBenchmark {
  enum Subject: String, CaseIterable {
    case locked
    case gated
    case workers
    case online
    case memory
    case orm
    case transfer

    /// The default number of copied rows.
    var rows: Int { self == .memory ? 2_000_000 : 1_000_000 }
    /// The default number of measurements.
    var runs: Int {
      switch self {
      case .locked, .gated, .workers, .transfer: 5
      case .online, .memory, .orm: 3
      }
    }
  }

  let remodel: String
  let server: ScratchServer
  let bundles: CopyBundles
  let rows: Int
  let runs: Int

  static func run(_ subject: Subject, remodel: String, rows: Int?, runs: Int?) async throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "remodel-benchmark-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let bundles = try CopyBundles(in: folder)
    try await ScratchServer.withServer { server in
      let benchmark = CopyBenchmark(
        remodel: remodel,
        server: server,
        bundles: bundles,
        rows: rows ?? subject.rows,
        runs: runs ?? subject.runs
      )
      switch subject {
      case .locked: try await benchmark.measureLocked()
      case .gated: try await benchmark.measureGated()
      case .workers: try await benchmark.measureWorkers()
      case .online: try await benchmark.measureOnline()
      case .memory: try await benchmark.measureMemory()
      case .orm: try await benchmark.measureLibraries()
      case .transfer: try await benchmark.measureTransfer()
      }
    }
  }

  /// Creates a database at the first version, with rows.
  func database(_ bundle: CopyBundles.Bundle, rows: Int) async throws -> BenchmarkDatabase {
    let database = try BenchmarkDatabase(
      named: SQLIdentifier("start_\(bundle.rawValue)_\(rows)"),
      on: server
    )
    try await migrate(bundle, database.url, to: "1")
    let connection = try PostgresConnection(to: .url(database.url))
    let count = SQLLiteral.integer(Int64(rows))
    try connection.execute(
      """
      INSERT INTO public.customer (name) SELECT 'customer ' || n FROM generate_series(1, 10000) AS n;
      INSERT INTO public."order" (title, note, amount, made_at, quantity, customer)
        SELECT 'a title of thirty letters ' || n % 10000, 'a note of thirty characters ' || n % 100,
          n % 10000 / 100.0, '2024-01-01'::timestamptz + n * '1 s'::interval, n % 100,
          n % 10000 + 1
        FROM generate_series(1, \(count)) AS n
      """
    )
    try connection.execute("VACUUM ANALYZE")
    return database
  }

  /// Runs `remodel migrate`.
  func migrate(
    _ bundle: CopyBundles.Bundle,
    _ url: String,
    to version: String = "2",
    options: [String] = []
  ) async throws {
    let arguments =
      ["migrate", "--database", url, "--models", bundles.path(bundle), "--to", version] + options
    let outcome = try await Subprocess.run(
      .path(.init(remodel)),
      arguments: Arguments(arguments),
      output: .discarded,
      error: .string(limit: 1 << 20)
    )
    guard outcome.terminationStatus.isSuccess else {
      throw BenchmarkError(message: "remodel \(arguments): \(outcome.standardError)")
    }
  }
}

/// How long the phases of a copy job took, in seconds.
struct CopyPhases {
  private var begins: [String: Double] = [:]

  /// Reads them from the metadata.
  init(_ url: String) throws {
    let connection = try PostgresConnection(to: .url(url))
    let events = try connection.query(
      """
      SELECT detail, extract(epoch FROM happened_at) AS at FROM remodel.job_event
      WHERE kind = 'state' ORDER BY id
      """
    )
    for event in events {
      guard let state = event["detail"], let time = event["at"].flatMap({ Double($0) }) else {
        continue
      }
      begins[state] = time
    }
  }

  /// When a state began, in seconds since 1970.
  func begin(_ state: String) -> Double { begins[state] ?? .nan }

  var copying: Double { begin("indexing") - begin("copying") }
  var verifying: Double { begin("ready") - begin("verifying") }
}
