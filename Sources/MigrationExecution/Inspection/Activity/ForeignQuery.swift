internal import SQLSyntax

/// Returns SQL of somebody else without its constants and comments, which may be anybody's data: what
/// is known to be a keyword, a name or punctuation stays, "…" stands for all else.
func withoutConstants(_ sql: String) -> String {
  let lexer = SQLLexer(sql)
  var text = ""
  func hide() {
    if text.last != "…" { text += "…" }
  }
  for token in lexer {
    let piece = lexer.text(of: token)
    // Nobody knows what is in something that does not end. A setting of that session decides whether a string
    // ends at a quote after a backslash; and what is cut off at a dollar may have begun a string.
    let isUnclear =
      switch token.kind {
      case .string(.none, _): piece.contains("\\'")
      case .symbol: piece == "$"
      case .space, .comment, .word, .quotedName, .string, .dollarQuoted, .parameter, .number: false
      }
    guard token.isTerminated, !isUnclear else {
      hide()
      break
    }
    switch token.kind {
    case .comment, .string, .dollarQuoted, .number: hide()
    case .space, .word, .quotedName, .parameter, .symbol: text += piece
    }
  }
  return text
}
