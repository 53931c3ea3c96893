extension String {
  /// The text with `…` for passwords in URLs (`//user:…@`) and connection strings (`password=…`).
  ///
  /// By code points: a combining mark at the beginning of a password hides no sign before it.
  package var withoutPasswords: String { withoutNamedPasswords.withoutPasswordsOfURLs }

  private var withoutNamedPasswords: String {
    var text = ""
    var rest = unicodeScalars[...]
    while let key = rest.firstRange(of: "password=".unicodeScalars) {
      text += Substring(rest[..<key.upperBound])
      rest = rest[key.upperBound...]
      if rest.first == "'" {
        text.append("'")
        rest = rest.dropFirst().drop { $0 != "'" }
      } else {
        rest = rest.drop {
          !$0.properties.isWhitespace && $0 != "&" && $0 != "'" && $0 != "\""
        }
      }
      text.append("…")
    }
    return text + Substring(rest)
  }

  private var withoutPasswordsOfURLs: String {
    var text = ""
    var rest = unicodeScalars[...]
    while let scheme = rest.firstRange(of: "://".unicodeScalars) {
      text += Substring(rest[..<scheme.upperBound])
      rest = rest[scheme.upperBound...]
      // A password that is not encoded may have any sign but those that end the URL in a sentence.
      let authority = rest.prefix { !$0.properties.isWhitespace && $0 != "\"" && $0 != "'" }
      // Where it has no password, no later part of it has one.
      if let at = authority.lastIndex(of: "@"), let colon = authority[..<at].firstIndex(of: ":") {
        text += "\(Substring(rest[...colon]))…\(Substring(authority[at...]))"
      } else {
        text += Substring(authority)
      }
      rest = rest[authority.endIndex...]
    }
    return text + Substring(rest)
  }
}
