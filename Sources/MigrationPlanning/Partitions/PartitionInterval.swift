internal import ObjectModel
internal import SQLSyntax

/// The arithmetic of intervals: with times as timestamps in UTC, and whole numbers as numeric values.
struct PartitionInterval {
  private let interval: PartitioningDescription.Interval
  private let type: SQLTypeName

  init(_ interval: PartitioningDescription.Interval, of type: SQLTypeName) {
    self.interval = interval
    self.type = type
  }

  private var isInstant: Bool { type.text.hasSuffix("with time zone") }

  /// The length of an interval.
  var step: SQLFragment {
    switch interval {
    case .time(let count, let unit): "interval \(text: "\(count) \(unit.rawValue)s")"
    case .integers(let count): "\(.integer(Int64(count)))::numeric"
    }
  }

  private var units: SQLTypeName {
    switch interval {
    case .time: "timestamp without time zone"
    case .integers: "numeric"
    }
  }

  /// Returns a value of the column for the arithmetic.
  func moment(_ value: SQLFragment) -> SQLFragment {
    isInstant ? "timezone('UTC', \(value))" : "\(value)::\(units)"
  }

  /// Returns the value of a bound in the server's words, for the arithmetic.
  func value(of text: SQLFragment, unbounded word: String) -> SQLFragment {
    let end: SQLFragment =
      switch (interval, word) {
      case (.time, "MINVALUE"): "'-infinity'"
      case (.time, _): "'infinity'"
      case (.integers, "MINVALUE"): "'-1e30'"
      case (.integers, _): "'1e30'"
      }
    return "coalesce(\(moment("nullif(\(text), \(text: word))::\(type)")), \(end)::\(units))"
  }

  /// The greatest value of a column of whole numbers.
  private var greatest: Int64 {
    switch type.text {
    case "smallint": Int64(Int16.max)
    case "integer": Int64(Int32.max)
    default: .max
    }
  }

  /// Returns a value of the arithmetic as one of the column, or the greatest one below it.
  func bound(_ moment: SQLFragment) -> SQLFragment {
    switch interval {
    case .time: isInstant ? "timezone('UTC', \(moment))" : "\(moment)::\(type)"
    case .integers: "least(\(moment), \(.integer(greatest)))::\(type)"
    }
  }

  /// Returns the condition that a value of the arithmetic is one of the column.
  func isRepresentable(_ moment: SQLFragment) -> SQLFragment {
    switch interval {
    case .time: "true"
    case .integers: "\(moment) <= \(.integer(greatest)) AND \(moment) >= -\(.integer(greatest))"
    }
  }

  /// Returns the condition that a value is at or after one moment and before another.
  func isIn(_ value: SQLFragment, _ low: SQLFragment, _ high: SQLFragment) -> SQLFragment {
    let isBelow: SQLFragment = "\(value) < \(bound(high))"
    switch interval {
    case .time: return "\(value) >= \(bound(low)) AND \(isBelow)"
    case .integers:
      let isLast: SQLFragment = "\(high) > \(.integer(greatest))"
      return "\(value) >= \(bound(low)) AND (\(isLast) OR \(isBelow))"
    }
  }

  /// Returns the bounds of a partition, in the server's words.
  func text(of low: SQLFragment, _ high: SQLFragment) -> SQLFragment {
    let from: SQLFragment = "format('FOR VALUES FROM (%L)', \(bound(low)))"
    switch interval {
    case .time: return "\(from) || format(' TO (%L)', \(bound(high)))"
    case .integers:
      return """
        \(from) || CASE WHEN \(high) > \(.integer(greatest)) THEN ' TO (MAXVALUE)' \
        ELSE format(' TO (%L)', \(bound(high))) END
        """
    }
  }

  /// Returns a moment so many intervals later.
  func moved(_ moment: SQLFragment, by count: SQLFragment) -> SQLFragment {
    "\(moment) + \(count) * \(step)"
  }

  /// Returns the moment from which intervals ahead are counted: now, or the last interval that has rows.
  func present(_ column: SQLIdentifier, of table: QualifiedName) -> SQLFragment {
    switch interval {
    case .time: "timezone('UTC', now())"
    case .integers:
      """
      coalesce(\(moment("rows.high")), (SELECT max(k.low) FROM known k
              WHERE k.low > '-1e30' AND EXISTS (SELECT FROM \(table) AS t
              WHERE \(isIn("t.\(column)", "k.low", "k.high")))), 0)
      """
    }
  }

  /// Returns the beginning of the interval that a moment is in.
  func begin(of moment: SQLFragment) -> SQLFragment {
    switch interval {
    case .time(let count, .month): months(Int64(count), moment)
    case .time(let count, .year): months(Int64(count) * 12, moment)
    // The first Monday of the century.
    case .time: "date_bin(\(step), \(moment), timestamp '2001-01-01')"
    case .integers: "floor((\(moment)) / \(step)) * \(step)"
    }
  }

  private func months(_ count: Int64, _ moment: SQLFragment) -> SQLFragment {
    // There is no year 0.
    let first: SQLFragment = "greatest(x.month - x.month % \(.integer(count)), 12)"
    return """
      (SELECT make_timestamp((\(first) / 12)::integer, (\(first) % 12 + 1)::integer, 1, 0, 0, 0) \
      FROM (SELECT (extract(year FROM m.at) * 12 + extract(month FROM m.at) - 1)::bigint AS month \
      FROM (SELECT \(moment) AS at) m) x)
      """
  }

  /// Returns the end of the name of the partition that begins at a moment.
  func name(_ moment: SQLFragment) -> SQLFragment {
    switch interval {
    case .time(_, .hour): "'p' || to_char(\(moment), 'YYYYMMDD_HH24')"
    case .time: "'p' || to_char(\(moment), 'YYYYMMDD')"
    case .integers: "'p' || replace((\(moment))::bigint::text, '-', 'm')"
    }
  }
}
