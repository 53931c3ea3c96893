internal import SQLSyntax

extension SQLTypeName {
  /// A Boolean value that indicates whether values are the same text in every session.
  var isIndependentOfFormats: Bool {
    switch parts.family {
    case .integer, .numeric, .boolean, .text, .uuid: true
    case .floating, .bytea, .date, .time, .timestamp, .interval, .network, .json, .range,
      .textSearch, .array, .other:
      false
    }
  }
}

extension SQLFragment {
  /// The words of SQL whose results depend on no setting, if the columns that they are about do not.
  private static let wordsOfAnyFormat: Set<String> = [
    "source", "null", "true", "false", "is", "not", "and", "or", "distinct", "from", "case", "when",
    "then", "else", "end", "in", "between", "abs", "btrim", "ceiling", "char_length", "coalesce",
    "floor", "greatest", "least", "lower", "nullif", "regexp_replace", "replace", "string_to_array",
    "strpos", "substring", "substr", "trim_scale", "trunc", "upper", "text", "smallint", "integer",
    "bigint", "numeric", "boolean", "uuid",
  ]

  /// A Boolean value that indicates whether an expression has the same value in every session.
  ///
  /// What is not known counts as something that depends on the session.
  var isIndependentOfFormats: Bool {
    let lexer = SQLLexer(text)
    let tokens = Array(lexer).filter { !$0.isSkipped }
    return tokens.indices.allSatisfy { index in
      let token = tokens[index]
      switch token.kind {
      case .word:
        return lexer.name(of: token).map(Self.wordsOfAnyFormat.contains) ?? false
      case .quotedName:
        // Functions and types have no quotes in what the program writes.
        let isFunctionOrType =
          index + 1 < tokens.count && lexer.text(of: tokens[index + 1]) == "("
          || index > 0 && lexer.text(of: tokens[index - 1]) == "::"
        return !isFunctionOrType
      case .space, .comment, .string, .dollarQuoted, .parameter, .number, .symbol: return true
      }
    }
  }
}
