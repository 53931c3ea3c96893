// A combining mark makes one character of itself and the sign before it, but only to Swift: to every other
// reader the sign is there.
extension StringProtocol {
  /// Returns whether the code points of a text are in this one, side by side.
  package func hasScalars(_ text: String) -> Bool {
    unicodeScalars.contains(text.unicodeScalars)
  }
}

extension String {
  /// Returns the text with other code points wherever it has those of a text.
  package func replacingScalars(_ text: String, with other: String) -> String {
    guard hasScalars(text) else { return self }
    return String(unicodeScalars.replacing(text.unicodeScalars, with: other.unicodeScalars))
  }
}
