/// Turns positions counted in characters, as libyaml does, into positions in bytes.
///
/// Questions come nearly in order, so it goes on from the last answer.
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
