internal import SQLSyntax

extension Column {
  /// Returns whether the server may fail to compute a value for a row, by a division, an overflow
  /// or a value outside of the type's range.
  ///
  /// - Parameters:
  ///   - value: The computed value.
  ///   - table: The table.
  /// - Returns: Whether it may; assignments, concatenations, comparisons and counts cannot fail.
  func mayFail(toCompute value: SQLFragment, in table: Table) -> Bool {
    if value.identifiers.count == 1, let name = value.identifiers.first,
      value.text == name.quoted, table.column(name)?.type == type
    {
      return false
    }
    return type.text.contains("(") || !value.isCount && value.hasArithmetic
  }
}

extension SQLFragment {
  /// A Boolean value that indicates whether it has operators, functions or casts that may fail.
  fileprivate var hasArithmetic: Bool {
    var rest = Substring(text).unicodeScalars
    while let first = rest.popFirst() {
      switch first {
      case "\"", "'":
        guard let end = rest.firstIndex(of: first) else { return true }
        rest = rest[rest.index(after: end)...]
      case " ", "\n", "(", ")", ",", ".", "|", "=", "<", ">", "0"..."9": continue
      case ":":
        guard
          let cast = [":text", ":boolean"].first(where: { rest.starts(with: $0.unicodeScalars) })
        else { return true }
        rest = rest.dropFirst(cast.unicodeScalars.count)
      case "a"..."z", "A"..."Z", "_":
        let end = rest.prefix {
          !$0.isASCII || $0.properties.isAlphabetic || ("0"..."9").contains($0) || $0 == "_"
        }
        let word = String(first) + String(end)
        guard Self.harmlessWords.contains(word.lowercased()) else { return true }
        rest = rest.dropFirst(end.count)
      default: return true  // Operators of numbers and what is not known.
      }
    }
    return false
  }

  private static let harmlessWords: Set<String> = [
    "and", "any", "as", "btrim", "case", "char_length", "clock_timestamp", "coalesce", "concat",
    "count",
    "current_timestamp", "distinct", "else", "end", "exists", "false", "from", "in", "is", "limit",
    "lower",
    "max", "min", "nfkd", "normalize", "not", "now", "null", "nullif", "or", "regexp_replace",
    "select",
    "then", "true", "upper", "when", "where",
  ]

  /// A Boolean value that indicates whether it counts rows.
  fileprivate var isCount: Bool {
    text.hasPrefix("(SELECT count(")
      && [")", "::bigint", "::integer"].contains { text.hasSuffix($0) }
  }

  /// A Boolean value that indicates whether it has a value for every row.
  fileprivate var isAlwaysThere: Bool {
    text.hasPrefix("(SELECT count(") || text.hasPrefix("(SELECT coalesce(")
  }
}

extension ModelProjection {
  /// Returns whether the triggers of a derived column may compute no value.
  func mayDeriveNothing(_ column: SQLIdentifier, of table: SQLIdentifier) -> Bool {
    guard let derivation = derivations[ColumnReference(table: table, column: column)] else {
      return false
    }
    return !derivation.isStamp && !derivation.value.isAlwaysThere
  }
}
