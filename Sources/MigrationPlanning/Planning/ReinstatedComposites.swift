internal import ObjectModel

/// The composites of the source, and those of the destination that are added to them.
struct ReinstatedComposites {
  private(set) var all: [CompositeDescription]
  private let source, destination: ManagedObjectModel
  /// The names of the destination's composites in the model.
  private var names: [String: String] = [:]

  init(from source: ManagedObjectModel, to destination: ManagedObjectModel) {
    (self.source, self.destination) = (source, destination)
    all = source.composites
  }

  /// Returns the type of a destination's attribute in the model; parts that the source lacks, or
  /// that differ there, are added under names of their own.
  mutating func adopted(_ type: AttributeType) -> AttributeType {
    guard case .composite(let name) = type,
      var composite = destination.composite(named: name)
    else { return type }
    if let known = names[name] { return .composite(known) }
    for index in composite.elements.indices {
      composite.elements[index].type = adopted(composite.elements[index].type)
    }
    if !all.contains(composite) {
      composite.name = free(name, among: all.map(\.name))
      all.append(composite)
    }
    names[name] = composite.name
    return .composite(composite.name)
  }

  /// Adds a composite: one of the source, extended by the elements that it has lost.
  ///
  /// - Parameters:
  ///   - formerName: The composite of the source; `nil` if it has no corresponding one.
  ///   - name: The composite of the destination.
  ///   - missing: The paths of the elements in the composite of the destination.
  ///   - paths: Gets the paths in the added composite, by those in the destination.
  /// - Returns: The name of the added composite.
  mutating func extended(
    _ formerName: String?,
    by name: String,
    _ missing: [[String]],
    _ paths: inout [[String]: [String]]
  ) -> String {
    var elements = formerName.flatMap { source.composite(named: $0) }?.elements ?? []
    for element in destination.composite(named: name)?.elements ?? [] {
      let below = missing.filter { $0.first == element.name }.map { Array($0.dropFirst()) }
      guard !below.isEmpty else { continue }
      let index = elements.firstIndex { $0.canonicalName == element.canonicalName }
      var added = index.map { elements[$0] } ?? element
      if index == nil {
        added.name = free(element.name, among: elements.map(\.name))
        added.renamingIdentifier = element.canonicalName
        added.isOptional = true
      }
      if case .composite(let inner) = element.type {
        var innerPaths: [[String]: [String]] = [:]
        var formerInner: String?
        if index != nil, case .composite(let name) = added.type { formerInner = name }
        added.type = .composite(extended(formerInner, by: inner, below, &innerPaths))
        for (path, innerPath) in innerPaths {
          paths[[element.name] + path] = [added.name] + innerPath
        }
      } else {
        paths[[element.name]] = [added.name]
      }
      if let index { elements[index] = added } else { elements.append(added) }
    }
    let composite = CompositeDescription(
      name: free(formerName ?? name, among: all.map(\.name)),
      elements: elements
    )
    all.append(composite)
    return composite.name
  }
}

/// Returns a name that nothing else has.
func free(_ name: String, among taken: some Collection<String>) -> String {
  guard taken.contains(name) else { return name }
  var count = 2
  while taken.contains("\(name) (\(count))") { count += 1 }
  return "\(name) (\(count))"
}
