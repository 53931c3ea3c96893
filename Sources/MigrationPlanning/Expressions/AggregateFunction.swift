internal import ModelMapping
internal import SQLSyntax

/// A function that aggregates many values.
enum AggregateFunction: String {
  case count = "count:"
  case sum = "sum:"
  case minimum = "min:"
  case maximum = "max:"
  case average = "average:"
  case median = "median:"
  case mode = "mode:"
  case standardDeviation = "stddev:"

  /// Returns the call over all values of an expression.
  func call(
    _ element: TypedValue,
    isDistinct: Bool,
    _ whole: Expression
  ) throws(ExpressionFault) -> TypedValue {
    let word: SQLFragment = isDistinct ? "DISTINCT " : ""
    let isEmpty = element.type == .null
    let real = isEmpty ? "NULL::double precision" : element.sql(as: "double precision")
    switch self {
    case .count: return TypedValue("count(\(word)\(element.sql))", .integer, "bigint")
    case .sum, .average, .median, .standardDeviation:
      guard element.type.isNumeric || isEmpty else { throw .mismatch(whole, element) }
    case .minimum, .maximum, .mode:
      guard element.type.isOrdered || isEmpty else { throw .mismatch(whole, element) }
      if isEmpty { return TypedValue("max(NULL::text)", .null) }
    }
    switch self {
    case .sum:
      if isEmpty { return TypedValue("coalesce(sum(NULL::integer), 0)", .integer, "bigint") }
      let isReal = element.type == .double
      return TypedValue(
        "coalesce(sum(\(word)\(isReal ? real : element.sql)), 0)",
        element.type,
        isReal ? "double precision" : nil
      )
    case .average:
      return element.type == .decimal
        ? TypedValue("avg(\(word)\(element.sql))", .decimal, "numeric")
        : TypedValue("avg(\(word)\(real))", .double, "double precision")
    case .median:
      let call: SQLFragment = "percentile_cont(0.5) WITHIN GROUP (ORDER BY \(real))"
      return TypedValue(call, .double, "double precision")
    case .standardDeviation:
      return TypedValue("stddev_pop(\(word)\(real))", .double, "double precision")
    case .mode:
      let call: SQLFragment = "mode() WITHIN GROUP (ORDER BY \(element.sql))"
      return TypedValue(call, element.type, element.columnType)
    case .minimum: return TypedValue("min(\(element.sql))", element.type, element.columnType)
    case .maximum, .count:
      return TypedValue("max(\(element.sql))", element.type, element.columnType)
    }
  }
}

extension KeyPathExpression.Aggregate {
  /// The function that aggregates the values; `nil` if they remain many.
  var function: AggregateFunction? {
    switch self {
    case .count: .count
    case .sum: .sum
    case .minimum: .minimum
    case .maximum: .maximum
    case .average: .average
    case .unionOfObjects, .distinctUnionOfObjects: nil
    }
  }
}
