/// A piece of SQL in a model, which the server gets verbatim.
package struct WrittenModelSQL: Hashable, Sendable {
  /// The kinds of pieces.
  package enum Form: Hashable, Sendable {
    case expression, type
  }

  /// The part of the model that it is in.
  package let element: ModelElement
  /// The kind of the piece.
  package let form: Form
  /// Its role in the part, for people: `the default`.
  package let role: String
  /// The SQL.
  package let text: String
}

extension ManagedObjectModel {
  /// The SQL in the model, in the model's order.
  package var writtenSQL: [WrittenModelSQL] {
    var pieces: [WrittenModelSQL] = []
    for (index, entity) in entities.enumerated() {
      let element = ModelElement.entity(index)
      if case .sql(let text)? = entity.key.generation {
        pieces.append(.init(element: element, form: .expression, role: "the key", text: text))
      }
      pieces += entity.key.attributeType.writtenSQL(of: element)
      for (position, attribute) in entity.attributes.enumerated() {
        pieces += attribute.writtenSQL(at: .attribute(entity: index, position))
      }
      pieces += entity.checks.map {
        .init(
          element: element,
          form: .expression,
          role: "check \"\($0.name)\"",
          text: $0.expression
        )
      }
      for (position, fetchIndex) in entity.fetchIndexes.enumerated() {
        guard let text = fetchIndex.definition else { continue }
        let element = ModelElement.fetchIndex(entity: index, position)
        pieces.append(.init(element: element, form: .expression, role: "the index", text: text))
      }
    }
    for (index, composite) in composites.enumerated() {
      for (position, attribute) in composite.elements.enumerated() {
        pieces += attribute.writtenSQL(at: .compositeElement(composite: index, position))
      }
    }
    return pieces
  }
}

extension AttributeDescription {
  fileprivate func writtenSQL(at element: ModelElement) -> [WrittenModelSQL] {
    var pieces: [WrittenModelSQL] = []
    if let text = defaultExpression {
      pieces.append(.init(element: element, form: .expression, role: "the default", text: text))
    }
    if let text = generationExpression {
      pieces.append(
        .init(element: element, form: .expression, role: "the generated value", text: text)
      )
    }
    return pieces + type.writtenSQL(of: element)
  }
}

extension AttributeType {
  fileprivate func writtenSQL(of element: ModelElement) -> [WrittenModelSQL] {
    if case .array(let type) = self { return type.writtenSQL(of: element) }
    guard case .sql(let text) = self else { return [] }
    return [.init(element: element, form: .type, role: "the type", text: text)]
  }
}
