internal import SQLSyntax

/// A condition on rows as a conjunction of clauses, each a disjunction of atoms.
///
/// It understands the conditions of models: comparisons of a column, or of a function of one, with
/// constants, lists of constants, AND and OR. Everything else is an atom that only implies itself.
/// A null condition is satisfied, as in CHECK.
struct ConditionClauses: Hashable {
  typealias Clause = Set<ConditionAtom>

  private(set) var clauses: Set<Clause>

  init(_ condition: SQLFragment) {
    self.init(text: condition.text)
  }

  init(text: String) {
    var parser = ConditionParser(text)
    clauses = parser.parse() ?? [[.other(text)]]
  }

  /// Creates the conjunction of several conditions.
  init(allOf conditions: [SQLFragment]) {
    clauses = conditions.reduce(into: []) { $0.formUnion(ConditionClauses($1).clauses) }
  }

  /// Returns whether a row that meets these conditions meets the others.
  func implies(_ others: ConditionClauses) -> Bool {
    others.clauses.allSatisfy { implies($0) }
  }

  func implies(_ clause: Clause) -> Bool {
    let narrowed = narrowing(clause)
    return clauses.contains { own in
      own.allSatisfy { atom in narrowed.contains { atom.implies($0) } }
    }
  }

  /// Values outside of a list of the allowed ones need not be excluded.
  private func narrowing(_ clause: Clause) -> Clause {
    var narrowed = clause
    for case .anyBut(let term, let values) in clause {
      for own in clauses {
        guard own.count == 1, case .anyOf(term, let allowed)? = own.first else { continue }
        narrowed.remove(.anyBut(term, values))
        let possible = values.filter { value in
          !allowed.allSatisfy { $0.isSurelyDifferent(from: value, as: term) }
        }
        narrowed.insert(.anyBut(term, possible))
      }
    }
    return narrowed
  }
}

/// A condition that has no parts.
enum ConditionAtom: Hashable {
  /// A term is one of some constants.
  case anyOf(String, Set<ConditionConstant>)
  /// A term is none of some constants.
  case anyBut(String, Set<ConditionConstant>)
  /// A term is more than a number, or as much.
  case above(String, Double, isStrict: Bool)
  /// A term is less than a number, or as much.
  case below(String, Double, isStrict: Bool)
  /// A term has a value.
  case present(String)
  /// Anything else.
  case other(String)

  /// The operand of the atom, or all of it.
  var text: String {
    switch self {
    case .anyOf(let text, _), .anyBut(let text, _), .above(let text, _, _), .below(let text, _, _),
      .present(let text), .other(let text):
      text
    }
  }

  /// Returns whether another condition holds wherever this one does.
  func implies(_ other: Self) -> Bool {
    switch (self, other) {
    case (.anyOf(let term, let values), .anyOf(let another, let others)):
      term == another && values.isSubset(of: others)
    case (.anyOf(let term, let values), .anyBut(let another, let others)):
      term == another
        && values.allSatisfy { value in
          others.allSatisfy { value.isSurelyDifferent(from: $0, as: term) }
        }
    case (.anyBut(let term, let values), .anyBut(let another, let others)):
      term == another && others.isSubset(of: values)
    case (.above(let term, let bound, let isStrict), .above(let another, let other, let isStricter)):
      term == another && (bound > other || bound == other && (isStrict || !isStricter))
    case (.below(let term, let bound, let isStrict), .below(let another, let other, let isStricter)):
      term == another && (bound < other || bound == other && (isStrict || !isStricter))
    case (.anyOf(let term, let values), .above), (.anyOf(let term, let values), .below):
      values.allSatisfy { value in
        guard case .number(let number) = value else { return false }
        return Self.above(term, number, isStrict: false).implies(other)
          || Self.below(term, number, isStrict: false).implies(other)
      }
    default: self == other  // Of different kinds, none follows from another.
    }
  }
}
