import Dispatch
import RemodelKit
import SQLSyntax
import TestSupport
import Testing

/// What becomes of the promise that a column has a value in every row.
extension FillFaultTests {
  @Test(
    arguments: [
      "promise.after_commit", "prove.before_commit", "prove.after_commit", "verified.after_commit",
    ],
    [true, false]
  )
  func `who leaves a fill takes its promises back`(
    place: String,
    isInterrupted: Bool
  ) async throws {
    try await withValues { bundle, url in
      let (isReached, interruption) = (Flag(), Interruption())
      let failpoints = Failpoints { name, _ in
        guard name == place, isReached.set() else { return }
        guard isInterrupted else { throw Dead() }
        interruption.interrupt(signal: 2)
      }

      let error = await #expect(throws: (any Error).self) {
        try await remodel(bundle, failpoints, interruption).migrate(.url(url))
      }

      #expect(isReached.isSet)
      #expect(error.map { "\($0)".contains("refuse writes") } == false)
      let job = try await remodel(bundle).jobs(.url(url)).last
      #expect(job?.state == .verifying)
      #expect(isInterrupted || job?.lastError != nil)
      try expectFreeWriters(url)
      _ = try await remodel(bundle).migrate(.url(url))
      #expect(try remains(url) == [])
    }
  }

  @Test
  func `a paused fill makes no promise`() async throws {
    try await withValues { bundle, url in
      let (isPaused, isWithdrawn) = (Flag(), Flag())
      let failpoints = Failpoints { name, _ in
        let other = try PostgresConnection(to: .url(url))
        if name == "promise.after_commit", isPaused.set() {
          try other.execute("UPDATE remodel.job SET paused = true")
        }
        if name == "withdraw.after_commit", isWithdrawn.set() {
          try expectFreeWriters(url)
          try other.execute("UPDATE remodel.job SET paused = false")
        }
      }

      _ = try await remodel(bundle, failpoints).migrate(.url(url))

      #expect(isWithdrawn.isSet)
      #expect(try remains(url) == [])
    }
  }

  @Test(.sampled(oneIn: 2))
  func `a promise that a lock keeps in its place is told of, and kept by a rerun`() async throws {
    try await withValues { bundle, url in
      let vacuum = Vacuum(of: "sale", url)
      let failpoints = Failpoints { name, _ in
        if name == "promise.after_commit" { try vacuum.begin() }
      }

      let error = await #expect(throws: (any Error).self) {
        try await remodel(bundle, failpoints, lockRetryFor: .zero).migrate(.url(url))
      }

      vacuum.end()
      let words = error.map { "\($0)" } ?? ""
      #expect(words.contains("continues to refuse writes that leave a required column"), "\(words)")
      let connection = try PostgresConnection(to: .url(url))
      #expect(throws: PostgresError.self) {
        try connection.execute("UPDATE public.sale SET seller = NULL WHERE _id = 8")
      }
      _ = try await remodel(bundle).migrate(.url(url))
      #expect(try remains(url) == [])
    }
  }

  @Test
  func `a row that lacks its value for a moment stops no fill`() async throws {
    try await withValues { bundle, url in
      let (isEmptied, isFilled) = (Flag(), Flag())
      let failpoints = Failpoints { name, _ in
        let other = try PostgresConnection(to: .url(url))
        if name == "nulls.after_commit", isEmptied.set() {
          try other.execute("UPDATE public.sale SET seller = NULL WHERE _id = 7")
        }
        if name == "withdraw.after_commit", isFilled.set() {
          try other.execute("UPDATE public.sale SET seller = 'Zoe' WHERE _id = 7")
        }
      }

      _ = try await remodel(bundle, failpoints).migrate(.url(url))

      #expect(isFilled.isSet)
      #expect(try remains(url) == [])
    }
  }

  @Test
  func `a vacuum of one table hinders no proof of another`() async throws {
    let versions = ["", ", label: string"].map { label in
      """
      remodel: 1
      entities:
        Item: { attributes: { name: string?\(label.isEmpty ? "" : ", title: string?") } }
        Sale: { attributes: { amount: integer32, divisor: integer32?, seller: string\(label) } }
      """
    }
    let mapping = """
      remodelMapping: 1
      source: "1"
      destination: "2"
      entities:
        - { source: Item, destination: Item, attributes: { title: uppercase($source.name) } }
        - { source: Sale, destination: Sale, attributes: { label: uppercase($source.seller) } }
      """
    try await withBundle(versions, mappings: ["1-2": mapping]) { bundle in
      try await TestServer.withDatabase { url in
        try await prepare(bundle, url)
        let vacuum = Vacuum(of: "item", url)
        let isProven = Flag()
        let failpoints = Failpoints { name, _ in
          if name == "noted.after_commit" { try vacuum.begin() }
          if name == "prove.after_commit" { isProven.set() }
          if name == "verified.before_commit" { vacuum.end() }
        }
        defer { vacuum.end() }

        _ = try await remodel(bundle, failpoints, lockRetryFor: .zero).migrate(.url(url))

        #expect(isProven.isSet)
      }
    }
  }
}

/// Somebody with the lock of a vacuum that gives way to nobody.
private final class Vacuum: Sendable {
  private let table: QualifiedName
  private let url: String
  private let (isBegun, isHeld, isOver) = (Flag(), Flag(), Flag())
  private let group = DispatchGroup()

  init(of table: SQLIdentifier, _ url: String) {
    self.table = QualifiedName(schema: "public", name: table)
    self.url = url
  }

  /// Takes the lock, once.
  func begin() throws {
    guard isBegun.set() else { return }
    DispatchQueue(label: "vacuum").async(group: group) { [self] in
      defer { isHeld.set() }
      guard let connection = try? PostgresConnection(to: .url(url)),
        (try? connection.execute("BEGIN")) != nil,
        (try? connection.execute("LOCK TABLE \(table) IN SHARE UPDATE EXCLUSIVE MODE")) != nil
      else { return }
      isHeld.set()
      isOver.block()
      _ = try? connection.execute("ROLLBACK")
    }
    isHeld.block()
  }

  /// Gives it back.
  func end() {
    isOver.set()
    group.wait()
  }
}
