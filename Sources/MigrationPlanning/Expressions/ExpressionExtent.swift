internal import ModelMapping

/// The depth and length of an expression with all derived attributes inlined.
///
/// The parser limits a single attribute. Attributes that read each other multiply it: twenty that
/// each read the previous one twice make a million parts.
struct ExpressionExtent {
  /// The longest chain of derived attributes that read one another.
  private static let longestChain = 32
  /// The maximum depth: the parser's limit, and some more.
  private static let deepest = 600
  /// The most bytes of all parts together, roughly counted.
  private static let largest = 1 << 16

  private var depth = 0
  private var size = 0

  /// Refuses a chain of derived attributes that is too long.
  func requireRoom(forDerived count: Int) throws(ExpressionFault) {
    guard count <= Self.longestChain else {
      throw .tooLarge("more than \(Self.longestChain) derived attributes deep")
    }
  }

  /// Counts a part that is about to be computed.
  mutating func enter(_ part: Expression) throws(ExpressionFault) {
    size += Self.size(of: part)
    guard size <= Self.largest else {
      throw .tooLarge("longer than about \(Self.largest >> 10) kB")
    }
    guard depth < Self.deepest else {
      throw .tooLarge("more than \(Self.deepest) parts deep")
    }
    depth += 1
  }

  mutating func leave() {
    depth -= 1
  }

  /// Returns about how many bytes a part adds to those of its own parts.
  private static func size(of part: Expression) -> Int {
    switch part {
    case .constant(.string(let text)), .constant(.number(let text)): 8 + text.utf8.count
    case .keyPath(let path): 8 + path.names.reduce(0) { $0 + $1.utf8.count }
    case .sql(let text): 8 + text.utf8.count
    case .constant(.boolean), .constant(.null), .variable, .evaluatedObject, .function, .negation,
      .arithmetic, .cast, .accessor, .list, .element, .ternary, .subquery, .fetch,
      .destinationInstances, .lookup, .policyCall, .nonNilValueOrDefault:
      8
    }
  }
}
