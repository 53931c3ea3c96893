/// Tells whether a text is an array: elements in braces with commas between them, arrays in arrays
/// only if all of a level are equally long.
struct ArrayScanner {
  /// As many dimensions as the server has.
  private static let depthLimit = 6

  private var rest: Substring.UnicodeScalarView
  private let element: AttributeType

  static func isArray(_ text: String, of element: AttributeType) -> Bool {
    if text == "{}" { return true }
    var scanner = ArrayScanner(rest: Substring(text).unicodeScalars, element: element)
    return scanner.shape(depth: 1) != nil && scanner.rest.isEmpty
  }

  /// Returns how many there are on each level, or `nil` if this is no array.
  private mutating func shape(depth: Int) -> [Int]? {
    guard depth <= Self.depthLimit, rest.popFirst() == "{" else { return nil }
    var count = 0
    var inner: [Int]?
    while true {
      let shape: [Int]
      if rest.first == "{" {
        guard let next = self.shape(depth: depth + 1) else { return nil }
        shape = next
      } else {
        guard scanElement() else { return nil }
        shape = []
      }
      guard inner == nil || inner == shape else { return nil }
      inner = shape
      count += 1
      switch rest.popFirst() {
      case ",": while rest.first == " " { rest.removeFirst() }
      case "}": return [count] + shape
      default: return nil
      }
    }
  }

  private mutating func scanElement() -> Bool {
    guard rest.first == "\"" else {
      let text = Substring(rest.prefix { !",{}\"\\".unicodeScalars.contains($0) })
      rest = rest[text.endIndex...]
      guard !text.isEmpty, text.first?.isWhitespace == false, text.last?.isWhitespace == false
      else { return false }
      return text.lowercased() == "null" || element.hasElement(String(text))
    }
    rest.removeFirst()
    var text = String.UnicodeScalarView()
    while let scalar = rest.popFirst() {
      if scalar == "\"" { return element.hasElement(String(text)) }
      guard scalar == "\\" else {
        text.append(scalar)
        continue
      }
      guard let escaped = rest.popFirst() else { return false }
      text.append(escaped)
    }
    return false
  }
}
