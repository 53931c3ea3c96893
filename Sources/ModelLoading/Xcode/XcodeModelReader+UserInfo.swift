import ObjectModel

/// `<userInfo>`.
extension XcodeModelReader {
  /// Takes the user info out of the elements inside another one.
  mutating func userInfo(besides others: inout [XMLElement]) -> [String: String] {
    let elements = others.filter { $0.name == "userInfo" }
    others.removeAll { $0.name == "userInfo" }
    return elements.reduce(into: [:]) { $0.merge(userInfo($1)) { _, last in last } }
  }

  mutating func userInfo(_ root: XMLElement) -> [String: String] {
    var entries: [String: String] = [:]
    for child in root.children where isExpected(child, "entry", in: root) {
      var element = XcodeElement(child)
      guard let key = element.take("key") else {
        warning("entry of user info has no key", detail: "It is left out.", at: child)
        continue
      }
      let value = element.take("value") ?? ""
      if let other = entries.updateValue(value, forKey: key), other != value {
        let message = "user info has two values for key \"\(key)\""
        // Which of two settings of ours is meant is not for us to decide.
        if key.hasPrefix(StorageSettings.prefix) {
          error(message, at: child)
        } else {
          warning(message, detail: "The last one counts.", at: child)
        }
      }
      _ = foreign(element, others: child.children, known: [])
    }
    return entries
  }
}
