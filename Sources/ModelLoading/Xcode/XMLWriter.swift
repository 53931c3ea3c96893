import ObjectModel

/// An element that is to be written as XML.
struct XMLTag {
  let name: String
  private(set) var attributes: [XMLAttribute] = []
  var children: [XMLTag] = []

  init(_ name: String) {
    self.name = name
  }

  init(_ element: ForeignElement) {
    name = element.name
    add(element.attributes)
    children = element.elements.map(XMLTag.init)
  }

  mutating func add(_ name: String, _ value: String?) {
    guard let value, !attributes.contains(where: { $0.name == name }) else { return }
    attributes.append(XMLAttribute(name: name, value: value))
  }

  mutating func add(_ name: String, ifSet flag: Bool) {
    if flag { add(name, "YES") }
  }

  /// Adds further attributes, after those that the model has a meaning for.
  mutating func add(_ attributes: [String: String]) {
    let sorted = attributes.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    for (name, value) in sorted { add(name, value) }
  }
}

/// Writes elements in the form in which Xcode writes its models.
struct XMLWriter {
  private(set) var text = #"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>"# + "\n"

  /// Writes a document.
  static func text(of root: XMLTag) -> String {
    var writer = XMLWriter()
    writer.write(root, indentation: "")
    return writer.text
  }

  private mutating func write(_ tag: XMLTag, indentation: String) {
    text += "\(indentation)<\(tag.name)"
    for attribute in tag.attributes {
      text += " \(attribute.name)=\"\(Self.escaped(attribute.value))\""
    }
    guard !tag.children.isEmpty else {
      text += "/>\n"
      return
    }
    text += ">\n"
    for child in tag.children { write(child, indentation: indentation + "    ") }
    text += "\(indentation)</\(tag.name)>\n"
  }

  /// Returns a text as it can stand between quotes, or inside an element; line ends would be read as
  /// spaces otherwise.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\n", "\r", "\t": result += "&#\(scalar.value);"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
