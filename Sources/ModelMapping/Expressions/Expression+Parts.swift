extension Expression {
  /// The expressions that this one consists of, each after what it is a part of; itself first.
  package var parts: [Expression] {
    var parts: [Expression] = []
    collect(into: &parts)
    return parts
  }

  fileprivate func collect(into parts: inout [Expression]) {
    parts.append(self)
    switch self {
    case .constant, .variable, .evaluatedObject, .sql, .nonNilValueOrDefault: break
    case .keyPath(let path):
      if case .expression(let base) = path.base { base.collect(into: &parts) }
    case .function(_, let values), .list(let values), .lookup(_, let values),
      .policyCall(_, let values):
      for value in values { value.collect(into: &parts) }
    case .negation(let value), .cast(let value, _), .accessor(let value, _):
      value.collect(into: &parts)
    case .arithmetic(let left, _, let right):
      left.collect(into: &parts)
      right.collect(into: &parts)
    case .element(let value, let position):
      value.collect(into: &parts)
      if case .index(let index) = position { index.collect(into: &parts) }
    case .ternary(let condition, let first, let second):
      condition.collect(into: &parts)
      first.collect(into: &parts)
      second.collect(into: &parts)
    case .subquery(let collection, _, let condition):
      collection.collect(into: &parts)
      condition.collect(into: &parts)
    case .fetch(let fetch): fetch.predicate.collect(into: &parts)
    case .destinationInstances(let lookup): lookup.sources.collect(into: &parts)
    }
  }
}

extension Predicate {
  /// The expressions that the predicate consists of.
  package var parts: [Expression] {
    var parts: [Expression] = []
    collect(into: &parts)
    return parts
  }

  fileprivate func collect(into parts: inout [Expression]) {
    switch self {
    case .constant: break
    case .comparison(let comparison):
      comparison.left.collect(into: &parts)
      comparison.right.collect(into: &parts)
    case .not(let condition): condition.collect(into: &parts)
    case .and(let first, let second), .or(let first, let second):
      first.collect(into: &parts)
      second.collect(into: &parts)
    }
  }
}
