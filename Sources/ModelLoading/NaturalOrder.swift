/// Returns whether a name sorts before another as people count: "2" before "10", letter case aside.
package func naturallyPrecedes(_ first: String, _ second: String) -> Bool {
  let pieces = zip(NaturalPieces(first), NaturalPieces(second))
  for (one, other) in pieces where one != other { return one < other }
  let counts = (NaturalPieces(first).count, NaturalPieces(second).count)
  // Names that count the same ("a2" and "a02", "a" and "A") keep one order all the same.
  return counts.0 == counts.1 ? first < second : counts.0 < counts.1
}

private enum NaturalPiece: Comparable {
  /// Digits without leading zeros; the longer number is the greater one.
  case number(length: Int, digits: String)
  case text(String)
}

/// The pieces of a name: numbers and the text between them.
private struct NaturalPieces: Sequence {
  private let pieces: [NaturalPiece]

  init(_ name: String) {
    var pieces: [NaturalPiece] = []
    var rest = name[...]
    while let first = rest.first {
      let isDigit = Self.isDigit(first)
      let piece = rest.prefix { Self.isDigit($0) == isDigit }
      rest = rest[piece.endIndex...]
      if isDigit {
        let digits = String(piece.drop { $0 == "0" })
        pieces.append(.number(length: digits.utf8.count, digits: digits))
      } else {
        pieces.append(.text(piece.lowercased()))
      }
    }
    self.pieces = pieces
  }

  var count: Int { pieces.count }

  func makeIterator() -> IndexingIterator<[NaturalPiece]> { pieces.makeIterator() }

  private static func isDigit(_ character: Character) -> Bool {
    ("0"..."9").contains(character) && character.utf8.count == 1
  }
}
