/// A word of the language, in capital or small letters.
///
/// A property of such a name is written with a `#`.
enum ExpressionKeyword: String, CaseIterable {
  case and, or, not, `in`, between, like, matches, contains, beginswith, endswith
  case `true`, yes, `false`, no, null, `nil`, truepredicate, falsepredicate, cast
  // Not about one row, and so not understood here; reserved all the same.
  case `self`, any, some, all, none, subquery, fetch, function, ternary, first, last, size, anykey
  case union, intersect, minus

  init?(_ word: String) {
    self.init(rawValue: word.lowercased())
  }

  /// The comparator that the word stands for.
  var comparator: Predicate.Comparator? {
    switch self {
    case .in: .isIn
    case .between: .between
    case .like: .like
    case .matches: .matches
    case .contains: .contains
    case .beginswith: .beginsWith
    case .endswith: .endsWith
    case .and, .or, .not, .true, .yes, .false, .no, .null, .nil, .truepredicate, .falsepredicate,
      .cast, .self, .any, .some, .all, .none, .subquery, .fetch, .function, .ternary, .first, .last,
      .size, .anykey, .union, .intersect, .minus:
      nil
    }
  }
}
