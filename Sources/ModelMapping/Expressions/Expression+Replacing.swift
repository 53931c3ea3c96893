extension Expression {
  /// Returns the expression with other expressions in place of parts.
  ///
  /// - Parameter replacement: Returns what stands in place of a part, as it is; `nil` if the part
  ///   remains, whose own parts are then replaced.
  /// - Returns: The expression.
  package func replacing(_ replacement: (Expression) -> Expression?) -> Expression {
    if let other = replacement(self) { return other }
    func all(_ values: [Expression]) -> [Expression] { values.map { $0.replacing(replacement) } }
    switch self {
    case .constant, .variable, .evaluatedObject, .sql, .nonNilValueOrDefault: return self
    case .keyPath(let path):
      guard case .expression(let base) = path.base else { return self }
      return .keyPath(path.continuing(base.replacing(replacement)))
    case .function(let function, let values): return .function(function, all(values))
    case .list(let values): return .list(all(values))
    case .lookup(let mapping, let keys): return .lookup(mapping: mapping, keys: all(keys))
    case .policyCall(let selector, let values):
      return .policyCall(selector: selector, arguments: all(values))
    case .negation(let value): return .negation(value.replacing(replacement))
    case .cast(let value, let typeName):
      return .cast(value.replacing(replacement), typeName: typeName)
    case .accessor(let value, let accessor):
      return .accessor(value.replacing(replacement), accessor)
    case .arithmetic(let left, let arithmeticOperator, let right):
      return .arithmetic(
        left.replacing(replacement),
        arithmeticOperator,
        right.replacing(replacement)
      )
    case .element(let value, let position):
      guard case .index(let index) = position else {
        return .element(value.replacing(replacement), position)
      }
      return .element(value.replacing(replacement), .index(index.replacing(replacement)))
    case .ternary(let condition, let first, let second):
      return .ternary(
        condition.replacing(replacement),
        first.replacing(replacement),
        second.replacing(replacement)
      )
    case .subquery(let collection, let variable, let condition):
      return .subquery(
        collection.replacing(replacement),
        variable: variable,
        condition.replacing(replacement)
      )
    case .fetch(var fetch):
      fetch.predicate = fetch.predicate.replacing(replacement)
      return .fetch(fetch)
    case .destinationInstances(var lookup):
      lookup.sources = lookup.sources.replacing(replacement)
      return .destinationInstances(lookup)
    }
  }
}

extension Predicate {
  /// Returns the condition with other expressions in place of parts.
  package func replacing(_ replacement: (Expression) -> Expression?) -> Predicate {
    switch self {
    case .constant: return self
    case .comparison(var comparison):
      comparison.left = comparison.left.replacing(replacement)
      comparison.right = comparison.right.replacing(replacement)
      return .comparison(comparison)
    case .not(let condition): return .not(condition.replacing(replacement))
    case .and(let first, let second):
      return .and(first.replacing(replacement), second.replacing(replacement))
    case .or(let first, let second):
      return .or(first.replacing(replacement), second.replacing(replacement))
    }
  }
}

extension KeyPathExpression {
  /// Returns the same way from another start.
  func continuing(_ start: Expression) -> KeyPathExpression {
    var path = KeyPathExpression(startingAt: start)
    path.names += names
    path.aggregate = aggregate
    return path
  }
}

extension EntityMapping {
  /// Returns the mapping with other expressions in place of parts.
  ///
  /// - Parameter replacement: Returns what stands in place of a part of a property's value, or of
  ///   another expression; `nil` if the part remains.
  /// - Returns: The mapping.
  package func replacing(
    _ replacement: (Expression, _ property: PropertyMapping?) -> Expression?
  ) -> EntityMapping {
    var mapping = self
    mapping.condition = condition?.replacing { replacement($0, nil) }
    if var distinct {
      distinct.keys = distinct.keys.map { $0.replacing { replacement($0, nil) } }
      distinct.order = distinct.order.map { order in
        var order = order
        order.expression = order.expression.replacing { replacement($0, nil) }
        return order
      }
      mapping.distinct = distinct
    }
    mapping.attributeMappings = attributeMappings.map { $0.replacing(replacement) }
    mapping.relationshipMappings = relationshipMappings.map { $0.replacing(replacement) }
    return mapping
  }
}

extension PropertyMapping {
  fileprivate func replacing(
    _ replacement: (Expression, _ property: PropertyMapping?) -> Expression?
  ) -> PropertyMapping {
    guard case .expression(let expression) = valueExpression else { return self }
    var mapping = self
    mapping.valueExpression = .expression(expression.replacing { replacement($0, self) })
    return mapping
  }
}
