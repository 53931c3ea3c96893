/// A piece of SQL in a mapping model.
package struct WrittenMappingSQL: Hashable, Sendable {
  /// The part of the mapping model that it is in.
  package let element: MappingElement
  /// The SQL; each placeholder is a constant in it.
  package let text: String
  /// A Boolean value that indicates whether it is statements; else it is a value.
  package let isStatements: Bool
}

extension MappingModel {
  /// The SQL in the mapping model, in the order in which it runs: first the SQL before any change,
  /// then the SQL that creates rows, then the SQL afterwards.
  package var writtenSQL: [WrittenMappingSQL] {
    var pieces = before.enumerated().map { statements($1, .before($0)) }
    for (index, mapping) in entityMappings.enumerated() {
      guard let template = mapping.policy.statements[.begin] else { continue }
      pieces.append(statements(template, .stage(entityMapping: index, .begin)))
    }
    for (index, mapping) in entityMappings.enumerated() {
      for (position, property) in mapping.attributeMappings.enumerated() {
        let element = MappingElement.attributeMapping(entityMapping: index, position)
        pieces += values(property.valueExpression, element)
      }
      for (position, property) in mapping.relationshipMappings.enumerated() {
        let element = MappingElement.relationshipMapping(entityMapping: index, position)
        pieces += values(property.valueExpression, element)
      }
      pieces += values(mapping.condition?.parts ?? [], .condition(entityMapping: index))
      for (position, key) in (mapping.distinct?.keys ?? []).enumerated() {
        pieces += values(key.parts, .distinctKey(entityMapping: index, position))
      }
      for (position, order) in (mapping.distinct?.order ?? []).enumerated() {
        pieces += values(order.expression.parts, .distinctOrder(entityMapping: index, position))
      }
      for stage in SQLMigrationPolicy.Stage.allCases where stage != .begin {
        guard let template = mapping.policy.statements[stage] else { continue }
        pieces.append(statements(template, .stage(entityMapping: index, stage)))
      }
    }
    return pieces + after.enumerated().map { statements($1, .after($0)) }
  }

  private func statements(
    _ template: SQLTemplate,
    _ element: MappingElement
  ) -> WrittenMappingSQL {
    WrittenMappingSQL(element: element, text: template.constantText, isStatements: true)
  }

  private func values(
    _ value: ValueExpression?,
    _ element: MappingElement
  ) -> [WrittenMappingSQL] {
    guard case .expression(let expression)? = value else { return [] }
    return values(expression.parts, element)
  }

  private func values(_ parts: [Expression], _ element: MappingElement) -> [WrittenMappingSQL] {
    parts.compactMap { part in
      guard case .sql(let text) = part, let template = try? SQLTemplate(parsing: text) else {
        return nil
      }
      return WrittenMappingSQL(element: element, text: template.constantText, isStatements: false)
    }
  }
}

extension SQLTemplate {
  /// The text with a constant in place of each placeholder, which is then no name that is looked up.
  fileprivate var constantText: String {
    segments.map { segment in
      switch segment {
      case .text(let text): text
      case .placeholder: "(0)"
      }
    }.joined()
  }
}
