extension ModelChange: CustomStringConvertible {
  /// The change as a line for people.
  public var description: String {
    let subject = propertyName.map { "\(entityName).\($0)" } ?? entityName
    let from = before ?? "none"
    let to = after ?? "none"
    switch kind {
    case .entityAdded: return "entity \(subject) added"
    case .entityRemoved: return "entity \(subject) removed"
    case .entityRenamed: return "entity \(from) renamed to \(to)"
    case .attributeAdded: return "attribute \(subject) added: \(to)"
    case .attributeRemoved: return "attribute \(subject) removed: \(from)"
    case .attributeRenamed: return "attribute \(entityName).\(from) renamed to \(to)"
    case .relationshipAdded: return "relationship \(subject) added: \(to)"
    case .relationshipRemoved: return "relationship \(subject) removed: \(from)"
    case .relationshipRenamed: return "relationship \(entityName).\(from) renamed to \(to)"
    case .uniquenessAdded: return "\(subject): unique (\(to)) added"
    case .uniquenessRemoved: return "\(subject): unique (\(from)) removed"
    case .indexAdded: return "\(subject): index (\(to)) added"
    case .indexRemoved: return "\(subject): index (\(from)) removed"
    case .parentChanged: return "\(subject): parent changed from \(from) to \(to)"
    case .abstractChanged: return "\(subject): abstract changed from \(from) to \(to)"
    case .tableChanged: return "\(subject): table changed from \(from) to \(to)"
    case .keyChanged: return "\(subject): key changed from \(from) to \(to)"
    case .typeChanged: return "\(subject): type changed from \(from) to \(to)"
    case .optionalChanged: return "\(subject): optional changed from \(from) to \(to)"
    case .defaultChanged: return "\(subject): default changed from \(from) to \(to)"
    case .derivationChanged: return "\(subject): derivation changed from \(from) to \(to)"
    case .transientChanged: return "\(subject): transient changed from \(from) to \(to)"
    case .columnChanged: return "\(subject): column changed from \(from) to \(to)"
    case .validationChanged: return "\(subject): validation changed"
    case .hashModifierChanged: return "\(subject): hash modifier changed from \(from) to \(to)"
    case .renamingIdentifierChanged:
      return "\(subject): renaming identifier changed from \(from) to \(to)"
    case .destinationChanged: return "\(subject): destination changed from \(from) to \(to)"
    case .inverseChanged: return "\(subject): inverse changed from \(from) to \(to)"
    case .toManyChanged: return "\(subject): to-many changed from \(from) to \(to)"
    case .orderedChanged: return "\(subject): ordered changed from \(from) to \(to)"
    case .countsChanged: return "\(subject): count changed from \(from) to \(to)"
    case .deleteRuleChanged: return "\(subject): delete rule changed from \(from) to \(to)"
    case .joinTableChanged: return "\(subject): join table changed from \(from) to \(to)"
    }
  }
}
