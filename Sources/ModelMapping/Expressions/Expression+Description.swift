extension Expression: CustomStringConvertible {
  /// The text that reads back as this expression.
  public var description: String { text(binding: 0) }

  /// Returns the text, in parentheses where what is around it binds stronger.
  private func text(binding: Int) -> String {
    let own: Int
    let text: String
    switch self {
    case .constant(let constant): return constant.description
    case .keyPath(let path): return path.description
    case .function(let function, let arguments):
      let list = arguments.map(\.description).joined(separator: ", ")
      return "\(function.rawValue)(\(list))"
    case .cast(let value, let typeName):
      return "CAST(\(value), \(Constant.string(typeName)))"
    case .list(let elements):
      return "{" + elements.map(\.description).joined(separator: ", ") + "}"
    case .negation(let value):
      own = 3
      text = "-\(value.text(binding: 3))"
    case .arithmetic(let left, let arithmeticOperator, let right):
      own = arithmeticOperator.binding
      text =
        "\(left.text(binding: own)) \(arithmeticOperator.rawValue) "
        + right.text(binding: own + 1)
    }
    return own < binding ? "(\(text))" : text
  }
}

extension Expression.ArithmeticOperator {
  fileprivate var binding: Int {
    switch self {
    case .add, .subtract: 1
    case .multiply, .divide: 2
    }
  }
}

extension Expression.Constant: CustomStringConvertible {
  /// The text that reads back as this constant.
  public var description: String {
    switch self {
    case .number(let digits): digits
    case .boolean(let value): value ? "TRUE" : "FALSE"
    case .null: "NULL"
    case .string(let text): "\"" + text.unicodeScalars.map(Self.escaped).joined() + "\""
    }
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\"": "\\\""
    case "\\": "\\\\"
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    default: String(scalar)
    }
  }
}

extension KeyPathExpression: CustomStringConvertible {
  /// The path with dots between its parts; names that are words of the language have a `#`.
  public var description: String {
    let words = names.map { ExpressionKeyword($0) == nil ? $0 : "#\($0)" }
    return (words + [aggregate?.rawValue].compactMap(\.self)).joined(separator: ".")
  }
}

extension Predicate: CustomStringConvertible {
  /// The text that reads back as this predicate.
  public var description: String { text(binding: 0) }

  private func text(binding: Int) -> String {
    let own: Int
    let text: String
    switch self {
    case .constant(let value): return value ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .comparison(let comparison): return comparison.description
    case .not(let condition):
      own = 3
      text = "NOT \(condition.text(binding: 3))"
    case .and(let first, let second):
      own = 2
      text = "\(first.text(binding: 2)) AND \(second.text(binding: 3))"
    case .or(let first, let second):
      own = 1
      text = "\(first.text(binding: 1)) OR \(second.text(binding: 2))"
    }
    return own < binding ? "(\(text))" : text
  }
}

extension Predicate.Comparison: CustomStringConvertible {
  /// The text that reads back as this comparison.
  public var description: String {
    let letters = (options.ignoresCase ? "c" : "") + (options.ignoresDiacritics ? "d" : "")
    return "\(left) \(comparator.rawValue)\(letters.isEmpty ? "" : "[\(letters)]") \(right)"
  }
}
