import RemodelKit
internal import SQLSyntax

/// A piece of SQL that is shown in one colour; the pieces one after the other are the text.
struct SQLToken: Hashable, Sendable {
  /// The kinds of tokens.
  enum Kind: String, Hashable, Sendable {
    case keyword, identifier, string, number, comment
    /// Anything else, spaces included.
    case plain
  }

  let kind: Kind
  let text: String

  /// Returns the pieces of a text, whatever is in it.
  static func tokens(in text: String) -> [SQLToken] {
    var tokens: [SQLToken] = []
    for token in pieces(of: text, depth: 0) {
      if token.kind == .plain, let last = tokens.last, last.kind == .plain {
        tokens[tokens.count - 1] = SQLToken(kind: .plain, text: last.text + token.text)
      } else {
        tokens.append(token)
      }
    }
    return tokens
  }

  /// Dollar quotes contain SQL again, to any depth.
  private static func pieces(of text: String, depth: Int) -> [SQLToken] {
    let lexer = SQLLexer(text)
    return lexer.flatMap { token -> [SQLToken] in
      let piece = lexer.text(of: token)
      switch token.kind {
      case .word:
        return [
          SQLToken(kind: keywords.contains(piece.uppercased()) ? .keyword : .plain, text: piece)
        ]
      case .quotedName: return [SQLToken(kind: .identifier, text: piece)]
      case .string: return [SQLToken(kind: .string, text: piece)]
      case .number: return [SQLToken(kind: .number, text: piece)]
      case .comment: return [SQLToken(kind: .comment, text: piece)]
      case .space, .parameter, .symbol: return [SQLToken(kind: .plain, text: piece)]
      case .dollarQuoted(let length):
        guard token.isTerminated, depth < 4 else { return [SQLToken(kind: .string, text: piece)] }
        let body = token.range.dropFirst(length).dropLast(length)
        let delimiter = SQLToken(kind: .string, text: String(piece.unicodeScalars.prefix(length)))
        return [delimiter] + pieces(of: lexer.text(in: body), depth: depth + 1) + [delimiter]
      }
    }
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
