internal import Synchronization

/// Values that are computed once for each key; concurrent readers wait for the first.
final class OnceEach<Key: Hashable & Sendable, Value: Sendable, Failure: Error>: Sendable {
  private final class Entry: Sendable {
    let outcome = Mutex<Result<Value, Failure>?>(nil)
  }

  private let entries = Mutex<[Key: Entry]>([:])

  /// Returns the value of a key, or throws its error, as first computed.
  func value(for key: Key, _ make: () throws(Failure) -> Value) throws(Failure) -> Value {
    let entry = entries.withLock { entries in
      let entry = entries[key] ?? Entry()
      entries[key] = entry
      return entry
    }
    return try entry.outcome.withLock { outcome in
      let known = outcome ?? Result(catching: make)
      outcome = known
      return known
    }.get()
  }
}
