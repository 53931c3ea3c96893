import RemodelKit

extension InferenceReport: Report {
  var json: [String: JSONValue] {
    [
      "source": .string(source.name),
      "sourceChecksum": .string(source.checksum.text),
      "target": .string(target.name),
      "targetChecksum": .string(target.checksum.text),
      "entityMappings": .array(mappings.map(\.json)),
      "preconditions": .array(step.preconditions.map { .object($0.json) }),
      "retained": .retained(step.retained),
      "warnings": .diagnostics(step.warnings),
    ]
  }

  func lines(_ style: TextStyle) -> [String] {
    var lines = [
      style.bold("\(versionName(source.name)) -> \(versionName(target.name))")
        + ", inferred: \(counted(mappings.count, "entity mapping"))"
    ]
    lines += mappings.flatMap { $0.lines(indentation: 2) }
    if !step.preconditions.isEmpty {
      lines.append("  requires of the rows")
      lines += step.preconditions.map { "    \($0.requirement)" }
    }
    lines += step.retained.map { "  retained: \($0.summary)" }
    return lines
  }

  private var mappings: [EntityMapping] { step.mappingModel?.entityMappings ?? [] }
}

extension EntityMapping {
  /// The mapping for people: what it does, then where each value comes from.
  func lines(indentation: Int) -> [String] {
    let margin = String(repeating: " ", count: indentation)
    let subject: String
    switch (sourceEntityName, destinationEntityName) {
    case (let source?, let destination?) where source != destination:
      subject = "\(source) -> \(destination)"
    case (let source, let destination):
      subject = destination ?? source ?? name
    }
    // A copy is what its name says.
    guard type == .transform else { return ["\(margin)\(type.rawValue) \(subject)"] }
    var table = TextTable()
    for mapping in attributeMappings + relationshipMappings {
      table.add(mapping.name, mapping.origin)
      for element in mapping.elementMappings where element.path != element.sourcePath {
        table.add(
          "\(mapping.name).\(element.path.joined(separator: "."))",
          "= \(element.sourcePath?.joined(separator: ".") ?? "default")"
        )
      }
    }
    return ["\(margin)\(type.rawValue) \(subject)"] + table.lines(indentation: indentation + 2)
  }

  fileprivate var json: JSONValue {
    [
      "name": .string(name),
      "type": .string(type.rawValue),
      "source": .optional(sourceEntityName),
      "destination": .optional(destinationEntityName),
      "attributes": .array(attributeMappings.map(\.json)),
      "relationships": .array(relationshipMappings.map(\.json)),
    ]
  }
}

extension PropertyMapping {
  fileprivate var json: JSONValue {
    ["name": .string(name), "value": .optional(valueExpression?.description)]
  }

  /// Where the value comes from, for people.
  var origin: String {
    switch valueExpression {
    case .sourceAttribute(let source): "= \(source)"
    case .destinationInstances(let source): "= \(source), as mapped"
    case .expression(let expression): "= \(expression)"
    case nil: "= default"
    }
  }
}
