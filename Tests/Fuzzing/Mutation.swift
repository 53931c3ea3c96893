/// Makes an input out of another by a few changes that are likely to matter.
struct Mutation {
  var bytes: [UInt8]
  private let others: [FuzzCorpus.Seed]
  var random: FuzzGenerator

  /// Inputs are cut off here, which is still far more than any person writes.
  static let lengthLimit = 400_000

  init(of seed: [UInt8], among others: [FuzzCorpus.Seed], random: FuzzGenerator) {
    bytes = seed
    self.others = others
    self.random = random
  }

  /// Carries a few changes out.
  mutating func run(_ reader: FuzzedReader) {
    let count = random.pick([1, 1, 1, 1, 1, 1, 2, 2, 3, 8]) ?? 1
    for _ in 0..<count {
      if reader == .xcodeMapping, random.once(in: 2), changeArchive() { continue }
      switch random.below(34) {
      case 0: flipBit()
      case 1: overwrite()
      case 2: bytes.removeSubrange(random.range(in: bytes.count))
      case 3: duplicateRange()
      case 4: splice()
      case 5: truncate()
      case 6: insert(random.pick(Self.fragments(of: reader)) ?? "")
      case 7: insert(random.pick(Self.oddTexts) ?? "")
      case 8: nest(reader)
      case 9...11: changeLines()
      case 12...14: exchangeWords()
      case 15, 16: replaceWord(by: random.pick(Self.numbers) ?? "0", isNumber: true)
      case 17: replaceWord(by: random.pick(Self.oddTexts) ?? "", isNumber: false)
      case 18: decompose()
      case 19: if random.once(in: 8) { repeatLine() } else { changeLines() }
      case 20: if random.once(in: 4) { lengthenWord() } else { exchangeWords() }
      case 21...23: takeWordOfOther()
      case 24...28: exchangeWords()
      default: replaceWord(by: random.pick(Self.words(of: reader)) ?? "", isNumber: false)
      }
      if bytes.count > Self.lengthLimit { bytes.removeSubrange(Self.lengthLimit...) }
    }
  }

  // MARK: - Bytes

  private mutating func flipBit() {
    guard !bytes.isEmpty else { return }
    bytes[random.below(bytes.count)] ^= 1 << UInt8(random.below(8))
  }

  private mutating func overwrite() {
    guard !bytes.isEmpty else { return }
    let marks = Array("\0\u{1}\t\n\r \"'`&<>{}[](),.:;|*#!?%@$\\/-+=0e~\u{7F}".utf8) + [0x80, 0xFF]
    bytes[random.below(bytes.count)] = random.pick(marks) ?? 0
  }

  private mutating func duplicateRange() {
    let range = random.range(in: bytes.count)
    bytes.insert(contentsOf: bytes[range], at: random.below(bytes.count + 1))
  }

  private mutating func truncate() {
    guard !bytes.isEmpty else { return }
    bytes.removeSubrange(random.below(bytes.count)...)
  }

  private mutating func splice() {
    guard let other = random.pick(others)?.bytes, !other.isEmpty else { return }
    if random.once(in: 2) {
      bytes = Array(bytes[..<random.below(bytes.count + 1)] + other[random.below(other.count)...])
    } else {
      let part = other[random.range(in: other.count)]
      bytes.insert(contentsOf: part, at: random.below(bytes.count + 1))
    }
  }

  mutating func insert(_ text: String) {
    bytes.insert(contentsOf: text.utf8, at: random.below(bytes.count + 1))
  }

  private mutating func nest(_ reader: FuzzedReader) {
    let (open, close) = random.pick(Self.nestings(of: reader)) ?? ("(", ")")
    let depth = random.pick([3, 30, 62, 64, 99, 101, 200, 1000, 10_000]) ?? 3
    let middle = random.below(bytes.count + 1)
    let end = middle + random.below(bytes.count - middle + 1)
    // Half of them are not closed.
    let closing = random.once(in: 2) ? String(repeating: close, count: depth) : ""
    bytes.insert(contentsOf: closing.utf8, at: end)
    bytes.insert(contentsOf: String(repeating: open, count: depth).utf8, at: middle)
  }

  // MARK: - Lines

  private var lines: [Range<Int>] {
    var lines: [Range<Int>] = []
    var start = 0
    for index in bytes.indices where bytes[index] == UInt8(ascii: "\n") {
      lines.append(start..<index + 1)
      start = index + 1
    }
    return start < bytes.count ? lines + [start..<bytes.count] : lines
  }

