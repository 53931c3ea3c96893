package import Diagnostics
package import ObjectModel

/// A reason why no mapping can be inferred between two versions.
package struct InferenceObstacle: Hashable, Sendable {
  /// The name of the entity in the destination, or in the source if the destination does not have
  /// it.
  package let entityName: String
  /// The property, if the reason is one of a property; with the elements of a composite, a key path.
  package let propertyName: String?
  /// The obstacle.
  package let reason: Reason

  /// The obstacles to inference.
  package enum Reason: Hashable, Sendable {
    /// No value of the one type is a value of the other.
    case incompatibleTypes(before: AttributeType, after: AttributeType)
    /// Rows of several hierarchies would have to become one.
    case mergedHierarchies(roots: [String], entities: [MergedEntity])
    /// The destination has become an unrelated entity.
    case incompatibleDestination(before: String, after: String)
    /// A renaming identifier that nothing ever had.
    case danglingIdentifier(String, probably: String?)
    /// The key of the rows would have to change its type, or where its values come from.
    case changedKey(before: KeyDescription, after: KeyDescription)
  }

  /// An entity of a hierarchy that would be merged with others.
  package struct MergedEntity: Hashable, Sendable {
    /// Its name in the source.
    package let sourceName: String
    /// Its name in the destination.
    package let destinationName: String

    package init(sourceName: String, destinationName: String) {
      self.sourceName = sourceName
      self.destinationName = destinationName
    }
  }
}

extension InferenceObstacle {
  /// Core Data's error code for this case.
  package var coreDataError: Int? {
    switch reason {
    case .incompatibleTypes, .mergedHierarchies, .incompatibleDestination: 134_190
    case .danglingIdentifier, .changedKey: nil
    }
  }
}

extension InferenceObstacle {
  /// The reason for people, with its remedy.
  package var diagnostic: Diagnostic {
    Diagnostic(
      "cannot infer a mapping for \(subject)",
      detail: detail + (coreDataError.map { " (Core Data error \($0))" } ?? ""),
      hint: hint
    )
  }

  private var subject: String {
    guard let propertyName else { return "entity \"\(entityName)\"" }
    return "property \"\(propertyName)\" of entity \"\(entityName)\""
  }

  private var detail: String {
    switch reason {
    case .incompatibleTypes(let before, let after):
      "Source and destination attribute types are incompatible: \(before) becomes \(after)."
    case .mergedHierarchies(let roots, _):
      "Cannot merge multiple root entity source tables into one destination entity root table: "
        + roots.map { "\"\($0)\"" }.joined(separator: ", ") + "."
    case .incompatibleDestination(let before, let after):
      "The destination changes from \"\(before)\" to the unrelated entity \"\(after)\"."
    case .danglingIdentifier(let identifier, _):
      "The renaming identifier \"\(identifier)\" is a name that neither the source nor any earlier "
        + "version has."
    case .changedKey(let before, let after):
      "The key changes from \(before) to \(after)."
    }
  }

  private var hint: String {
    switch reason {
    case .incompatibleTypes:
      "Add an attribute of the new type under another name and keep the old one, or supply a "
        + "mapping model that has a value expression for it."
    case .mergedHierarchies(_, let entities):
      "Keep the entities in hierarchies of their own, or supply a mapping model with these entity "
        + "mappings:\n" + entities.map(\.mapping).joined(separator: "\n")
    case .incompatibleDestination:
      "Add a relationship under another name and remove this one, or supply a mapping model."
    case .danglingIdentifier(_, let probably?):
      "Did you mean \"\(probably)\"?"
    case .danglingIdentifier(_, nil):
      "Remove the renaming identifier, or set it to the name that this had first."
    case .changedKey:
      "Keep the key, or supply a mapping model."
    }
  }
}

extension InferenceObstacle.MergedEntity {
  /// The entity mapping as the file of a mapping model has it.
  fileprivate var mapping: String {
    "- { source: \(sourceName), destination: \(destinationName) }"
  }
}
