internal import ModelMapping

/// The marks of differences between a diagram and another version.
struct DiagramMarks: Hashable, Sendable {
  /// The kinds of differences.
  enum Mark: String, Hashable, Sendable, CaseIterable {
    case added, removed, renamed, changed

    /// The sign for it where colors are not visible.
    var sign: String {
      switch self {
      case .added: "+"
      case .removed: "\u{2212}"
      case .renamed: "\u{2192}"
      case .changed: "~"
      }
    }
  }

  /// The note on one entity or property.
  struct Note: Hashable, Sendable {
    var mark: Mark
    /// Its name in the other version, if it differs.
    var otherName: String?
  }

  /// Something of an entity that differs, in a few words.
  struct Remark: Hashable, Sendable {
    let mark: Mark
    let text: String
  }

  /// Which of two versions a diagram shows.
  enum Side: Hashable, Sendable {
    case before, after
  }

  let side: Side
  private(set) var entities: [String: Note] = [:]
  private(set) var properties: [String: [String: Note]] = [:]
  /// The differences of entities besides their properties and names.
  private(set) var remarks: [String: [Remark]] = [:]
  /// The labels of enumerations that one version lacks, by entity and attribute.
  private(set) var labels: [String: [String: [Remark]]] = [:]
  /// The source's names of renamed entities of the destination.
  private(set) var formerNames: [String: String] = [:]

  /// Creates no marks.
  init() {
    side = .after
  }

  /// Marks the differences, as one side sees them.
  init(_ side: Side, of difference: ModelDifference) {
    self.side = side
    var formerProperties: [String: [String: String]] = [:]
    for change in difference.changes {
      guard let before = change.before else { continue }
      if change.kind == .entityRenamed { formerNames[change.entityName] = before }
      guard let property = change.propertyName, change.kind.mark == .renamed else { continue }
      formerProperties[change.entityName, default: [:]][property] = before
    }
    for change in difference.changes {
      guard let mark = change.kind.mark else { continue }
      // Removed entities have their own names, all others those of the destination.
      let isGone = change.kind == .entityRemoved
      let former = isGone ? nil : formerNames[change.entityName]
      let entity = side == .before ? former ?? change.entityName : change.entityName
      guard let property = change.propertyName else {
        if let remark = change.remark(side) {
          if remark.mark.isSeen(from: side) { remarks[entity, default: []].append(remark) }
          note(.changed, entity, nil)
        } else if mark.isSeen(from: side) {
          note(mark, entity, change.otherName(side))
        }
        continue
      }
      note(.changed, entity, nil)
      guard mark.isSeen(from: side) else { continue }
      let formerProperty =
        mark == .removed ? nil : formerProperties[change.entityName]?[property]
      let name = side == .before ? formerProperty ?? property : property
      note(mark, entity, property: name, mark == .renamed ? change.otherName(side) : nil)
      if let changed = change.changedLabels {
        let (mark, names) =
          side == .before ? (Mark.removed, changed.removed) : (.added, changed.added)
        labels[entity, default: [:]][name] = names.map { Remark(mark: mark, text: $0) }
      }
    }
  }

  func note(ofEntity name: String) -> Note? { entities[name] }

  func note(ofProperty name: String, of entity: String) -> Note? { properties[entity]?[name] }

  /// An addition, a removal or a renaming is the most important mark of an entity; its properties
  /// show the rest.
  private mutating func note(_ mark: Mark, _ entity: String, _ otherName: String?) {
    if mark == .changed, entities[entity] != nil { return }
    entities[entity] = Note(mark: mark, otherName: otherName)
  }

  private mutating func note(
    _ mark: Mark,
    _ entity: String,
    property: String,
    _ otherName: String?
  ) {
    var note = properties[entity]?[property] ?? Note(mark: mark)
    note.otherName = note.otherName ?? otherName
    if note.mark == .renamed { note.mark = mark }
    properties[entity, default: [:]][property] = note
  }
}

extension DiagramMarks.Mark {
  fileprivate func isSeen(from side: DiagramMarks.Side) -> Bool {
    switch (self, side) {
    case (.added, .before), (.removed, .after): false
    case (.added, .after), (.removed, .before), (.renamed, _), (.changed, _): true
    }
  }
}

