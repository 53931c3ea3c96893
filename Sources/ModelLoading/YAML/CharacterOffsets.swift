/// Converts positions in characters, as libyaml counts, to positions in bytes.
///
/// Queries are nearly in order, so each one continues from the last result.
struct CharacterOffsets {
  private let bytes: ArraySlice<UInt8>
  private let isASCII: Bool
  private var characters = 0
  private var offset: Int

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    offset = bytes.startIndex
    isASCII = bytes.allSatisfy { $0 < 0x80 }
  }

  mutating func byteOffset(ofCharacter index: Int) -> Int {
    guard !isASCII else { return min(bytes.startIndex + index, bytes.endIndex) }
    if index < characters {
      characters = 0
      offset = bytes.startIndex
    }
    while characters < index, offset < bytes.endIndex {
      offset += 1
      while offset < bytes.endIndex, bytes[offset] & 0xC0 == 0x80 { offset += 1 }
      characters += 1
    }
    return offset
  }
}
