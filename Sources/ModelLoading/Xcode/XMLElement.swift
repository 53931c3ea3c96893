/// An element of an XML file, with the place where it starts.
struct XMLElement {
  let name: String
  let attributes: [XMLAttribute]
  var children: [XMLElement] = []
  /// The characters directly inside, white space at both ends taken off.
  var text = ""
  /// The position of its `<` in the file, in bytes.
  let offset: Int

  /// Returns the value of an attribute.
  func value(of name: String) -> String? {
    attributes.first { $0.name == name }?.value
  }
}

/// An attribute of an element of an XML file.
struct XMLAttribute {
  let name: String
  let value: String
}

extension SourceText {
  /// Returns the position of an attribute's name inside the start tag of an element, or that of the
  /// element if it is not there.
  func offset(of attribute: String, in element: XMLElement) -> Int {
    let name = Array(attribute.utf8)
    var quote: UInt8?
    var index = element.offset + 1
    while index < bytes.count {
      let byte = bytes[index]
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: ">") {
        break
      } else if isSpace(bytes[index - 1]), bytes[index...].starts(with: name) {
        let end = index + name.count
        if end < bytes.count, bytes[end] == UInt8(ascii: "=") || isSpace(bytes[end]) {
          return index
        }
      }
      index += 1
    }
    return element.offset
  }

  private func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }
}
