internal import SQLSyntax

/// Texts between commas, in quotes where they have to be: `eu, us, "north, south"`.
package struct ArgumentList {
  /// The texts, with their quotes taken off.
  package let arguments: [Argument]

  /// One of the texts.
  package struct Argument: Hashable, Sendable {
    /// The text, without quotes.
    package let text: String
    /// A Boolean value that indicates whether the text was in quotes.
    package let isQuoted: Bool
  }

  /// Takes a list apart, or returns `nil` if a quote does not end.
  package init?(_ text: some StringProtocol) {
    var arguments: [Argument] = []
    var current = ""
    var isQuoted = false
    var wasQuoted = false
    func argument() -> Argument {
      Argument(text: wasQuoted ? current : current.trimmed, isQuoted: wasQuoted)
    }
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"":
        // A doubled quote inside quotes stands for one.
        if !isQuoted, wasQuoted { current.append("\"") }
        isQuoted.toggle()
        wasQuoted = true
      case "," where !isQuoted:
        arguments.append(argument())
        current = ""
        wasQuoted = false
      case " " where !isQuoted && (current.isEmpty || wasQuoted):
        continue
      default:
        current.unicodeScalars.append(scalar)
      }
    }
    guard !isQuoted else { return nil }
    arguments.append(argument())
    self.arguments = arguments
  }

  /// Returns texts as a list.
  package static func text(of texts: [String]) -> String {
    texts.map(quotedIfNeeded).joined(separator: ", ")
  }

  /// Returns a text in quotes.
  package static func quoted(_ text: String) -> String {
    "\"" + text.replacingScalars("\"", with: "\"\"") + "\""
  }

  private static func quotedIfNeeded(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy {
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
        || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "_")
    }
    return isPlain && !text.isEmpty ? text : quoted(text)
  }
}

extension String {
  fileprivate var trimmed: String {
    var text = self[...]
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
