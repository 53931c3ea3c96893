/// Returns the bytes that a text in base 64 stands for, white space aside, or `nil` if it is none.
func bytes(ofBase64 text: String) -> [UInt8]? {
  var bytes: [UInt8] = []
  bytes.reserveCapacity(text.utf8.count / 4 * 3)
  var bits: UInt32 = 0
  var count = 0
  var padding = 0
  for character in text.utf8 {
    let value: UInt8
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = character - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): value = character - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): value = character - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"): value = 62
    case UInt8(ascii: "/"): value = 63
    case UInt8(ascii: "="):
      padding += 1
      continue
    case 0x20, 0x09, 0x0A, 0x0D: continue
    default: return nil  // Bytes are no closed set.
    }
    guard padding == 0 else { return nil }
    bits = bits << 6 | UInt32(value)
    count += 1
    if count == 4 {
      bytes += [UInt8(bits >> 16 & 0xFF), UInt8(bits >> 8 & 0xFF), UInt8(bits & 0xFF)]
      bits = 0
      count = 0
    }
  }
  switch (count, padding) {
  case (0, 0): break
  case (2, 0), (2, 2): bytes.append(UInt8(bits >> 4 & 0xFF))
  case (3, 0), (3, 1): bytes += [UInt8(bits >> 10 & 0xFF), UInt8(bits >> 2 & 0xFF)]
  default: return nil  // Numbers are no closed set.
  }
  return bytes
}
