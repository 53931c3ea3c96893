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

/// Jobs that are cut off at every place: a rerun ends as if nothing had happened, and what is taken
/// back leaves nothing behind.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .serialized, .timeLimit(.minutes(30)))
struct CopyJobFaultTests {
  /// What happens at a place.
  enum Fault: CaseIterable {
    /// The process dies: its connections end, and nothing of it runs any more.
    case death
    /// The connection ends, and the process goes on.
    case lostConnection
    /// The server crashes and comes up again.
    case crash
  }

  private struct Dead: Error {}

  @Test(arguments: [CopyStrategy.gated, .online])
  func `a job that is cut off at any place comes to the same end`(
    strategy: CopyStrategy
  ) async throws {
    let sample = try CopyJobSample(strategy)
    let sequels = Sequel.allCases
    for (number, place) in try await places(sample).enumerated() {
      // Each place has one of the sequels, or all of them where there is time for it.
      for sequel in isThorough ? sequels : [sequels[number % sequels.count]] {
        try await TestServer.withDatabase { url in
          try await check(sample, url, at: place, sequel)
        }
      }
    }
  }

  /// What comes after a fault.
  private enum Sequel: CaseIterable {
    /// The process has died, and another one goes on.
    case rerun
    /// The process connects anew and goes on.
    case reconnection
    /// The process has died, and what it has made is taken back before another one begins.
    case cancellation
  }

  private func check(
    _ sample: CopyJobSample,
    _ url: String,
    at place: String,
    _ sequel: Sequel
  ) async throws {
    try sample.prepare(url, rows: 60)
    let expected = try sample.expectedRows(url)
    let context: Comment = "\(place), \(sequel)"

    #expect(
      try cutOff(sample, url, at: place, sequel == .reconnection ? .lostConnection : .death),
      context
    )

    switch sequel {
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

  @Test(arguments: [CopyStrategy.gated, .online])
  func `a job goes on where it was when the server has crashed`(
    strategy: CopyStrategy
  ) async throws {
    let sample = try CopyJobSample(strategy)
    let places = try await places(sample)
    // Each crash costs a recovery of the server.
    let chosen =
      isThorough
      ? places : places.filter { $0.hasSuffix(".before_commit") || $0.contains("after_") }
    try await ScratchServer.withServer(binaries: TestServer.binaries) { server in
      for (number, place) in chosen.enumerated() {
        let admin = try PostgresConnection(to: .url(server.url), wait: .seconds(60))
        let name = SQLIdentifier("crash_\(number)")
        try admin.execute("CREATE DATABASE \(name) TEMPLATE template0")
        // The server of the tests forgets commits of the last moments in a crash, unless it is told.
        try admin.execute("ALTER DATABASE \(name) SET synchronous_commit = on")
        let url = server.url.replacing("/postgres?", with: "/\(name.name)?")
        try sample.prepare(url, rows: 60)
        let expected = try sample.expectedRows(url)

        let wasReached = try cutOff(sample, url, at: place, .crash)

        #expect(wasReached, "\(place)")
        // Recovery may still be on its way where the job had nothing more to do.
        _ = try PostgresConnection(to: .url(url), wait: .seconds(60))
        #expect(try sample.rows(url) == expected, "\(place)")
        #expect(try sample.remains(url) == [], "\(place)")
      }
    }
  }

  // MARK: - Places

  private var isThorough: Bool {
    getenv("REMODEL_CASES").map { String(cString: $0) } == "all"
  }

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
    private let reached = Mutex(false)
    private let url: String
    private let name: String
    private let fault: Fault

    init(_ name: String, _ fault: Fault, _ url: String) {
      self.name = name
      self.fault = fault
      self.url = url
    }

    var isReached: Bool { reached.withLock(\.self) }

    var failpoints: Failpoints {
      Failpoints { [self] name, connection in
        guard !isReached else {
          // What is dead does nothing at all.
          if fault == .death { throw Dead() }
          return
        }
        guard name == self.name else { return }
        reached.withLock { $0 = true }
        switch fault {
        case .death, .lostConnection: try end(connection.backendPID, url)
        case .crash: crash(connection.backendPID)
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
    _ fault: Fault
  ) throws -> Bool {
    let place = FaultyPlace(name, fault, url)
    do {
      let result = try sample.run(url, CopyJobSample.settings(place.failpoints))
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
