import SQLSyntax

/// The text of a manual page as it grows.
struct Roff {
  private(set) var text = ""

  /// Returns a text in which nothing is taken for a command of the formatter.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": escaped += "\\e"
      case "-": escaped += "\\-"
      case "'": escaped += "\\(aq"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    // A dot at the beginning of a line would be a macro.
    return escaped.utf8.first == UInt8(ascii: ".") ? "\\&" + escaped : escaped
  }

  /// Adds a macro with its arguments.
  mutating func macro(_ name: String, _ arguments: String...) {
    let quoted = arguments.map { "\"\(Self.escaped($0).replacingScalars("\"", with: "\\(dq"))\"" }
    text += ([".\(name)"] + quoted).joined(separator: " ") + "\n"
  }

  /// Begins a section.
  mutating func section(_ title: String) { macro("SH", title) }

  /// Begins a part of a section.
  mutating func subsection(_ title: String) { macro("SS", title) }

  /// Adds a line that may have escapes in it.
  mutating func line(_ line: String) { text += line + "\n" }

  /// Adds plain text.
  mutating func paragraph(_ paragraph: String) { line(Self.escaped(paragraph)) }

  /// Adds a heading, which may have escapes in it, and a text under it.
  mutating func item(_ heading: String, _ text: String) {
    line(".TP")
    line(heading)
    paragraph(text)
  }
}
