/// Returns the candidate most similar to `word`, if one is near enough.
///
/// Near is an edit distance of at most a third of the word's length, ignoring letter case. Words of
/// more than a hundred characters have no suggestion.
package func suggestion(for word: String, among candidates: some Sequence<String>) -> String? {
  let length = word.utf8.count
  guard length <= 100 else { return nil }
  let limit = max(1, word.count / 3)
  return
    candidates
    // A character has at most some bytes more than another; names are ASCII almost always.
    .filter { abs($0.utf8.count - length) <= limit * 4 }
    .map { (candidate: $0, distance: editDistance(word.lowercased(), $0.lowercased())) }
    .filter { $0.distance <= limit }
    .min { ($0.distance, $0.candidate) < ($1.distance, $1.candidate) }?
    .candidate
}

/// Counts insertions, deletions, substitutions and swaps of neighbours.
private func editDistance(_ first: String, _ second: String) -> Int {
  let first = Array(first)
  let second = Array(second)
  var beforePrevious: [Int] = []
  var previous = Array(0...second.count)
  for (row, character) in first.enumerated() {
    var current = [row + 1]
    for (column, other) in second.enumerated() {
      let substitution = previous[column] + (character == other ? 0 : 1)
      var distance = min(substitution, previous[column + 1] + 1, current[column] + 1)
      if row > 0, column > 0, character == second[column - 1], first[row - 1] == other {
        distance = min(distance, beforePrevious[column - 1] + 1)
      }
      current.append(distance)
    }
    beforePrevious = previous
    previous = current
  }
  return previous[second.count]
}
