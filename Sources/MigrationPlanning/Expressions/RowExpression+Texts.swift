internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

/// Functions of texts. Positions count from 0.
extension RowExpression {
  /// Returns a value that has to be a text.
  mutating func text(
    _ operand: Expression,
    in whole: Expression
  ) throws(ExpressionFault) -> SQLFragment {
    let value = try value(operand)
    switch value.type {
    case .text: return value.sql
    case .null, .unknown: return "(\(value.sql))::text"
    case .integer, .decimal, .double, .boolean, .date, .reference, .other:
      throw mismatch(whole, value)
    }
  }

  mutating func textual(
    _ function: Expression.Function,
    _ arguments: [Expression],
    _ whole: Expression
  ) throws(ExpressionFault) -> TypedValue {
    if function == .concat { return try concat(arguments, whole) }
    let text = try text(arguments[0], in: whole)
    switch function {
    case .canonical: return Self.text(TextFolding.canonical(text))
    case .lowercase: return Self.text("lower(\(text))")
    case .uppercase: return Self.text("upper(\(text))")
    case .length:
      return TypedValue(sql: "char_length(\(text))", type: .integer, columnType: "integer")
    case .trim:
      let whitespace: SQLFragment = "\(SQLLiteral.text(" \t\n\r\u{0B}\u{0C}"))"
      let characters = arguments.count > 1 ? try self.text(arguments[1], in: whole) : whitespace
      return Self.text("btrim(\(text), \(characters))")
    case .substring:
      let start = try integer(arguments[1], in: whole).sql(as: "integer")
      guard arguments.count > 2 else { return Self.text("substr(\(text), \(start) + 1)") }
      let length = try integer(arguments[2], in: whole).sql(as: "integer")
      return Self.text("substr(\(text), \(start) + 1, \(length))")
    case .replace:
      let old = try self.text(arguments[1], in: whole)
      let new = try self.text(arguments[2], in: whole)
      return Self.text("replace(\(text), \(old), \(new))")
    case .split:
      guard arguments.count == 3 else {
        throw .unsupported(
          "\"\(whole)\" gives many texts",
          hint: "Say which one, counted from 0, as the third argument."
        )
      }
      let separator = try self.text(arguments[1], in: whole)
      let position = try integer(arguments[2], in: whole).sql(as: "integer")
      return Self.text("(string_to_array(\(text), \(separator)))[\(position) + 1]")
    case .regexReplace: return try regexReplace(text, arguments, whole)
    case .sum, .count, .minimum, .maximum, .average, .median, .mode, .standardDeviation, .add,
      .subtract, .multiply, .divide, .modulus, .power, .squareRoot, .logarithm, .naturalLogarithm,
      .exponential, .abs, .floor, .ceiling, .truncate, .bitwiseAnd, .bitwiseOr, .bitwiseXor,
      .leftShift, .rightShift, .onesComplement, .random, .randomBelow, .randomInteger, .concat,
      .now, .noIndex, .distance, .coalesce, .nullIf, .uuid, .json:
      return Self.text(text)
    }
  }

  private static func text(_ sql: SQLFragment) -> TypedValue {
    TypedValue(sql: sql, type: .text, columnType: "text")
  }

  /// What is no text is written as a conversion to text does it.
  private mutating func concat(
    _ arguments: [Expression],
    _ whole: Expression
  ) throws(ExpressionFault) -> TypedValue {
    var parts: [SQLFragment] = []
    for argument in arguments {
      let text = try converted(value(argument), to: .string, .explicit, whole)
      parts.append(argument.isLiteral ? text.sql : "coalesce(\(text.sql), '')")
    }
    let constants = arguments.filter { $0 == .constant(.null) }
    if constants.count == arguments.count { return Self.text("''::text") }
    let isNull = arguments.map { $0 == .constant(.null) }
    let texts = zip(parts, isNull).filter { !$0.1 }.map(\.0)
    return Self.text("(\(texts.joined(separator: " || ")))")
  }

  private mutating func regexReplace(
    _ text: SQLFragment,
    _ arguments: [Expression],
    _ whole: Expression
  ) throws(ExpressionFault) -> TypedValue {
    guard case .constant(.string(let pattern)) = arguments[1],
      case .constant(.string(let template)) = arguments[2]
    else {
      throw .unsupported(
        "\"\(whole)\" has a pattern or a replacement that is no constant",
        hint: "Write both in quotes."
      )
    }
    let expression = try RegularExpression(pattern)
    let replacement = RegularExpression.replacement(template)
    return Self.text(
      """
      regexp_replace(\(text), \(SQLLiteral.typed(expression.partPattern, "text")), \
      \(SQLLiteral.typed(replacement, "text")), 'g')
      """
    )
  }
}

/// Texts without what makes no difference.
enum TextFolding {
  /// The marks that letters are taken apart into.
  private static let marks =
    "[\\u0300-\\u036F\\u1AB0-\\u1AFF\\u1DC0-\\u1DFF\\u20D0-\\u20FF\\uFE20-\\uFE2F]"

  /// Letters without marks, small, and of one form.
  static func canonical(_ text: SQLFragment) -> SQLFragment {
    "lower(\(withoutMarks("normalize(\(text), NFKD)")))"
  }

  static func folded(_ text: SQLFragment, _ options: Predicate.Options) -> SQLFragment {
    switch (options.ignoresCase, options.ignoresDiacritics) {
    case (true, true): canonical(text)
    case (true, false): "lower(\(text))"
    case (false, true): withoutMarks("normalize(\(text), NFD)")
    case (false, false): text
    }
  }

  private static func withoutMarks(_ text: SQLFragment) -> SQLFragment {
    "regexp_replace(\(text), \(SQLLiteral.text(marks)), '', 'g')"
  }
}
