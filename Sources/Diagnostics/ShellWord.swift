internal import SQLSyntax

extension String {
  /// The text as a word of bash, zsh and other shells that read `$'…'`, quoted where they would read it
  /// otherwise.
  ///
  /// Only words with characters that a terminal obeys or does not show need `$'…'`: their bytes are
  /// octal numbers there. A shell without it, such as dash, reads another text, but never code: no quote
  /// is inside. No argument can contain a null character, so it is left out.
  package var quotedForShell: String {
    let scalars = [Unicode.Scalar](unicodeScalars.filter { $0 != "\0" })
    guard !scalars.isEmpty else { return "''" }
    let isOption = scalars.starts(with: "--".unicodeScalars)
    if scalars.allSatisfy({ $0.isPlainInShell || (isOption && $0 == "=") }) {
      return String(String.UnicodeScalarView(scalars))
    }
    var isAfterLetter = false
    var hasEscapes = false
    var quoted = ""
    var escaped = ""
    for scalar in scalars {
      let isShown = scalar.isShown(afterLetter: isAfterLetter)
      isAfterLetter = isShown && (scalar.properties.isAlphabetic || scalar.isMark)
      hasEscapes = hasEscapes || !isShown
      let text = String(scalar)
      quoted += scalar == "'" ? #"'\''"# : text
      escaped +=
        !isShown || scalar == "'"
        ? text.utf8.map(\.octal).joined() : scalar == "\\" ? #"\\"# : text
    }
    // GitHub's runner takes `##[` for a command, and what keeps it from that would change the word.
    return hasEscapes
      ? "$'\(escaped.replacingScalars("##[", with: #"#\043["#))'"
      : "'\(quoted.replacingScalars("##[", with: "#''#["))'"
  }
}

extension [String] {
  /// The operands of a call as words of a shell, the first of which may begin with a dash.
  package var operandsForShell: String {
    let words = contains { $0.unicodeScalars.first == "-" } ? ["--"] + self : self
    return words.map(\.quotedForShell).joined(separator: " ")
  }
}

extension UInt8 {
  fileprivate var octal: String {
    let digits = String(self, radix: 8)
    return #"\"# + String(repeating: "0", count: 3 - digits.count) + digits
  }
}

extension Unicode.Scalar {
  fileprivate var isPlainInShell: Bool {
    isASCII
      && (properties.isAlphabetic || ("0"..."9").contains(self)
        || "._-/".unicodeScalars.contains(self))
  }

  fileprivate var isMark: Bool {
    properties.isGraphemeExtend || properties.isEmojiModifier
      || [.nonspacingMark, .spacingMark, .enclosingMark].contains(properties.generalCategory)
  }

  /// Returns whether a terminal shows the scalar, as one that stands for itself.
  fileprivate func isShown(afterLetter: Bool) -> Bool {
    guard !properties.isDefaultIgnorableCodePoint else { return false }
    // A mark would join a quote or a sign.
    guard !isMark else { return afterLetter }
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
      .unassigned:
      return false
    case .spaceSeparator: return self == " "
    case _: return true
    }
  }
}
