internal import ObjectModel

extension ModelChange: CustomStringConvertible {
  /// The change as a line for people.
  public var description: String { description(arrow: "->") }

  /// Returns the change as a line for people.
  ///
  /// - Parameter arrow: The arrow between what was and what will be.
  /// - Returns: The text.
  package func description(arrow: String) -> String {
    switch kind {
    case .entityAdded, .entityRemoved: "\(entityName) \(phrase(arrow: arrow))"
    case .entityRenamed, .layoutChanged: phrase(arrow: arrow)
    default: "\(entityName)\(isAttributed ? "." : ": ")\(phrase(arrow: arrow))"
    }
  }

  /// Returns the change without the name of the entity.
  ///
  /// - Parameter arrow: The arrow between what was and what will be.
  /// - Returns: The text.
  package func phrase(arrow: String) -> String {
    let name = propertyName.map { "\($0) " } ?? ""
    let from = before ?? "none"
    let to = after ?? "none"
    func becomes(_ word: String) -> String {
      after == "yes" ? "\(name)becomes \(word)" : "\(name)is no longer \(word)"
    }
    func changes(_ word: String) -> String {
      "\(propertyName.map { "\($0): " } ?? "")\(word) \(from) \(arrow) \(to)"
    }
    switch kind {
    case .entityAdded: return "is added"
    case .entityRemoved: return "is removed"
    case .entityRenamed, .attributeRenamed, .relationshipRenamed: return "\(from) \(arrow) \(to)"
    case .attributeAdded, .relationshipAdded: return "\(name)(\(to)) is added"
    case .attributeRemoved, .relationshipRemoved: return "\(name)(\(from)) is removed"
    case .uniquenessAdded: return "unique (\(to)) is added"
    case .uniquenessRemoved: return "unique (\(from)) is removed"
    case .indexAdded: return "index (\(to)) is added"
    case .indexRemoved: return "index (\(from)) is removed"
    case .checkAdded: return "check \(to) is added"
    case .checkRemoved: return "check \(from) is removed"
    case .objectNameAdded: return "name \(to) is added"
    case .objectNameRemoved: return "name \(from) is removed"
    case .typeChanged:
      guard let labels = changedLabels, !labels.isEmpty else { return changes("type") }
      return "\(name)\(labels.phrase)"
    case .optionalChanged:
      return "\(name)becomes \(after == "yes" ? "optional" : "required")"
    case .toManyChanged: return "\(name)becomes \(after == "yes" ? "to-many" : "to-one")"
    case .abstractChanged: return becomes("abstract")
    case .transientChanged: return becomes("transient")
    case .orderedChanged: return becomes("ordered")
    case .validationChanged: return "\(name)validation changes"
    case .defaultChanged: return changes("default")
    case .generationChanged: return changes("generation")
    case .numberingChanged: return changes("numbering")
    case .referenceChanged: return changes("reference")
    case .parentChanged: return changes("parent")
    case .tableChanged: return changes("table")
    case .storageChanged: return changes("storage")
    case .partitioningChanged: return changes("partitioning")
    case .distributionChanged: return changes("distribution")
    case .keyChanged: return changes("key")
    case .derivationChanged: return changes("derivation")
    case .columnChanged: return changes("column")
    case .hashModifierChanged: return changes("hash modifier")
    case .renamingIdentifierChanged: return changes("renaming identifier")
    case .destinationChanged: return changes("destination")
    case .inverseChanged: return changes("inverse")
    case .countsChanged: return changes("count")
    case .deleteRuleChanged: return changes("delete rule")
    case .joinTableChanged: return changes("join table")
    case .layoutChanged: return changes("layout")
    }
  }
}

extension ModelChange {
  /// A Boolean value that indicates whether it is a change of one thing that a property has.
  private var isAttributed: Bool {
    guard propertyName != nil else { return false }
    return switch kind {
    case .typeChanged: changedLabels?.isEmpty ?? true
    case .defaultChanged, .generationChanged, .numberingChanged, .referenceChanged,
      .derivationChanged, .columnChanged, .hashModifierChanged, .renamingIdentifierChanged,
      .destinationChanged, .inverseChanged, .countsChanged, .deleteRuleChanged, .joinTableChanged:
      true
    default: false
    }
  }

  /// The labels that an enumeration gets and loses.
  package struct ChangedLabels: Hashable, Sendable {
    /// The labels that only the version afterwards has.
    package let added: [String]
    /// The labels that only the version before has.
    package let removed: [String]

    package var isEmpty: Bool { added.isEmpty && removed.isEmpty }

    fileprivate var phrase: String {
      func part(_ verb: String, _ labels: [String]) -> String? {
        labels.isEmpty
          ? nil
          : "\(verb) the label\(labels.count == 1 ? "" : "s") \(labels.joined(separator: ", "))"
      }
      return [part("gets", added), part("loses", removed)].compactMap(\.self)
        .joined(separator: " and ")
    }
  }

  /// The labels that differ where an enumeration stays one; `nil` for any other change.
  package var changedLabels: ChangedLabels? {
    guard kind == .typeChanged, case .enumeration(let old)? = before.flatMap(AttributeType.init),
      case .enumeration(let new)? = after.flatMap(AttributeType.init)
    else { return nil }
    return ChangedLabels(
      added: new.filter { !old.contains($0) },
      removed: old.filter { !new.contains($0) }
    )
  }
}
