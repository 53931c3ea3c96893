internal import ObjectModel
internal import SQLSyntax

/// Conditions on values that have no exact counterpart in another type.
enum ExactnessCondition {
  /// Returns the condition that a value does not fit, or `nil` if every value does.
  static func misfit(
    of column: SQLIdentifier,
    _ before: AttributeType,
    into after: AttributeType
  ) -> SQLFragment? {
    switch after {
    case .integer16: misfit(of: column, from: "-32768", to: "32767")
    case .integer32: misfit(of: column, from: "-2147483648", to: "2147483647")
    case .integer64: misfit(of: column, from: "-9223372036854775808", to: "9223372036854775807")
    case .decimal:
      // A binary fraction may have more digits than its text shows.
      "\(column)::double precision <> \(column)::numeric::double precision"
    case .numeric(let precision, let scale):
      misfit(of: column, precision: precision, scale: scale)
    case .double:
      """
      CASE WHEN abs(\(column)::numeric) > '1e308' THEN true \
      ELSE \(column)::double precision::numeric <> \(column)::numeric END
      """
    case .float:
      """
      CASE WHEN \(column)::numeric IN ('NaN', 'Infinity', '-Infinity') THEN false \
      WHEN abs(\(column)::numeric) > '3.4e38' THEN true \
      WHEN \(column) <> 0 AND abs(\(column)::numeric) < '1.2e-38' THEN true \
      ELSE \(column)::real::double precision <> \(column)::double precision END
      """
    case .varchar(let length):
      "char_length(\(column)) > \(SQLLiteral.integer(Int64(length)))"
    case .undefined, .string, .uri, .boolean, .date, .binary, .uuid, .transformable, .objectID,
      .composite, .json, .calendarDate, .time, .interval, .inet, .array, .enumeration, .sql:
      nil
    }
  }

  private static func misfit(
    of column: SQLIdentifier,
    from minimum: StaticString,
    to maximum: StaticString
  ) -> SQLFragment {
    // Infinities and NaN are greater or less than any integer as numeric.
    let low = SQLLiteral.typed(minimum.description, "numeric")
    let high = SQLLiteral.typed(maximum.description, "numeric")
    return """
      \(column)::numeric NOT BETWEEN \(low) AND \(high) OR \(column)::numeric <> \
      trunc(\(column)::numeric)
      """
  }

  private static func misfit(
    of column: SQLIdentifier,
    precision: Int,
    scale: Int
  ) -> SQLFragment {
    let limit = SQLLiteral.typed("1e\(precision - scale)", "numeric")
    return """
      abs(\(column)::numeric) >= \(limit) OR round(\(column)::numeric, \
      \(SQLLiteral.integer(Int64(scale)))) <> \(column)::numeric
      """
  }
}
