import MigrationPlanning
import PostgresClient
import RemodelKit
import SQLSyntax
import Synchronization
import TestSupport
import Testing

@testable import MigrationExecution

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Jobs that are interrupted at every place: a rerun has the same result as an uninterrupted job,
/// and a cancelled job leaves nothing behind.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .serialized, .timeLimit(.minutes(30)))
struct CopyJobFaultTests {
  /// What happens at a place.
  enum Fault: CaseIterable {
    /// The process dies: its connections end, and nothing of it runs any more.
    case death
    /// The connection ends, and the process continues.
    case lostConnection
    /// A process of the server crashes, and the server ends all others and recovers.
    case crash
    /// The server is shut down at once, and started again by those who look after it.
    case shutdown
  }

  private struct Dead: Error {}

  @Test(arguments: RandomCases.one(in: 2, of: [CopyStrategy.gated, .online]))
  func `a job that is interrupted at any place has the same result`(
    strategy: CopyStrategy
  ) async throws {
    let sample = try CopyJobSample(strategy)
    let variants = Sequel.allCases.flatMap { sequel in
      [1, 2].map { Variant(sequel: sequel, workers: $0) }
    }
    let places = Array(try await places(sample).enumerated())
    for (number, place) in RandomCases.one(in: 12, of: places) {
      // Each place has one of the variants, or all of them where there is time for it.
      for variant in RandomCases.isEverything ? variants : [variants[number % variants.count]] {
        try await TestServer.withDatabase { url in
          try await check(sample, url, at: place, variant)
        }
      }
    }
  }

  private struct Variant {
    let sequel: Sequel
    /// How many sessions copy at a time; the fault befalls one of them.
    let workers: Int
  }

  /// The action after a fault.
  private enum Sequel: CaseIterable {
    /// The process has died, and another one continues.
    case rerun
    /// The process reconnects and continues.
    case reconnection
    /// The process has died, and what it has made is taken back before another one begins.
    case cancellation
  }

  private func check(
    _ sample: CopyJobSample,
    _ url: String,
    at place: String,
    _ variant: Variant
  ) async throws {
    try sample.prepare(url, rows: 60)
    let expected = try sample.expectedRows(url)
    let context: Comment = "\(place), \(variant)"

    let fault = variant.sequel == .reconnection ? Fault.lostConnection : .death
    #expect(try cutOff(sample, url, at: place, fault, workers: variant.workers), context)

    switch variant.sequel {
    case .reconnection: break
    case .rerun: _ = try sample.run(url)
    case .cancellation:
      let job = try sample.job(url)
      if job?.state == .settling {
        // There is no way back any more.
        let error = #expect(throws: ExecutionError.self) { try sample.cancel(url) }
        guard case .jobUnfinished(_, .settling) = error?.fact else {
          Issue.record("\(place): \(error as Any)")
          return
        }
      } else if let job, !job.state.isEnded {
        try sample.cancel(url)
        #expect(try sample.expectedRows(url) == expected, context)
        #expect(try sample.remains(url) == [], context)
        #expect(try sample.job(url)?.state == .aborted, context)
      }
      _ = try sample.run(url)
    }
    #expect(try sample.rows(url) == expected, context)
    #expect(try sample.remains(url) == [], context)
    #expect(try sample.hasValidated(url), context)
    #expect(try sample.job(url)?.state == .finished, context)
  }

  @Test
  func `taking a job back can itself be cut off at any place`() async throws {
    let sample = try CopyJobSample(.online)
    let names = ["cancel", "abort_trigger", "abort_schema"]
    let places = names.flatMap { ["\($0).before_commit", "\($0).after_commit"] }
    for place in places {
      try await TestServer.withDatabase { url in
        try sample.prepare(url, rows: 60)
        let expected = try sample.expectedRows(url)
        _ = try cutOff(sample, url, at: "copied.before_commit", .death)
        let fault = FaultyPlace(place, .death, url)

        #expect(throws: (any Error).self) { try sample.cancel(url, fault.failpoints) }

        #expect(fault.isReached, "\(place)")
        if let job = try sample.job(url), !job.state.isEnded { try sample.cancel(url) }
        #expect(try sample.expectedRows(url) == expected)
        #expect(try sample.remains(url) == [], "\(place)")
      }
    }
  }

  @Test(arguments: RandomCases.one(in: 2, of: [CopyStrategy.gated, .online]))
  func `a job continues where it was when the server has crashed`(
    strategy: CopyStrategy
  ) async throws {
    let sample = try CopyJobSample(strategy)
    let places = try await places(sample)
    // Each crash costs a recovery of the server.
    let chosen = RandomCases.one(in: 6, of: places)
    try await ScratchServer.withServer(binaries: TestServer.binaries) { server in
      for (number, place) in chosen.enumerated() {
        let url = server.url.replacing("/postgres?", with: "/crash_\(number)?")
        try goOn(sample, server.url, "crash_\(number)", url, at: place, .crash)
      }
    }
  }

