/// Returns a number's canonical digits: no needless zeros, no exponent, no plus sign; or `nil` if the
/// text is not a decimal number of at most a thousand digits.
package func canonicalDecimal(_ text: String) -> String? {
  var digits: [UInt8] = []
  var pointPosition: Int?
  var isNegative = false
  var bytes = Array(text.utf8)[...]
  if let sign = bytes.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
    isNegative = sign == UInt8(ascii: "-")
    bytes.removeFirst()
  }
  while let byte = bytes.first, byte != UInt8(ascii: "e"), byte != UInt8(ascii: "E") {
    if byte == UInt8(ascii: "."), pointPosition == nil {
      pointPosition = digits.count
    } else if (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
      digits.append(byte)
    } else {
      return nil
    }
    bytes.removeFirst()
  }
  guard !digits.isEmpty, digits.count <= 1000 else { return nil }
  var point = pointPosition ?? digits.count
  if !bytes.isEmpty {
    let exponentText = String(decoding: bytes.dropFirst(), as: UTF8.self)
    guard let exponent = Int(exponentText), (-400...400).contains(exponent) else { return nil }
    point += exponent
  }
  return canonicalDecimal(digits: digits, point: point, isNegative: isNegative)
}

private func canonicalDecimal(digits: [UInt8], point: Int, isNegative: Bool) -> String {
  let zero = UInt8(ascii: "0")
  let padded =
    [UInt8](repeating: zero, count: max(0, -point)) + digits
    + [UInt8](repeating: zero, count: max(0, point - digits.count))
  let whole = padded.prefix(max(0, point)).drop { $0 == zero }
  var fraction = padded.dropFirst(max(0, point))
  while fraction.last == zero { fraction.removeLast() }
  guard !(whole.isEmpty && fraction.isEmpty) else { return "0" }
  var text = isNegative ? "-" : ""
  text += whole.isEmpty ? "0" : String(decoding: whole, as: UTF8.self)
  if !fraction.isEmpty { text += "." + String(decoding: fraction, as: UTF8.self) }
  return text
}
