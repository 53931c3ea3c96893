/// Which texts a type of texts can hold.
package enum TextDomain: Hashable, Sendable {
  case all
  /// Those of at most so many characters.
  case upTo(Int)
  /// These alone.
  case listed([String])

  /// Returns whether all texts of another domain belong to it.
  package func holds(_ other: TextDomain) -> Bool {
    switch (self, other) {
    case (.all, _): true
    case (_, .listed(let values)): values.allSatisfy(contains)
    case (.upTo(let length), .upTo(let otherLength)): otherLength <= length
    case (.upTo, .all), (.listed, .all), (.listed, .upTo): false
    }
  }

  func contains(_ text: String) -> Bool {
    switch self {
    case .all: true
    case .upTo(let length): text.unicodeScalars.count <= length
    case .listed(let values): values.contains(text)
    }
  }
}
