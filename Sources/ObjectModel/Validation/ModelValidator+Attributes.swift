import Diagnostics

/// Attributes and composites.
extension ModelValidator {
  mutating func checkAttribute(_ attribute: AttributeDescription, at element: ModelElement) {
    checkStorageName(attribute.columnName, .column, of: element)
    checkType(attribute, at: element)
    checkBounds(attribute, at: element)
    checkServerSettings(attribute, at: element)
    guard let value = attribute.defaultValue else { return }
    if !value.isConstant(of: attribute.type) {
      add(.defaultValueOfOtherType(value, attribute.type), to: element)
    }
    switch value {
    case .string(let text), .text(let text):
      if text.utf8.contains(0) { add(.nulInDefaultValue, to: element) }
    case .boolean, .integer, .decimal, .double, .date, .uuid: break
    }
  }

  private mutating func checkType(_ attribute: AttributeDescription, at element: ModelElement) {
    if attribute.type == .undefined, !attribute.isTransient {
      add(.undefinedType, to: element)
    }
    if case .composite(let name) = attribute.type, !compositeNames.contains(name) {
      let suggestion = similar(to: name, among: compositeNames)
      add(.unrecognizedComposite(name, suggestion: suggestion), to: element)
    }
  }

  private mutating func checkBounds(_ attribute: AttributeDescription, at element: ModelElement) {
    let validation = attribute.validation
    for bound in [validation.minimum, validation.maximum] {
      guard let bound, canonicalDecimal(bound) == nil else { continue }
      add(.boundIsNoNumber(bound), to: element)
    }
    if let minimum = validation.minimum, let maximum = validation.maximum,
      let least = Double(minimum), let greatest = Double(maximum), least > greatest
    {
      add(.reversedBounds(minimum: minimum, maximum: maximum), to: element)
    }
    for length in [validation.minimumLength, validation.maximumLength] {
      if let length, length < 0 { add(.negativeCount(length), to: element) }
    }
    if let minimum = validation.minimumLength, let maximum = validation.maximumLength,
      minimum > maximum
    {
      add(.reversedBounds(minimum: String(minimum), maximum: String(maximum)), to: element)
    }
  }

  mutating func checkComposites() {
    var indexByName: [String: Int] = [:]
    for (index, composite) in model.composites.enumerated() {
      checkName(composite.name, of: .composite(index))
      if composite.elements.isEmpty { add(.emptyComposite, to: .composite(index), .warning) }
      if indexByName[composite.name] == nil {
        indexByName[composite.name] = index
      } else {
        add(.duplicateName, to: .composite(index))
      }
      checkElements(of: composite, at: index)
    }
    checkCompositeCycles(indexByName)
  }

  private mutating func checkElements(of composite: CompositeDescription, at index: Int) {
    var names: Set<String> = []
    var canonicalNames = CanonicalNames()
    for (position, attribute) in composite.elements.enumerated() {
      let element = ModelElement.compositeElement(composite: index, position)
      checkName(attribute.name, of: element)
      checkAttribute(attribute, at: element)
      guard names.insert(attribute.name).inserted else {
        add(.duplicateName, to: element)
        continue
      }
      add(canonicalNames.insert(attribute.name, attribute.canonicalName, element).complaint)
    }
  }

  /// Takes away composites whose parts are all taken away, until only those are left that consist
  /// of themselves or lead to one that does; then follows each of these to its cycle.
  private mutating func checkCompositeCycles(_ indexByName: [String: Int]) {
    let parts = model.composites.map { composite in
      composite.elements.compactMap { element -> Int? in
        guard case .composite(let name) = element.type else { return nil }
        return indexByName[name]
      }
    }
    var users = [[Int]](repeating: [], count: parts.count)
    for (index, parts) in parts.enumerated() {
      for part in parts { users[part].append(index) }
    }
    var partsLeft = parts.map(\.count)
    var finished = partsLeft.indices.filter { partsLeft[$0] == 0 }
    var columns = [Int](repeating: 0, count: parts.count)
    var depths = [Int](repeating: 1, count: parts.count)
    while let part = finished.popLast() {
      // Nested composites multiply, so check the number of columns before following them.
      let plain = model.composites[part].elements.count - parts[part].count
      columns[part] = min(100_000, parts[part].reduce(plain) { $0 + columns[$1] })
      depths[part] = 1 + (parts[part].map { depths[$0] }.max() ?? 0)
      if columns[part] > 1600 || depths[part] > 16 {
        add(.oversizedComposite, to: .composite(part))
      }
      for user in users[part] {
        partsLeft[user] -= 1
        if partsLeft[user] == 0 { finished.append(user) }
      }
    }
    var isDone = partsLeft.map { $0 == 0 }
    for start in isDone.indices where !isDone[start] {
      var path: [Int] = []
      var positions: [Int: Int] = [:]
      var current: Int? = start
      while let index = current, !isDone[index], positions[index] == nil {
        positions[index] = path.count
        path.append(index)
        current = parts[index].first { partsLeft[$0] > 0 }
      }
      for index in path { isDone[index] = true }
      guard let closing = current, let position = positions[closing] else { continue }
      let names = (path[position...] + [closing]).map { model.composites[$0].name }
      add(.cyclicComposites(names), to: .composite(closing))
    }
  }
}