extension ModelChange {
  fileprivate func otherName(_ side: DiagramMarks.Side) -> String? {
    guard kind.mark == .renamed else { return nil }
    return side == .before ? after : before
  }
}

extension ModelChange {
  /// The remark on an entity besides its properties and its name, as one side sees it.
  fileprivate func remark(_ side: DiagramMarks.Side) -> DiagramMarks.Remark? {
    let here = side == .before ? before : after
    func remark(_ mark: DiagramMarks.Mark, _ text: String) -> DiagramMarks.Remark {
      DiagramMarks.Remark(mark: mark, text: here.map { "\(text) \($0)" } ?? text)
    }
    switch kind {
    case .uniquenessAdded: return DiagramMarks.Remark(mark: .added, text: "unique \(after ?? "")")
    case .uniquenessRemoved:
      return DiagramMarks.Remark(mark: .removed, text: "unique \(before ?? "")")
    case .indexAdded: return DiagramMarks.Remark(mark: .added, text: "index \(after ?? "")")
    case .indexRemoved: return DiagramMarks.Remark(mark: .removed, text: "index \(before ?? "")")
    case .checkAdded: return DiagramMarks.Remark(mark: .added, text: "check \(after ?? "")")
    case .checkRemoved: return DiagramMarks.Remark(mark: .removed, text: "check \(before ?? "")")
    case .objectNameAdded:
      return DiagramMarks.Remark(mark: .added, text: "name \(after ?? "")")
    case .objectNameRemoved:
      return DiagramMarks.Remark(mark: .removed, text: "name \(before ?? "")")
    case .parentChanged: return remark(.changed, "parent")
    case .abstractChanged: return remark(.changed, "abstract:")
    case .tableChanged: return remark(.changed, "table")
    case .keyChanged: return remark(.changed, "key")
    case .storageChanged: return remark(.changed, "storage")
    case .partitioningChanged: return remark(.changed, "partitioning")
    case .distributionChanged: return remark(.changed, "distribution")
    case .hashModifierChanged:
      return propertyName == nil ? remark(.changed, "hash modifier") : nil
    case .entityAdded, .entityRemoved, .entityRenamed, .renamingIdentifierChanged, .attributeAdded,
      .attributeRemoved, .attributeRenamed, .relationshipAdded, .relationshipRemoved,
      .relationshipRenamed, .typeChanged, .optionalChanged, .defaultChanged, .derivationChanged,
      .transientChanged, .columnChanged, .validationChanged, .destinationChanged, .inverseChanged,
      .toManyChanged, .orderedChanged, .countsChanged, .deleteRuleChanged, .joinTableChanged,
      .generationChanged, .numberingChanged, .referenceChanged, .layoutChanged:
      return nil
    }
  }
}

extension ModelChange.Kind {
  /// The mark of the change; a renaming identifier has none, since it changes nothing itself.
  fileprivate var mark: DiagramMarks.Mark? {
    switch self {
    case .entityAdded, .attributeAdded, .relationshipAdded: .added
    case .entityRemoved, .attributeRemoved, .relationshipRemoved: .removed
    case .entityRenamed, .attributeRenamed, .relationshipRenamed: .renamed
    case .renamingIdentifierChanged: nil
    case .parentChanged, .abstractChanged, .tableChanged, .keyChanged, .storageChanged,
      .partitioningChanged, .distributionChanged, .uniquenessAdded,
      .uniquenessRemoved, .indexAdded, .indexRemoved, .typeChanged, .optionalChanged,
      .defaultChanged, .derivationChanged, .transientChanged, .columnChanged, .validationChanged,
      .hashModifierChanged, .destinationChanged, .inverseChanged, .toManyChanged,
      .orderedChanged, .countsChanged, .deleteRuleChanged, .joinTableChanged, .checkAdded,
      .checkRemoved, .objectNameAdded, .objectNameRemoved, .generationChanged, .numberingChanged,
      .referenceChanged, .layoutChanged:
      .changed
    }
  }
}
