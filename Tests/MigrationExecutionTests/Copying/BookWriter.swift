import Dispatch
import PostgresClient
import SQLSyntax
import Synchronization
import TestSupport

/// A writer that continues until it is stopped.
final class BookWriter: Sendable {
  private let url: String
  private let seed: UInt64
  private let state = Mutex<(isStopped: Bool, count: Int, error: (any Error)?)>((false, 0, nil))
  private let group = DispatchGroup()

  init(_ url: String, seed: UInt64) {
    self.url = url
    self.seed = seed
  }

  var count: Int { state.withLock(\.count) }

  func start() {
    DispatchQueue(label: "writer").async(group: group) { [self] in
      do {
        try write()
      } catch {
        state.withLock { $0.error = error }
      }
    }
  }

  func stop() throws {
    state.withLock { $0.isStopped = true }
    group.wait()
    if let error = state.withLock(\.error) { throw error }
  }

  private func write() throws {
    let connection = try PostgresConnection(to: .url(url))
    var random = SeededGenerator(seed: seed)
    while !state.withLock(\.isStopped) {
      let key = SQLLiteral.integer(.random(in: 1...3_000, using: &random))
      let group = SQLLiteral.text("Author \(Int.random(in: 1...120, using: &random))")
      let statement: SQLFragment =
        switch Int.random(in: 0..<6, using: &random) {
        case 0: "DELETE FROM public.book WHERE _id = \(key)"
        case 1: "UPDATE public.book SET author_name = \(group) WHERE _id = \(key)"
        case 2: "UPDATE public.book SET title = title || '!', pages = NULL WHERE _id = \(key)"
        case 3: "UPDATE public.book SET _id = _id + 100000 WHERE _id = \(key)"
        case 4: "UPDATE public.book SET author_name = NULL WHERE _id = \(key)"
        default: "INSERT INTO public.book (title, author_name) VALUES ('New', \(group))"
        }
      try connection.execute(statement)
      state.withLock { $0.count += 1 }
    }
  }
}
