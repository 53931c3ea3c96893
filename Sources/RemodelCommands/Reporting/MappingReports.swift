import RemodelKit

extension InferenceReport: Report {
  var json: JSONObject {
    JSONObject(from: source, to: target).merging([
      "entityMappings": mappings,
      "preconditions": step.preconditions,
      "retained": step.retained,
      "warnings": step.warnings,
    ])
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

extension EntityMapping: JSONKeyed {
  /// The mapping for people: its kind, then the origin of each value.
  func lines(indentation: Int) -> [String] {
    let margin = String(repeating: " ", count: indentation)
    let subject: String
    switch (sourceEntityName, destinationEntityName) {
    case (let source?, let destination?) where source != destination:
      subject = "\(source) -> \(destination)"
    case (let source, let destination):
      subject = destination ?? source ?? name
    }
    // The name of the type describes a copy completely.
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

  var json: JSONObject {
    [
      "name": name,
      "type": type.rawValue,
      "source": sourceEntityName,
      "destination": destinationEntityName,
      "attributes": attributeMappings,
      "relationships": relationshipMappings,
    ]
  }
}

extension PropertyMapping: JSONKeyed {
  var json: JSONObject {
    ["name": name, "value": valueExpression?.description]
  }

  /// The origin of the value, for people.
  var origin: String {
    switch valueExpression {
    case .sourceAttribute(let source): "= \(source)"
    case .destinationInstances(let source): "= \(source), as mapped"
    case .expression(let expression): "= \(expression)"
    case nil: "= default"
    }
  }
}

extension CompleteMappingReport: Report {
  var json: JSONObject {
    JSONObject(from: source, to: target).merging([
      "entityMappings": mappingModel.entityMappings.map(json),
      "yaml": yaml,
      "warnings": warnings,
    ])
  }

  private func json(_ mapping: EntityMapping) -> JSONObject {
    let authored = authored(mapping)
    return mapping.json.merging([
      "authored": authored != nil,
      "policy": mapping.policyClassName,
      "attributes": json(mapping.attributeMappings, authored?.attributeMappings),
      "relationships": json(mapping.relationshipMappings, authored?.relationshipMappings),
    ])
  }

  private func json(_ mappings: [PropertyMapping], _ authored: [PropertyMapping]?) -> [JSONObject] {
    mappings.map { mapping in
      mapping.json.merging([
        "authored": authored?.contains { $0.name == mapping.name } ?? false
      ])
    }
  }

  func lines(_ style: TextStyle) -> [String] {
    let count = counted(mappingModel.entityMappings.count, "entity mapping")
    let pair = "\(versionName(source.name)) -> \(versionName(target.name))"
    return ([style.bold(pair) + ": \(count)"] + mappingModel.entityMappings.flatMap(lines))
      .flatMap(\.lines)
  }

  private func lines(_ mapping: EntityMapping) -> [String] {
    let authored = authored(mapping)
    let names = [mapping.sourceEntityName, mapping.destinationEntityName].compactMap(\.self)
    let subject = names.first == names.last ? names.first ?? "" : names.joined(separator: " -> ")
    let title = "\(mark(authored != nil))\(mapping.type.rawValue) \(subject), \"\(mapping.name)\""
    var lines = ["  \(title)"]
    if let condition = mapping.condition { lines.append("    * where \(condition)") }
    if let distinct = mapping.distinct {
      let keys = distinct.keys.map(\.description).joined(separator: ", ")
      lines.append("    * distinct \(keys)")
    }
    if let relationship = mapping.forEach { lines.append("    * for each of \(relationship)") }
    if let policy = mapping.policyClassName { lines.append("    * policy \(policy)") }
    // The type describes the others completely.
    guard mapping.type == .transform || mapping.type == .custom || authored != nil else {
      return lines
    }
    let authoredNames = Set(
      ((authored?.attributeMappings ?? []) + (authored?.relationshipMappings ?? [])).map(\.name)
    )
    var table = TextTable()
    for property in mapping.attributeMappings + mapping.relationshipMappings {
      let isMade = mapping.instanceCreation?.attributes.contains(property.name) ?? false
      table.add(
        mark(isMade || authoredNames.contains(property.name)) + property.name,
        isMade ? "= made by the policy" : property.origin
      )
    }
    return lines + table.lines(indentation: 4)
  }

  private func mark(_ isAuthored: Bool) -> String { isAuthored ? "* " : "  " }
}

extension MappingFileReport: Report {
  var json: JSONObject {
    [
      "source": source,
      "target": destination,
      "yaml": text,
      "holes": holes,
      "warnings": warnings,
    ]
  }

  func lines(_ style: TextStyle) -> [String] { text.lines }
}

/// The result of a validation of mapping models without complaints.
struct MappingValidationReport: Report {
  let names: [String]
  let warnings: [Diagnostic]

  var json: JSONObject {
    [
      "valid": true,
      "mappings": names,
      "warnings": warnings,
    ]
  }

  func lines(_ style: TextStyle) -> [String] {
    guard !names.isEmpty else { return ["there is no mapping model"] }
    let remark = warnings.isEmpty ? "" : ", with \(counted(warnings.count, "warning"))"
    return ["valid: \(counted(names.count, "mapping model"))\(remark)"] + names.map { "  \($0)" }
  }
}
