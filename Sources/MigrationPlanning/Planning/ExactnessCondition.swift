internal import ObjectModel
internal import SQLSyntax

/// Conditions on values without an exact counterpart in another type.
///
/// A value is exact if the server's casts in both directions return it. A condition never fails,
/// whatever the value.
enum ExactnessCondition {
  /// Returns the condition that a value does not fit, or `nil` if every value does.
  static func misfit(
    of column: SQLIdentifier,
    _ before: AttributeType,
    into after: AttributeType
  ) -> SQLFragment? {
    let before = before.canonical
    switch after.canonical.kind {
    case .integer(let bits):
      let limit = UInt64(1) << UInt64(bits - 1)
      if case .text = before.kind { return textMisfit(of: column, below: "\(limit)") }
      return integerMisfit(of: column, before, from: "-\(limit)", below: "\(limit)")
    case .decimal(nil): return binaryMisfit(of: column, before)
    case .decimal(let limit?):
      return numericMisfit(of: column, before, precision: limit.precision, scale: limit.scale)
    case .floating(bits: 53): return doubleMisfit(of: column, before)
    case .floating: return floatMisfit(of: column, before)
    case .boolean:
      return before.isInteger ? "\(column) NOT IN (0, 1)" : nil
    case .text(.upTo(let length)):
      if before.isInteger {
        return "char_length(\(column)::text) > \(SQLLiteral.integer(Int64(length)))"
      }
      return "char_length(\(column)) > \(SQLLiteral.integer(Int64(length)))"
    case .text(.listed(let values)):
      let list = values.map { "\(SQLLiteral.text($0))" as SQLFragment }.joined(separator: ", ")
      return "\(column) NOT IN (\(list))"
    case .array(let element): return elementMisfit(of: column, before, into: element)
    case .text(.all), .instant, .uuid, .bytes, .objectID, .constant, .none: return nil
    }
  }

  private static func elementMisfit(
    of column: SQLIdentifier,
    _ before: AttributeType,
    into after: AttributeType
  ) -> SQLFragment? {
    guard case .array(let element) = before,
      let misfit = misfit(of: "element", element, into: after)
    else { return nil }
    return "EXISTS (SELECT FROM unnest(\(column)) AS elements (element) WHERE \(misfit))"
  }

  // MARK: - Texts

  /// A text is the integer that the server would write so: without spaces, a sign, or zeros at its beginning.
  private static func textMisfit(of column: SQLIdentifier, below limit: String) -> SQLFragment {
    let pattern = SQLLiteral.text("^(0|-?[1-9][0-9]{0,18})$")
    return """
      CASE WHEN \(column) ~ \(pattern) THEN \(column)::numeric < \(SQLLiteral.number("-\(limit)", of: "numeric")) \
      OR \(column)::numeric >= \(SQLLiteral.number(limit, of: "numeric")) ELSE \(column) IS NOT NULL END
      """
  }

  // MARK: - Whole and decimal numbers

  /// NaN and infinity are beyond any bound.
  private static func integerMisfit(
    of column: SQLIdentifier,
    _ before: AttributeType,
    from minimum: String,
    below limit: String
  ) -> SQLFragment {
    // As numeric a binary fraction would lose digits.
    let type: SQLTypeName = before.isBinaryFraction ? "double precision" : "numeric"
    let low = SQLLiteral.number(minimum, of: type)
    let high = SQLLiteral.number(limit, of: type)
    return """
      \(column) < \(low) OR \(column) >= \(high) OR \(column)::\(type) <> trunc(\(column)::\(type))
      """
  }

  /// As numeric a binary fraction keeps 6 or 15 digits.
  private static func binaryMisfit(
    of column: SQLIdentifier,
    _ before: AttributeType
  ) -> SQLFragment? {
    guard before.isBinaryFraction, let type = before.columnType else { return nil }
    // Close to the greatest number, rounding to the digits of numeric overflows.
    return """
      CASE WHEN abs(\(column)) > 1.7e308 AND abs(\(column)) < 'Infinity' THEN true \
      ELSE \(column)::numeric::\(type) <> \(column) END
      """
  }

  private static func numericMisfit(
    of column: SQLIdentifier,
    _ before: AttributeType,
    precision: Int,
    scale: Int
  ) -> SQLFragment {
    let limit = SQLLiteral.number("1e\(precision - scale)", of: "numeric")
    // NaN is more than any bound, and fits all the same.
    var misfit: SQLFragment = """
      \(column)::numeric <> 'NaN' AND (abs(\(column)::numeric) >= \(limit) OR \
      round(\(column)::numeric, \(SQLLiteral.integer(Int64(scale)))) <> \(column)::numeric)
      """
    if let lost = binaryMisfit(of: column, before) { misfit.append(" OR \(lost)") }
    return misfit
  }

  // MARK: - Binary fractions

  private static func doubleMisfit(
    of column: SQLIdentifier,
    _ before: AttributeType
  ) -> SQLFragment {
    if before.isInteger {
      // The greatest one below 2^63, which has no cast in the other direction.
      return """
        CASE WHEN \(column) > 9223372036854774784 THEN true \
        ELSE \(column)::double precision::bigint <> \(column) END
        """
    }
    return """
      CASE WHEN \(column) IN ('NaN', 'Infinity', '-Infinity') THEN false \
      WHEN abs(\(column)) > '1e308' OR \(column) <> 0 AND abs(\(column)) < '4.9e-324' THEN true \
      ELSE \(column)::double precision::numeric <> \(column) END
      """
  }

  private static func floatMisfit(
    of column: SQLIdentifier,
    _ before: AttributeType
  ) -> SQLFragment {
    if before.isInteger {
      return """
        CASE WHEN \(column) > 9223371487098961920 THEN true \
        ELSE \(column)::real::bigint <> \(column) END
        """
    }
    let type: SQLTypeName = before.isBinaryFraction ? "double precision" : "numeric"
    return """
      CASE WHEN \(column) IN ('NaN', 'Infinity', '-Infinity') THEN false \
      WHEN abs(\(column)) > '3.4e38' OR \(column) <> 0 AND abs(\(column)) < '1.4e-45' THEN true \
      ELSE \(column)::real::\(type) <> \(column) END
      """
  }
}

extension AttributeType {
  fileprivate var isBinaryFraction: Bool { self == .double || self == .float }
}
