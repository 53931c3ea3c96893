internal import SQLSyntax

/// Recognizes in expressions of the server the constructs that a model has a form for.
enum DeparsedExpression {
  /// Returns the values of a condition that a column of texts has one of them:
  /// `(status = ANY (ARRAY['new'::text, 'old'::text]))`.
  static func values(of expression: String, column: String) -> [String]? {
    for name in [column, SQLIdentifier(column).quoted] {
      let start = "(\(name) = ANY (ARRAY["
      guard expression.hasPrefix(start), expression.hasSuffix("]))") else { continue }
      guard
        let values = constants(
          in: expression.dropFirst(start.count).dropLast(3),
          castTo: "::text"
        )
      else { continue }
      return values
    }
    return nil
  }

  /// Returns an expression that the server deparses in the same way again.
  ///
  /// It deparses a list of values for a `varchar` column with a cast of the whole list, and adds a
  /// cast around each value when it reads that.
  static func repeatable(_ expression: String) -> String {
    var text = expression
    for (marker, word) in [(")::text = ANY ((ARRAY[", "IN"), (")::text <> ALL ((ARRAY[", "NOT IN")]
    {
      text = withLists(text, marker, word)
    }
    return text
  }

  private static func withLists(_ expression: String, _ marker: String, _ word: String) -> String {
    var rest = expression[...]
    var result = ""
    let end = "])::text[])"
    while let found = rest.firstRange(of: marker) {
      let head = rest[..<found.lowerBound]
      let tail = rest[found.upperBound...]
      guard let open = head.openParenthesis, let close = tail.firstRange(of: end),
        let values = constants(in: tail[..<close.lowerBound], castTo: "::character varying")
      else {
        result += rest[..<found.upperBound]
        rest = tail
        continue
      }
      let list = values.map { SQLLiteral.text($0).quoted }.joined(separator: ", ")
      result += head[..<open]
      result += "\(head[head.unicodeScalars.index(after: open)...]) \(word) (\(list))"
      rest = tail[close.upperBound...]
    }
    return result + rest
  }

  /// Returns constants between commas, each with the same cast; none if there is anything else.
  static func constants(in text: Substring, castTo cast: String) -> [String]? {
    var rest = text
    var values: [String] = []
    while true {
      guard let value = quoted(&rest), rest.hasPrefix(cast) else { return nil }
      values.append(value)
      rest = rest.dropFirst(cast.count)
      if rest.isEmpty { return values }
      guard rest.hasPrefix(", ") else { return nil }
      rest = rest.dropFirst(2)
    }
  }

  /// Takes a text in single quotes off the beginning: by scalars, since a quote that an accent follows is
  /// one to the server.
  private static func quoted(_ rest: inout Substring) -> String? {
    let scalars = rest.unicodeScalars
    guard scalars.first == "'" else { return nil }
    var value = ""
    var index = scalars.index(after: scalars.startIndex)
    while index < scalars.endIndex {
      let next = scalars.index(after: index)
      if scalars[index] == "'" {
        guard next < scalars.endIndex, scalars[next] == "'" else {
          rest = rest[next...]
          return value
        }
        value.append("'")
        index = scalars.index(after: next)
      } else {
        value.unicodeScalars.append(scalars[index])
        index = next
      }
    }
    return nil
  }
}

extension Substring {
  /// The parenthesis that is open at the end.
  fileprivate var openParenthesis: Index? {
    var depth = 0
    for index in unicodeScalars.indices.reversed() {
      if unicodeScalars[index] == ")" { depth += 1 }
      guard unicodeScalars[index] == "(" else { continue }
      if depth == 0 { return index }
      depth -= 1
    }
    return nil
  }
}
