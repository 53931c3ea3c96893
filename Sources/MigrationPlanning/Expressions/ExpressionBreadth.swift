/// The rows that an expression may depend on.
enum ExpressionBreadth {
  /// The values of one row, and values over to-one relationships: the server can keep these up to
  /// date.
  case row
  /// Whatever the source holds: it is computed once.
  case mapping

  /// Refuses a part that is not about one row where only that is possible.
  func requireMapping(_ part: some CustomStringConvertible) throws(ExpressionFault) {
    switch self {
    case .row: throw .notAboutOneRow("\(part)")
    case .mapping: return
    }
  }
}
