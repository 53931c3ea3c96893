public import Diagnostics
internal import ObjectModel

extension InferenceObstacle {
  /// The reason for people, with its remedy.
  public var diagnostic: Diagnostic {
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
