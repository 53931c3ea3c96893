internal import SQLSyntax

/// Returns the SQL of another session without its constants and comments, which may contain any
/// data: known keywords, names and punctuation stay, and "…" replaces the rest.
func withoutConstants(_ sql: String) -> String {
  let lexer = SQLLexer(sql)
  var text = ""
  func hide() {
    if text.last != "…" { text += "…" }
  }
  for token in lexer {
    let piece = lexer.text(of: token)
    // The contents of an unterminated token are unknown. A setting of the other session decides
    // whether a string ends at a quote after a backslash, and text cut off at a dollar may begin a
    // string.
    let isUnclear =
      switch token.kind {
      case .string(.none, _): piece.hasScalars("\\'")
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
