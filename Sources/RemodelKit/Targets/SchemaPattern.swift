/// A pattern of names of schemas, as shells have them: `*` stands for any characters, `?` for one.
public struct SchemaPattern: Hashable, Sendable, CustomStringConvertible {
  /// The pattern as it was written.
  public let text: String

  /// Creates a pattern.
  public init(_ text: String) {
    self.text = text
  }

  /// The pattern as it was written.
  public var description: String { text }

  /// A Boolean value that indicates whether it is the name of a schema, and of no other.
  package var isName: Bool { !text.unicodeScalars.contains { $0 == "*" || $0 == "?" } }

  /// Returns whether a name is one that the pattern means, down to the last code point.
  package func matches(_ name: String) -> Bool {
    let pattern = Array(text.unicodeScalars)
    let name = Array(name.unicodeScalars)
    var position = 0
    var index = 0
    /// The position of the last star, and the position in the name at that point.
    var star: (position: Int, index: Int)?
    while index < name.count {
      if position < pattern.count, pattern[position] == "*" {
        star = (position, index)
        position += 1
      } else if position < pattern.count,
        pattern[position] == "?" || pattern[position] == name[index]
      {
        position += 1
        index += 1
      } else if let last = star {
        // The star takes one more character.
        star = (last.position, last.index + 1)
        position = last.position + 1
        index = last.index + 1
      } else {
        return false
      }
    }
    return pattern[position...].allSatisfy { $0 == "*" }
  }
}