  @Test(arguments: RandomCases.one(in: 2, of: [CopyStrategy.gated, .online]))
  func `a job continues where it was when the server was restarted`(
    strategy: CopyStrategy
  ) async throws {
    let sample = try CopyJobSample(strategy)
    let places = try await places(sample)
    let samples = ["guard.before_commit", "chunk.before_commit", "cutover.before_commit"]
    let server = try await RestartingServer()
    for (number, place) in places.enumerated()
    where RandomCases.isEverything || samples.contains(place) {
      let name = "shutdown_\(number)"
      let fault = Fault.shutdown
      try goOn(sample, server.url(), name, server.url(of: name), at: place, fault, server.directory)
    }
  }

  /// Creates a database in which the server ends at a place, and compares the results of the job.
  private func goOn(
    _ sample: CopyJobSample,
    _ adminURL: String,
    _ name: String,
    _ url: String,
    at place: String,
    _ fault: Fault,
    _ directory: String = ""
  ) throws {
    let admin = try PostgresConnection(to: .url(adminURL), wait: .seconds(600))
    let database = SQLIdentifier(name)
    try admin.execute("CREATE DATABASE \(database) TEMPLATE template0")
    // By default, the server of the tests loses the last commits in a crash.
    try admin.execute("ALTER DATABASE \(database) SET synchronous_commit = on")
    try sample.prepare(url, rows: 60)
    let expected = try sample.expectedRows(url)

    let wasReached = try cutOff(sample, url, at: place, fault, directory)

    #expect(wasReached, "\(place)")
    // Recovery may still be on its way where the job had nothing more to do.
    _ = try PostgresConnection(to: .url(url), wait: .seconds(600))
    #expect(try sample.rows(url) == expected, "\(place)")
    #expect(try sample.remains(url) == [], "\(place)")
  }

  // MARK: - Places

  /// The places of an undisturbed run, each once.
  private func places(_ sample: CopyJobSample) async throws -> [String] {
    try await TestServer.withDatabase { url in
      try sample.prepare(url, rows: 60)
      let names = Mutex<[String]>([])
      let failpoints = Failpoints { name, _ in
        names.withLock { if !$0.contains(name) { $0.append(name) } }
      }
      _ = try sample.run(url, CopyJobSample.settings(failpoints))
      let found = names.withLock(\.self)
      #expect(found.count > 30, "\(found)")
      return found
    }
  }

  /// A place at which something happens once.
  private final class FaultyPlace: Sendable {
    private let reached = Flag()
    private let url: String
    private let name: String
    private let fault: Fault
    private let directory: String

    init(_ name: String, _ fault: Fault, _ url: String, _ directory: String = "") {
      self.name = name
      self.fault = fault
      self.url = url
      self.directory = directory
    }

    var isReached: Bool { reached.isSet }

    var failpoints: Failpoints {
      Failpoints { [self] name, connection in
        // The first of several sessions.
        let isNow = name == self.name && reached.set()
        guard isNow else {
          // What is dead does nothing at all.
          if fault == .death, isReached { throw Dead() }
          return
        }
        switch fault {
        case .death, .lostConnection: try end(connection.backendPID, url)
        case .crash: crash(connection.backendPID)
        case .shutdown: RestartingServer.shutDown(directory)
        }
        if fault == .death { throw Dead() }
      }
    }
  }

  /// Runs the job with a fault; returns whether it came to the place.
  private func cutOff(
    _ sample: CopyJobSample,
    _ url: String,
    at name: String,
    _ fault: Fault,
    _ directory: String = "",
    workers: Int = 1
  ) throws -> Bool {
    let place = FaultyPlace(name, fault, url, directory)
    // With several workers, each has something to do.
    let settings = CopyJobSample.settings(
      chunkRows: workers == 1 ? 50 : 7,
      workers: workers,
      place.failpoints
    )
    do {
      let result = try sample.run(url, settings)
      // The commit may have been the last thing to happen.
      #expect(result == .committed || result == .superseded, "\(name)")
    } catch {
      #expect(fault == .death, "\(name): \(error)")
    }
    return place.isReached
  }
}

/// Ends a session, and waits until the server has forgotten it.
private func end(_ pid: Int, _ url: String) throws {
  let other = try PostgresConnection(to: .url(url))
  let process = SQLLiteral.integer(Int64(pid))
  try other.query("SELECT pg_terminate_backend(\(process), 5000)")
}

/// Kills a process of the server, upon which the server ends all others and recovers.
private func crash(_ pid: Int) {
  kill(pid_t(pid), SIGKILL)
  usleep(100_000)
}
