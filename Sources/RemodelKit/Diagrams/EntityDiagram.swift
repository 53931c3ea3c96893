public import ObjectModel

/// The entities of a version as a picture: what they inherit, have and lead to.
///
/// ```swift
/// let version = try remodel.version("2")
/// print(EntityDiagram(of: version.model).mermaid)
/// ```
///
/// The same model gives the same text.
public struct EntityDiagram: Hashable, Sendable {
  /// Everything that has a box, entities before composites, in the order of the model.
  let boxes: [Box]
  let lines: [Line]

  /// A box with a name and lines of text.
  struct Box: Hashable, Sendable {
    /// What lines refer to it by; names may be anything.
    let identifier: String
    let name: String
    /// What it is, where it is no plain entity.
    let kind: String?
    let properties: [String]
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
      /// How many there can be at the end that it leads to.
      let count: String
    }
  }

  /// Draws a model.
  public init(of model: ManagedObjectModel) {
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
          properties: entity.attributes.map(\.diagramText)
        )
      }
      + model.composites.enumerated().map { index, composite in
        Box(
          identifier: "C\(index)",
          name: composite.name,
          kind: "composite",
          properties: composite.elements.map(\.diagramText)
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
  fileprivate var diagramText: String {
    let derivation = derivationExpression == nil ? "" : " derived"
    return "\(name): \(type)\(isOptional ? "?" : "")\(derivation)\(isTransient ? " transient" : "")"
  }
}

extension RelationshipDescription {
  fileprivate var diagramEnd: EntityDiagram.Line.End {
    let most = isToMany ? (maximumCount == 0 ? "*" : String(maximumCount)) : "1"
    let least = effectiveMinimumCount
    let count = String(least) == most ? most : "\(least)..\(most)"
    let remark = isOrdered ? " ordered" : ""
    return EntityDiagram.Line.End(name: name + remark, count: count)
  }
}
