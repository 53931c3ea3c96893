package import ObjectModel

/// The entities of a version as a picture, with their parents, properties and relationships.
///
/// ```swift
/// let version = try remodel.version("2")
/// print(EntityDiagram(of: version.model).mermaid)
/// ```
///
/// The same model gives the same text.
package struct EntityDiagram: Hashable, Sendable {
  /// Everything that has a box, entities before composites, in the order of the model.
  let boxes: [Box]
  let lines: [Line]

  /// A box with a name and lines of text.
  struct Box: Hashable, Sendable {
    /// Its identifier in lines, since names may contain any characters.
    let identifier: String
    let name: String
    /// Its kind, if it is not a plain entity.
    let kind: String?
    let properties: [Property]
    let relationships: [Relationship]
  }

  /// A line of text in a box.
  struct Property: Hashable, Sendable {
    let name: String
    /// The type, and whatever else is worth a word.
    let detail: String

    var text: String { "\(name): \(detail)" }
  }

  /// A relationship as text in its box.
  struct Relationship: Hashable, Sendable {
    let end: Line.End
    /// The box that it leads to, if there is one.
    let destination: String?
    let destinationName: String
  }

  /// A line between two boxes.
  struct Line: Hashable, Sendable {
    let from: String
    let to: String
    let kind: Kind

    enum Kind: Hashable, Sendable {
      /// The first inherits from the second.
      case inheritance
      /// The first has an attribute that consists of the second.
      case composition(attribute: String)
      /// A relationship of the first leads to the second, and one of the second back if there is one.
      case relationship(End, inverse: End?)
    }

    /// One direction of a relationship.
    struct End: Hashable, Sendable {
      let name: String
      let isOrdered: Bool
      /// How many there can be at the end that it leads to.
      let count: String
      let isMany: Bool
      let isOptional: Bool

      var label: String { isOrdered ? "\(name) ordered" : name }
    }
  }

  /// Draws a model.
  package init(of model: ManagedObjectModel) {
    var identifiers: [String: String] = [:]
    for (index, entity) in model.entities.enumerated() { identifiers[entity.name] = "E\(index)" }
    var composites: [String: String] = [:]
    for (index, composite) in model.composites.enumerated() {
      composites[composite.name] = "C\(index)"
    }
    boxes =
      model.entities.enumerated().map { index, entity in
        Box(
          identifier: "E\(index)",
          name: entity.name,
          kind: entity.isAbstract ? "abstract" : nil,
          properties: entity.attributes.map(\.diagramProperty),
          relationships: entity.relationships.map { relationship in
            Relationship(
              end: relationship.diagramEnd,
              destination: identifiers[relationship.destinationEntityName],
              destinationName: relationship.destinationEntityName
            )
          }
        )
      }
      + model.composites.enumerated().map { index, composite in
        Box(
          identifier: "C\(index)",
          name: composite.name,
          kind: "composite",
          properties: composite.elements.map(\.diagramProperty),
          relationships: []
        )
      }
    let owners =
      model.entities.enumerated().map { ("E\($0)", $1.attributes) }
      + model.composites.enumerated().map { ("C\($0)", $1.elements) }
    lines =
      Self.inheritance(in: model, identifiers)
      + owners.flatMap { owner, attributes in
        attributes.compactMap { attribute -> Line? in
          guard case .composite(let name) = attribute.type, let part = composites[name] else {
            return nil
          }
          return Line(from: owner, to: part, kind: .composition(attribute: attribute.name))
        }
      }
      + Self.relationships(in: model, identifiers)
  }

  private static func inheritance(
    in model: ManagedObjectModel,
    _ identifiers: [String: String]
  ) -> [Line] {
    model.entities.compactMap { entity in
      guard let from = identifiers[entity.name],
        let to = entity.superentityName.flatMap({ identifiers[$0] })
      else { return nil }
      return Line(from: from, to: to, kind: .inheritance)
    }
  }

  /// Two that are inverses of one another are one line, drawn where the first of them stands.
  private static func relationships(
    in model: ManagedObjectModel,
    _ identifiers: [String: String]
  ) -> [Line] {
    var drawn: Set<[String]> = []
    var lines: [Line] = []
    for entity in model.entities {
      for relationship in entity.relationships {
        guard !drawn.contains([entity.name, relationship.name]),
          let from = identifiers[entity.name],
          let to = identifiers[relationship.destinationEntityName]
        else { continue }
        let inverse = model.inverse(of: relationship)
        if let inverse {
          drawn.insert([inverse.declaringEntity.name, inverse.relationship.name])
        }
        lines.append(
          Line(
            from: from,
            to: to,
            kind: .relationship(
              relationship.diagramEnd,
              inverse: inverse?.relationship.diagramEnd
            )
          )
        )
      }
    }
    return lines
  }
}

extension AttributeDescription {
  fileprivate var diagramProperty: EntityDiagram.Property {
    let derivation = derivationExpression == nil ? "" : " derived"
    let transience = isTransient ? " transient" : ""
    return EntityDiagram.Property(
      name: name,
      detail: "\(type)\(isOptional ? "?" : "")\(derivation)\(transience)"
    )
  }
}

extension RelationshipDescription {
  fileprivate var diagramEnd: EntityDiagram.Line.End {
    let most = isToMany ? (maximumCount == 0 ? "*" : String(maximumCount)) : "1"
    let least = effectiveMinimumCount
    let count = String(least) == most ? most : "\(least)..\(most)"
    return EntityDiagram.Line.End(
      name: name,
      isOrdered: isOrdered,
      count: count,
      isMany: most != "1",
      isOptional: least == 0
    )
  }
}
