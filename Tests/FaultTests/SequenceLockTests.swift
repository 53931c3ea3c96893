import Foundation
import MigrationExecution
import PostgresClient
import RemodelKit
import Synchronization
import TestSupport
import Testing

/// Writers that take values of a sequence before they write to its table, as many object-relational
/// mappers do.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct SequenceLockTests {
  private static let versions = ["double?", "integer32?"].map { type in
    """
    remodel: 1
    entities:
      Reading: { attributes: { value: \(type) } }
    """
  }

  private static let mapping = """
    remodelMapping: 1
    source: "1"
    destination: "2"
    entities:
      - source: Reading
        destination: Reading
        attributes: { value: "CAST($source.value, 'NSNumber')" }
    """

  @Test
  func `a writer that has a value of a sequence is no victim of a deadlock`() async throws {
    try await withBundle(Self.versions, mappings: ["1-2": Self.mapping]) { bundle in
      try await TestServer.withDatabase { url in
        _ = try await Remodel(RemodelConfiguration(modelsPath: bundle)).migrate(.url(url), to: "1")
        let writer = SlowWriter(url)
        var configuration = RemodelConfiguration(modelsPath: bundle, strategy: .online)
        configuration.lockRetryFor = .seconds(60)
        configuration.copySettings.failpoints = Failpoints { name, _ in
          switch name {
          case "verified.after_commit": writer.begin()
          // The writer looks for a deadlock a second after it began to wait.
          case "cutover.after_lockTables": usleep(950_000)
          default: break
          }
        }

        let report = try await Remodel(configuration).migrate(.url(url))

        #expect(report.outcome == .migrated)
        #expect(writer.end() == ["value", "row"])
      }
    }
  }
}

/// Takes a value of a sequence, and writes a row a little later in the same transaction.
private final class SlowWriter: Sendable {
  private let url: String
  private let events = Mutex<[String]>([])
  private let hasBegun = Mutex(false)
  private let group = DispatchGroup()

  init(_ url: String) {
    self.url = url
  }

  /// Returns when the value is taken.
  func begin() {
    let isFirst = hasBegun.withLock { begun in
      defer { begun = true }
      return !begun
    }
    guard isFirst else { return }
    let hasValue = DispatchSemaphore(value: 0)
    DispatchQueue(label: "writer").async(group: group) { [self] in
      do {
        let connection = try PostgresConnection(to: .url(url))
        try connection.execute("BEGIN; SELECT nextval('public.reading__id_seq')")
        note("value")
        hasValue.signal()
        usleep(200_000)
        try connection.execute("INSERT INTO public.reading DEFAULT VALUES; COMMIT")
        note("row")
      } catch {
        note("\(error)")
        hasValue.signal()
      }
    }
    hasValue.wait()
  }

  func end() -> [String] {
    group.wait()
    return events.withLock(\.self)
  }

  private func note(_ event: String) {
    events.withLock { $0.append(event) }
  }
}
