extension EntityDiagram {
  /// The diagram as Mermaid's `classDiagram`, which shows inheritance, counts and both directions.
  package var mermaid: String {
    var text = "classDiagram\n"
    for box in boxes {
      let heading = "  class \(box.identifier)[\"\(Self.mermaid(box.name))\"]"
      guard box.kind != nil || !box.properties.isEmpty else {
        text += heading + "\n"
        continue
      }
      text += heading + " {\n"
      if let kind = box.kind { text += "    <<\(kind)>>\n" }
      for property in box.properties {
        // Inside a class these have no meaning, and the text reads better with them.
        text += "    \(Self.mermaid(property.text, keeping: ":,?.[]"))\n"
      }
      text += "  }\n"
    }
    for line in lines { text += "  \(Self.mermaid(line))\n" }
    return text
  }

  private static func mermaid(_ line: Line) -> String {
    switch line.kind {
    case .inheritance:
      return "\(line.to) <|-- \(line.from)"
    case .composition(let attribute):
      return "\(line.from) *-- \(line.to) : \(mermaid(attribute))"
    case .relationship(let end, nil):
      return "\(line.from) --> \"\(end.count)\" \(line.to) : \(mermaid(end.label))"
    case .relationship(let end, let inverse?):
      let label = "\(mermaid(end.label)) / \(mermaid(inverse.label))"
      return "\(line.from) \"\(inverse.count)\" -- \"\(end.count)\" \(line.to) : \(label)"
    }
  }

  /// Escapes a text for Mermaid: special characters become their numbers.
  private static func mermaid(_ text: String, keeping marks: String = "") -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      let isPlain =
        ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
        || ("0"..."9").contains(scalar) || scalar == "_" || scalar == " "
      if isPlain || marks.unicodeScalars.contains(scalar) || scalar.properties.isAlphabetic {
        result.unicodeScalars.append(scalar)
      } else {
        result += "#\(scalar.value);"
      }
    }
    return result
  }
}
