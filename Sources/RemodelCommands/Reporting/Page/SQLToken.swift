import RemodelKit

/// A piece of SQL that is shown in one colour; the pieces one after the other are the text.
struct SQLToken: Hashable, Sendable {
  /// What a piece is.
  enum Kind: String, Hashable, Sendable {
    case keyword, identifier, string, number, comment
    /// Anything else, spaces included.
    case plain
  }

  let kind: Kind
  let text: String

  /// Returns the pieces of a text, whatever is in it.
  static func tokens(in text: String) -> [SQLToken] {
    var scanner = SQLScanner(text)
    var tokens: [SQLToken] = []
    while let token = scanner.next() {
      if token.kind == .plain, let last = tokens.last, last.kind == .plain {
        tokens[tokens.count - 1] = SQLToken(kind: .plain, text: last.text + token.text)
      } else {
        tokens.append(token)
      }
    }
    return tokens
  }
}

/// Takes SQL apart by the rules of PostgreSQL's lexical structure.
private struct SQLScanner {
  private let scalars: [Unicode.Scalar]
  private var position = 0
  /// The delimiter of the body that is being read, and where that ends.
  private var bodies: [(end: Int, length: Int)] = []

  init(_ text: String) {
    scalars = Array(text.unicodeScalars)
  }

  mutating func next() -> SQLToken? {
    guard position < scalars.count else { return nil }
    let start = position
    let kind = scan()
    position = max(position, start + 1)
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars[start..<min(position, scalars.count)])
    return SQLToken(kind: kind, text: String(text))
  }

  private mutating func scan() -> SQLToken.Kind {
    if let body = bodies.last, position >= body.end {
      bodies.removeLast()
      position = body.end + body.length
      return .string
    }
    // What is in a body ends with it, even where it is cut off there.
    defer { if let body = bodies.last { position = min(position, body.end) } }
    switch (scalars[position], scalar(1)) {
    case ("-", "-"):
      skip { $0 != "\n" }
      return .comment
    case ("/", "*"):
      skipComment()
      return .comment
    case ("'", _):
      skipQuoted("'", escapes: false)
      return .string
    case ("E", "'"), ("e", "'"):
      position += 1
      skipQuoted("'", escapes: true)
      return .string
    case ("\"", _):
      skipQuoted("\"", escapes: false)
      return .identifier
    case ("$", _):
      return scanDollar()
    case (let first, _) where first.isDigit:
      skip { $0.isWordPart || $0 == "." }
      return .number
    case (let first, _) where first.isWordStart:
      let start = position
      skip { $0.isWordPart }
      var word = String.UnicodeScalarView()
      word.append(contentsOf: scalars[start..<position])
      return Self.keywords.contains(String(word).uppercased()) ? .keyword : .plain
    default:
      position += 1
      return .plain
    }
  }

  private func scalar(_ distance: Int) -> Unicode.Scalar? {
    position + distance < scalars.count ? scalars[position + distance] : nil
  }

  private mutating func skip(while isPart: (Unicode.Scalar) -> Bool) {
    while position < scalars.count, isPart(scalars[position]) { position += 1 }
  }

  private mutating func skipComment() {
    var depth = 0
    repeat {
      switch (scalars[position], scalar(1)) {
      case ("/", "*"):
        depth += 1
        position += 2
      case ("*", "/"):
        depth -= 1
        position += 2
      default:
        position += 1
      }
    } while depth > 0 && position < scalars.count
  }

  private mutating func skipQuoted(_ quote: Unicode.Scalar, escapes: Bool) {
    position += 1
    while position < scalars.count {
      if escapes, scalars[position] == "\\" {
        position += 2
      } else if scalars[position] != quote {
        position += 1
      } else if scalar(1) == quote {
        position += 2
      } else {
        position += 1
        return
      }
    }
  }

  /// Begins a body in dollar quotes, what is in it is SQL again; `$1` is no such thing.
  private mutating func scanDollar() -> SQLToken.Kind {
    var end = position + 1
    while end < scalars.count, scalars[end].isWordPart, scalars[end] != "$" { end += 1 }
    let isTag = end == position + 1 || !scalars[position + 1].isDigit
    guard end < scalars.count, scalars[end] == "$", isTag else {
      position = max(end, position + 1)
      return .plain
    }
    let delimiter = Array(scalars[position...end])
    position = end + 1
    var close = position
    while close + delimiter.count <= scalars.count {
      if Array(scalars[close..<close + delimiter.count]) == delimiter {
        bodies.append((close, delimiter.count))
        return .string
      }
      close += 1
    }
    position = scalars.count
    return .string
  }

  private static let keywords: Set<String> = Set(
    """
    ACCESS ADD AFTER ALL ALTER ALWAYS AND ANALYZE AS ASC BEFORE BEGIN BETWEEN BY CASCADE CASE CAST \
    CHECK COLLATE COLUMN COMMENT COMMIT CONCURRENTLY CONFLICT CONSTRAINT CREATE CROSS CURRENT DATA \
    DEFAULT DEFERRABLE DEFERRED DELETE DESC DISABLE DISTINCT DO DROP EACH ELSE ENABLE END EXCEPT \
    EXCLUSIVE EXECUTE EXISTS FILTER FIRST FOR FOREIGN FROM FULL FUNCTION GENERATED GRANT GROUP \
    HAVING IDENTITY IF IMMEDIATE IN INCLUDE INDEX INITIALLY INNER INSERT INTERSECT INTO IS JOIN KEY \
    LANGUAGE LAST LATERAL LEFT LIKE LIMIT LOCK LOOP MATERIALIZED MODE MOVE NEW NO NOT NOTHING NULL \
    NULLS OF OFFSET OLD ON ONLY OR ORDER OUTER OVER OVERRIDING OWNED OWNER PARTIAL PARTITION \
    PERFORM PRIMARY PROCEDURE RAISE RECURSIVE REFERENCES REFERENCING RENAME REPLACE RESTART \
    RESTRICT RETURN RETURNING RETURNS REVOKE RIGHT ROLLBACK ROW ROWS SCHEMA SELECT SEQUENCE SET \
    SHARE SIMPLE STATEMENT STATISTICS STORED SYSTEM TABLE TEMPORARY THEN TO TRIGGER TRUNCATE TYPE \
    UNION UNIQUE UNLOGGED UPDATE USING VALID VALIDATE VALUE VALUES VIEW WHEN WHERE WINDOW WITH \
    WITHOUT
    """
    .split(separator: " ").map(String.init)
  )
}

extension Unicode.Scalar {
  fileprivate var isDigit: Bool { ("0"..."9").contains(self) }

  fileprivate var isWordStart: Bool {
    ("a"..."z").contains(self) || ("A"..."Z").contains(self) || self == "_" || value > 0x7F
  }

  fileprivate var isWordPart: Bool { isWordStart || isDigit || self == "$" }
}

extension SQLToken {
  /// Returns a text with its colours.
  static func markup(_ sql: String) -> Markup {
    tokens(in: sql).map { token -> Markup in
      switch token.kind {
      case .keyword: "<b>\(token.text)</b>"
      case .identifier: "<i>\(token.text)</i>"
      case .string, .number, .comment:
        "<span class=\"\(token.kind.rawValue)\">\(token.text)</span>"
      case .plain: "\(token.text)"
      }
    }
    .joined()
  }
}
