/// Calls a function with a null-terminated array of C strings.
///
/// A `nil` element becomes a null pointer, which libpq reads as a NULL parameter.
func withCStrings<Result>(
  _ strings: [String?],
  _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Result
) -> Result {
  var bytes: [CChar] = []
  var offsets: [Int?] = []
  for string in strings {
    guard let string else {
      offsets.append(nil)
      continue
    }
    offsets.append(bytes.count)
    bytes += string.utf8CString
  }
  return bytes.withUnsafeBufferPointer { buffer in
    let pointers = offsets.map { offset in offset.flatMap { buffer.baseAddress?.advanced(by: $0) } }
    return (pointers + [nil]).withUnsafeBufferPointer { body($0.baseAddress) }
  }
}
