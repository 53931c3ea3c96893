extension Expression: CustomStringConvertible {
  /// The text that reads back as this expression.
  public var description: String { text(binding: 0) }

  /// Returns the text, in parentheses if the surrounding operator binds more tightly.
  fileprivate func text(binding: Int) -> String {
    let own: Int
    let text: String
    switch self {
    case .negation(let value):
      own = 4
      text = "-\(value.text(binding: 4))"
    case .arithmetic(let left, let arithmeticOperator, let right):
      own = arithmeticOperator.binding
      text =
        "\(left.text(binding: own)) \(arithmeticOperator.rawValue) "
        + right.text(binding: own + 1)
    case .constant(let constant): return constant.description
    case .keyPath(let path): return path.description
    case .variable(let name): return "$\(name)"
    case .evaluatedObject: return "SELF"
    case .list(let elements): return "{\(Self.joined(elements))}"
    case .element(let value, let position): return "\(value.text(binding: 5))[\(position)]"
    case .function(let function, let arguments):
      return "\(function.rawValue)(\(Self.joined(arguments)))"
    case .cast(let value, let typeName): return "CAST(\(value), \(Self.quoted(typeName)))"
    case .accessor(let value, let accessor):
      return "FUNCTION(\(value), \(Self.quoted(accessor.rawValue)))"
    case .ternary(let condition, let first, let second):
      return "TERNARY(\(condition), \(first), \(second))"
    case .subquery(let collection, let variable, let condition):
      return "SUBQUERY(\(collection), $\(variable), \(condition))"
    case .fetch(let fetch): return fetch.description
    case .destinationInstances(let lookup): return lookup.description
    case .lookup(let mapping, let keys):
      return "lookup(\(Self.joined([.constant(.string(mapping))] + keys)))"
    case .sql(let sql): return "SQL(\(Self.quoted(sql)))"
    case .policyCall(let selector, let arguments):
      let list = Self.joined([.constant(.string(selector))] + arguments)
      return "FUNCTION($entityPolicy, \(list))"
    case .nonNilValueOrDefault(let attribute):
      let selector = Self.quoted(ExpressionParser.nonNilValue)
      let name = Self.quoted(attribute)
      return "FUNCTION($entityPolicy, \(selector), \(name), $source, $destination)"
    }
    return own < binding ? "(\(text))" : text
  }

  private static func joined(_ expressions: [Expression]) -> String {
    expressions.map(\.description).joined(separator: ", ")
  }

  fileprivate static func quoted(_ text: String) -> String { Constant.string(text).description }
}

extension Expression.ArithmeticOperator {
  fileprivate var binding: Int {
    switch self {
    case .add, .subtract: 1
    case .multiply, .divide: 2
    case .power: 3
    }
  }
}

extension Expression.ElementPosition: CustomStringConvertible {
  /// The text between the brackets.
  public var description: String {
    switch self {
    case .index(let index): "\(index)"
    case .first: "FIRST"
    case .last: "LAST"
    case .size: "SIZE"
    }
  }
}

extension Expression.SourceFetch: CustomStringConvertible {
  /// The fetch as Core Data's own mapping models write it.
  public var description: String {
    let inclusion = includesSubentities ? "" : "includesSubentities:"
    let selector = "fetchRequestForSourceEntityNamed:predicateString:\(inclusion)"
    let texts = [selector, entityName, predicate.description].map(Expression.quoted)
    let arguments = texts.joined(separator: ", ") + (includesSubentities ? "" : ", NO")
    let countOnly = countsOnly ? "YES" : "NO"
    return "FETCH(FUNCTION($manager, \(arguments)), $manager.sourceContext, \(countOnly))"
  }
}

extension Expression.InstanceLookup: CustomStringConvertible {
  /// The question as Core Data's own mapping models write it.
  public var description: String {
    let (selector, name) =
      switch mapping {
      case .named(let name): (ExpressionParser.instancesOfMapping, name)
      case .ofRelationship(let name): (ExpressionParser.instancesOfRelationship, name)
      }
    let texts = [selector, name].map(Expression.quoted).joined(separator: ", ")
    return "FUNCTION($manager, \(texts), \(sources))"
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
    let parts = [start].compactMap(\.self) + words + [aggregate?.rawValue].compactMap(\.self)
    return parts.joined(separator: ".")
  }

  private var start: String? {
    switch base {
    case .row: names.isEmpty ? "SELF" : nil
    case .variable(let name): "$\(name)"
    // The point of a number, and names after an aggregate, would be read as something else.
    case .expression(.constant(let constant)): "(\(constant))"
    case .expression(.keyPath(let path)) where !names.isEmpty: "(\(path))"
    case .expression(let expression): expression.text(binding: 5)
    }
  }
}
