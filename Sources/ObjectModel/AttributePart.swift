/// An attribute, or an element of the composite that it consists of, however deep inside.
package struct AttributePart: Hashable, Sendable {
  /// The names of the elements on the way from the attribute; none for the attribute itself.
  package let path: [String]
  /// The attribute or element.
  package let description: AttributeDescription
  /// A Boolean value that indicates whether it has to have a value: so it is only if nothing on the
  /// way to it is optional.
  package let isRequired: Bool

  /// Creates the part that is the whole of an attribute.
  package init(_ attribute: AttributeDescription) {
    self.init(path: [], attribute, isRequired: !attribute.isOptional)
  }

  private init(path: [String], _ description: AttributeDescription, isRequired: Bool) {
    self.path = path
    self.description = description
    self.isRequired = isRequired
  }

  /// The value that rows get that have none: an element of something optional stays without.
  package var defaultValue: AttributeValue? {
    path.isEmpty || isRequired ? description.defaultValue : nil
  }

  func element(_ element: AttributeDescription) -> AttributePart {
    AttributePart(
      path: path + [element.name],
      element,
      isRequired: isRequired && !element.isOptional
    )
  }
}

extension ManagedObjectModel {
  /// Returns the persistent elements that a part consists of, or `nil` if it is no composite.
  package func elements(of part: AttributePart) -> [AttributePart]? {
    guard case .composite(let name) = part.description.type else { return nil }
    // Validated models are not as deep; others must not recurse for ever.
    guard part.path.count < 16 else { return [] }
    let elements = composite(named: name)?.elements ?? []
    return elements.filter { !$0.isTransient }.map(part.element)
  }

  /// Returns the parts of a part that consist of nothing else: itself, or elements of its composite.
  package func leaves(of part: AttributePart) -> [AttributePart] {
    guard let elements = elements(of: part) else { return [part] }
    return elements.flatMap(leaves)
  }
}
