/// A value that all copies have in common until one of them is changed.
///
/// Planning copies the descriptions of a model all the time, and each has two dozen strings and lists: so a
/// copy is one more reference.
struct Shared<Value: Hashable & Sendable>: Hashable, Sendable {
  /// The value alone, in the storage that arrays have.
  private var storage: [Value]

  init(_ value: Value) {
    storage = [value]
  }

  var value: Value {
    _read { yield storage[0] }
    _modify { yield &storage[0] }
  }

  // Arrays would copy both values to compare them.
  static func == (first: Self, second: Self) -> Bool {
    first.storage.withUnsafeBufferPointer { first in
      second.storage.withUnsafeBufferPointer { second in
        first.baseAddress == second.baseAddress || first[0] == second[0]
      }
    }
  }
}
