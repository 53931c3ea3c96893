/// An element whose attributes a reader takes one by one; the rest are foreign.
struct XcodeElement {
  let element: XMLElement
  private(set) var rest: [XMLAttribute]

  init(_ element: XMLElement) {
    self.element = element
    rest = element.attributes
  }

  /// Returns an attribute's value and counts it as read.
  mutating func take(_ name: String) -> String? {
    guard let index = rest.firstIndex(where: { $0.name == name }) else { return nil }
    return rest.remove(at: index).value
  }

  /// Returns an attribute's value, if it is not empty, and counts it as read.
  mutating func takeText(_ name: String) -> String? {
    guard let value = take(name), !value.isEmpty else { return nil }
    return value
  }

  /// Puts an attribute that was taken back, because it has no meaning here.
  mutating func putBack(_ name: String, _ value: String) {
    rest.append(XMLAttribute(name: name, value: value))
  }

  /// The attributes that have not been taken.
  var restByName: [String: String] {
    Dictionary(rest.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
  }
}
