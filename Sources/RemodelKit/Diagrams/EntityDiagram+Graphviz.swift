internal import SQLSyntax

extension EntityDiagram {
  /// The diagram in DOT, the language of Graphviz.
  package var dot: String {
    var text = """
      digraph model {
        rankdir=LR;
        node [shape=plain, fontname="Helvetica"];
        edge [fontname="Helvetica", fontsize=10];

      """
    for box in boxes { text += "  \(box.identifier) [label=<\(Self.table(of: box))>];\n" }
    for line in lines {
      text += "  \(line.from) -> \(line.to) [\(Self.attributes(of: line))];\n"
    }
    return text + "}\n"
  }

  private static func table(of box: Box) -> String {
    let name = "<B>\(markup(box.name))</B>"
    let kind = box.kind.map { "<BR/><I>\($0)</I>" } ?? ""
    var table =
      #"<TABLE BORDER="0" CELLBORDER="1" CELLSPACING="0"><TR><TD>\#(name)\#(kind)</TD></TR>"#
    if !box.properties.isEmpty {
      let lines = box.properties.map { markup($0.text) + #"<BR ALIGN="LEFT"/>"# }
      table += "<TR><TD>\(lines.joined())</TD></TR>"
    }
    return table + "</TABLE>"
  }

  private static func attributes(of line: Line) -> String {
    switch line.kind {
    case .inheritance:
      return "arrowhead=empty"
    case .composition(let attribute):
      return "dir=back, arrowtail=diamond, label=\(quoted(attribute))"
    case .relationship(let end, nil):
      return "arrowhead=vee, headlabel=\(quoted(end.count)), label=\(quoted(end.label))"
    case .relationship(let end, let inverse?):
      return "dir=none, headlabel=\(quoted(end.count)), taillabel=\(quoted(inverse.count)), "
        + "label=\(quoted("\(end.label) / \(inverse.label)"))"
    }
  }

  /// Escapes a text for an HTML-like label; control characters, which labels cannot contain, become
  /// spaces.
  private static func markup(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default:
        // Scalars are no closed set of ours.
        let isControl = scalar.properties.generalCategory == .control
        result.unicodeScalars.append(isControl ? " " : scalar)
      }
    }
    return result
  }

  /// Returns a text in quotes; a backslash would begin an escape, an ampersand a character's name.
  private static func quoted(_ text: String) -> String {
    "\"" + markup(text).replacingScalars("\\", with: "\\\\") + "\""
  }
}
