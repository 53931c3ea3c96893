extension SQLFragment {
  /// The fragment without parentheses around the whole, where others are put around it.
  package var unparenthesised: SQLFragment {
    guard case .syntax(let first)? = segments.first, first.utf8.first == UInt8(ascii: "("),
      closesAtEnd
    else { return self }
    var inner = self
    inner.change(0) { $0.removeFirst() }
    inner.change(inner.segments.count - 1) { $0.removeLast() }
    inner.segments.removeAll { $0 == .syntax("") }
    return inner.unparenthesised
  }

  private mutating func change(_ index: Int, _ body: (inout String) -> Void) {
    guard case .syntax(var text) = segments[index] else { return }
    body(&text)
    segments[index] = .syntax(text)
  }

  /// Whether the first parenthesis is open up to the end, where it closes.
  ///
  /// Syntax with constants, names or comments in it is text that people wrote, which is left as it is.
  private var closesAtEnd: Bool {
    var depth = 0
    for (index, segment) in segments.enumerated() {
      guard case .syntax(let text) = segment else {
        if depth == 0 { return false }
        continue
      }
      guard !text.unicodeScalars.contains(where: { "'\"$".unicodeScalars.contains($0) }),
        !text.hasScalars("--"), !text.hasScalars("/*")
      else { return false }
      for (position, byte) in text.utf8.enumerated() {
        if byte == UInt8(ascii: "(") { depth += 1 }
        if byte == UInt8(ascii: ")") { depth -= 1 }
        let isLast = index == segments.count - 1 && position == text.utf8.count - 1
        if depth <= 0 { return isLast && depth == 0 }
      }
    }
    return false
  }
}
