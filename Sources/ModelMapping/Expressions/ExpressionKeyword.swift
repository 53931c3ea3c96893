/// A keyword of the language, in uppercase or lowercase.
///
/// A property with such a name needs a `#` unless it follows a dot.
enum ExpressionKeyword: String, CaseIterable {
  case and, or, not, `in`, between, like, matches, contains, beginswith, endswith
  case `true`, yes, `false`, no, null, `nil`, truepredicate, falsepredicate
  case `self`, any, some, all, none, first, last, size
  case cast, subquery, fetch, function, ternary
  // Of no use here; reserved all the same.
  case anykey, union, intersect, minus

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
      .self, .any, .some, .all, .none, .first, .last, .size, .cast, .subquery, .fetch, .function,
      .ternary, .anykey, .union, .intersect, .minus:
      nil
    }
  }

  /// For how many of several values a comparison that begins with the word has to hold.
  var quantifier: Predicate.Quantifier? {
    switch self {
    case .any, .some: .any
    case .all: .all
    case .none: Predicate.Quantifier.none
    case .in, .between, .like, .matches, .contains, .beginswith, .endswith, .and, .or, .not, .true,
      .yes, .false, .no, .null, .nil, .truepredicate, .falsepredicate, .self, .first, .last, .size,
      .cast, .subquery, .fetch, .function, .ternary, .anykey, .union, .intersect, .minus:
      nil
    }
  }
}
