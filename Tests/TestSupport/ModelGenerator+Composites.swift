internal import ObjectModel

extension ModelGenerator {
  /// A change of composites from one version to the next.
  private enum CompositeEdit: CaseIterable {
    case addComposite, addElement, removeElement, renameElement, changeElement, removeAttribute
  }

  /// Adds a composite of a few elements, and an attribute of it.
  mutating func addComposite(to draft: inout ModelDraft) {
    guard let position = draft.entities.indices.randomElement(using: &random) else { return }
    if draft.composites.isEmpty || random.once(in: 2) {
      var elements = (0..<Int.random(in: 1...3, using: &random)).map { _ in element() }
      if let inner = random.pick(draft.composites), random.once(in: 4) {
        elements.append(AttributeDescription(name: name(), type: .composite(inner.name)))
      }
      draft.composites.append(
        CompositeDescription(name: name(capitalized: true), elements: elements)
      )
    }
    guard let composite = random.pick(draft.composites) else { return }
    var attribute = AttributeDescription(name: name(), type: .composite(composite.name))
    attribute.isOptional = true
    draft.entities[position].attributes.append(attribute)
  }

  private mutating func element() -> AttributeDescription {
    var element = attribute()
    element.isTransient = false
    element.isIndexed = false
    element.columnName = nil
    return element
  }

  /// Changes a composite, and with it all attributes of it.
  mutating func editComposites(_ draft: inout ModelDraft) {
    guard let edit = CompositeEdit.allCases.randomElement(using: &random),
      let position = draft.composites.indices.randomElement(using: &random),
      let index = draft.composites[position].elements.indices.randomElement(using: &random)
    else { return addComposite(to: &draft) }
    switch edit {
    case .addComposite: addComposite(to: &draft)
    case .addElement: draft.composites[position].elements.append(element())
    case .removeElement: draft.composites[position].elements.remove(at: index)
    case .renameElement:
      let before = draft.composites[position].elements[index].canonicalName
      draft.composites[position].elements[index].renamingIdentifier = before
      draft.composites[position].elements[index].name = name()
    case .changeElement: draft.composites[position].elements[index].isOptional.toggle()
    case .removeAttribute:
      for entity in draft.entities.indices {
        let attributes = draft.entities[entity].attributes.filter {
          if case .composite = $0.type { true } else { false }
        }
        guard let attribute = attributes.first else { continue }
        return draft.removeAttribute(attribute.name, ofEntityAt: entity)
      }
    }
  }
}