  private mutating func changeLines() {
    let lines = lines
    guard let line = random.pick(lines), let other = random.pick(lines) else { return }
    switch random.below(5) {
    case 0: bytes.removeSubrange(line)
    case 1: bytes.insert(contentsOf: bytes[line], at: line.upperBound)
    case 2: bytes.insert(contentsOf: bytes[line], at: other.lowerBound)
    case 3:
      guard line.upperBound <= other.lowerBound else { return }
      let (first, second) = (bytes[line], bytes[other])
      bytes.replaceSubrange(other, with: first)
      bytes.replaceSubrange(line, with: second)
    default:
      // Indentation is all that says what a line of YAML belongs to.
      if random.once(in: 2) {
        bytes.insert(contentsOf: "  ".utf8, at: line.lowerBound)
      } else if bytes[line].starts(with: "  ".utf8) {
        bytes.removeSubrange(line.lowerBound..<line.lowerBound + 2)
      }
    }
  }

  private mutating func repeatLine() {
    guard let line = random.pick(lines) else { return }
    let count = random.pick([100, 1000, 4000]) ?? 100
    let copies = repeatElement(bytes[line], count: min(count, 1 + 200_000 / max(1, line.count)))
    bytes.insert(contentsOf: copies.joined(), at: line.upperBound)
  }

  // MARK: - Words

  /// Names and numbers: a word that is exchanged for another one of the input often makes something
  /// that still reads, and means something else.
  ///
  /// Between quotes they are values more often, which are what matters.
  private mutating func wordRanges() -> [Range<Int>] {
    let words = Self.wordRanges(in: bytes)
    guard !random.once(in: 4) else { return words }
    let quote = UInt8(ascii: "\"")
    let values = words.filter {
      $0.lowerBound > 0 && bytes[$0.lowerBound - 1] == quote
        || $0.upperBound < bytes.count && bytes[$0.upperBound] == quote
    }
    return values.count > words.count / 4 ? values : words
  }

  private static func wordRanges(in bytes: [UInt8]) -> [Range<Int>] {
    var words: [Range<Int>] = []
    var start: Int?
    for (index, byte) in bytes.enumerated() {
      let isPart =
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte >= 0x80
        || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        || byte == UInt8(ascii: "_")
      if isPart {
        start = start ?? index
      } else if let first = start {
        words.append(first..<index)
        start = nil
      }
    }
    if let start { words.append(start..<bytes.count) }
    return words
  }

  private mutating func exchangeWords() {
    let words = wordRanges()
    guard let one = random.pick(words), let other = random.pick(words) else { return }
    bytes.replaceSubrange(one, with: bytes[other])
  }

  private mutating func takeWordOfOther() {
    guard let other = random.pick(others)?.bytes,
      let word = random.pick(Self.wordRanges(in: other))
    else { return }
    let words = wordRanges()
    guard let place = random.pick(words) else { return }
    bytes.replaceSubrange(place, with: other[word])
  }

  private mutating func replaceWord(by text: String, isNumber: Bool) {
    var words = wordRanges()
    if isNumber {
      let numbers = words.filter { (0x30...0x39).contains(bytes[$0.lowerBound]) }
      if !numbers.isEmpty { words = numbers }
    }
    guard let word = random.pick(words) else { return insert(text) }
    bytes.replaceSubrange(word, with: text.utf8)
  }

  private mutating func lengthenWord() {
    let words = wordRanges()
    guard let word = random.pick(words) else { return }
    let count = random.pick([60, 64, 300, 5000, 100_000]) ?? 64
    bytes.insert(
      contentsOf: repeatElement(bytes[word.lowerBound] | 0x01, count: count),
      at: word.lowerBound
    )
  }

  /// Writes one letter of a word in two ways that count as equal but are not the same bytes.
  private mutating func decompose() {
    let words = wordRanges()
    guard let word = random.pick(words) else { return }
    let original = bytes[word]
    guard let twin = words.last(where: { bytes[$0] == original }) else { return }
    bytes.insert(contentsOf: "e\u{301}".utf8, at: twin.upperBound)
    bytes.insert(
      contentsOf: "\u{E9}".utf8,
      at: word.lowerBound == twin.lowerBound ? 0 : word.upperBound
    )
  }
}
