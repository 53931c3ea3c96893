import FoundationEssentials

/// The archives in a mapping model of Xcode's: bytes in base 64.
extension Mutation {
  /// Changes an archive; returns whether there is one.
  mutating func changeArchive() -> Bool {
    let ranges = archiveRanges
    guard let range = random.pick(ranges),
      let data = Data(
        base64Encoded: Data(bytes[range]),
        options: .ignoreUnknownCharacters
      )
    else { return false }
    var archive = Array(data)
    for _ in 0..<(random.pick([1, 1, 2, 4]) ?? 1) { change(&archive) }
    bytes.replaceSubrange(range, with: Data(archive).base64EncodedData())
    return true
  }

  private mutating func change(_ archive: inout [UInt8]) {
    guard archive.count > 40 else { return }
    let index = random.below(archive.count)
    switch random.below(7) {
    case 0: archive[index] ^= 1 << UInt8(random.below(8))
    case 1: archive[index] = random.pick([0, 1, 0x0F, 0x10, 0x7F, 0x80, 0xAF, 0xDF, 0xFF]) ?? 0
    case 2: archive[archive.count - 1 - random.below(32)] = UInt8(random.below(256))
    case 3: archive.removeSubrange(random.range(in: archive.count))
    case 4: archive.insert(contentsOf: archive[random.range(in: archive.count)], at: index)
    case 5:
      // Replaces one object by another, which changes references all over the list.
      archive[index] = archive[random.below(archive.count)]
    default:
      let other = archiveRanges
      guard let range = random.pick(other), let data = Data(base64Encoded: Data(bytes[range]))
      else {
        return
      }
      archive = Array(archive[..<index]) + Array(data).dropFirst(index)
    }
  }

  /// Where archives of property lists stand, which all begin alike.
  private var archiveRanges: [Range<Int>] {
    let mark = Array("YnBsaXN0".utf8)
    var ranges: [Range<Int>] = []
    var start = 0
    while let found = bytes[start...].firstRange(of: mark) {
      let end = bytes[found.lowerBound...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.endIndex
      ranges.append(found.lowerBound..<end)
      start = end
    }
    return ranges
  }
}
