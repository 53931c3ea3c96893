/// Returns SQL of somebody else without its constants and comments, which may be anybody's data: what
/// is known to be a keyword, a name or punctuation stays, "…" stands for all else.
func withoutConstants(_ sql: String) -> String {
  var scanner = ConstantScanner(sql)
  return scanner.scan()
}

/// Takes SQL apart by the rules of PostgreSQL's lexical structure, as far as constants need them.
private struct ConstantScanner {
  private let scalars: [Unicode.Scalar]
  private var position = 0
  private var text = String.UnicodeScalarView()

  init(_ sql: String) {
    scalars = Array(sql.unicodeScalars)
  }

  mutating func scan() -> String {
    while position < scalars.count {
      // Nobody knows what is in something that does not end.
      guard scanPiece() else {
        hide()
        break
      }
    }
    return String(text)
  }

  /// Takes one piece; returns whether it has an end.
  private mutating func scanPiece() -> Bool {
    switch (scalars[position], scalar(1)) {
    case ("-", "-"):
      hide()
      skip { $0 != "\n" && $0 != "\r" }
      return true
    case ("/", "*"):
      hide()
      return skipComment()
    case ("'", _):
      hide()
      return skipString(escapes: false)
    case ("\"", _):
      return keepQuotedName()
    case ("$", _):
      return scanDollar()
    case (".", let next?) where next.isDigit:
      scanNumber()
      return true
    case (let first, _) where first.isDigit:
      scanNumber()
      return true
    case (let first, _) where first.isNameStart:
      return scanWord()
    case (let other, _):
      text.append(other)
      position += 1
      return true
    }
  }

  private func scalar(_ distance: Int) -> Unicode.Scalar? {
    position + distance < scalars.count ? scalars[position + distance] : nil
  }

  private mutating func skip(while isPart: (Unicode.Scalar) -> Bool) {
    while position < scalars.count, isPart(scalars[position]) { position += 1 }
  }

  private mutating func hide() {
    if text.last != "…" { text.append("…") }
  }

  private mutating func keep(from start: Int) {
    text.append(contentsOf: scalars[start..<position])
  }

  private mutating func skipComment() -> Bool {
    var depth = 0
    while position < scalars.count {
      switch (scalars[position], scalar(1)) {
      case ("/", "*"):
        depth += 1
        position += 2
      case ("*", "/"):
        depth -= 1
        position += 2
        if depth == 0 { return true }
      default:
        position += 1
      }
    }
    return false
  }

  private mutating func skipString(escapes: Bool) -> Bool {
    position += 1
    while let character = scalar(0) {
      if escapes, character == "\\" {
        position += 2
      } else if character != "'" {
        position += 1
      } else if !escapes, scalars[position - 1] == "\\" {
        // A setting of that session decides whether the string ends here.
        return false
      } else if scalar(1) == "'" {
        position += 2
      } else {
        position += 1
        return true
      }
    }
    return false
  }

  private mutating func keepQuotedName() -> Bool {
    let start = position
    position += 1
    while let character = scalar(0) {
      if character != "\"" {
        position += 1
      } else if scalar(1) == "\"" {
        position += 2
      } else {
        position += 1
        keep(from: start)
        return true
      }
    }
    return false
  }

  private mutating func scanNumber() {
    hide()
    while let character = scalar(0), character.isNamePart || character == "." {
      position += 1
      // The sign of an exponent.
      if character == "e" || character == "E", let sign = scalar(0), sign == "-" || sign == "+",
        scalar(1)?.isDigit == true
      {
        position += 1
      }
    }
  }

  /// Takes a word, which may be the prefix of a string.
  private mutating func scanWord() -> Bool {
    let start = position
    skip { $0.isNamePart }
    var word = String.UnicodeScalarView()
    word.append(contentsOf: scalars[start..<position])
    let prefix = String(word).lowercased()
    if prefix == "u", scalar(0) == "&", scalar(1) == "'" {
      position += 1
    } else if scalar(0) != "'" || !["e", "b", "x", "n"].contains(prefix) {
      keep(from: start)
      return true
    }
    hide()
    return skipString(escapes: prefix == "e")
  }

  /// Takes a string in dollar quotes, or a parameter.
  private mutating func scanDollar() -> Bool {
    let start = position
    position += 1
    if scalar(0)?.isDigit == true {
      skip { $0.isDigit }
      keep(from: start)
      return true
    }
    skip { $0.isNamePart && $0 != "$" }
    // What is cut off here may have begun a string.
    guard scalar(0) == "$" else { return false }
    position += 1
    let delimiter = scalars[start..<position]
    hide()
    while position + delimiter.count <= scalars.count {
      if scalars[position..<position + delimiter.count].elementsEqual(delimiter) {
        position += delimiter.count
        return true
      }
      position += 1
    }
    return false
  }
}

extension Unicode.Scalar {
  fileprivate var isDigit: Bool { ("0"..."9").contains(self) }

  fileprivate var isNameStart: Bool {
    ("a"..."z").contains(self) || ("A"..."Z").contains(self) || self == "_" || value > 0x7F
  }

  fileprivate var isNamePart: Bool { isNameStart || isDigit || self == "$" }
}
