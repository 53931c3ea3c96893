import RemodelKit

extension CompleteMappingReport: Report {
  var json: [String: JSONValue] {
    [
      "source": .string(source.name),
      "sourceChecksum": .string(source.checksum.text),
      "target": .string(target.name),
      "targetChecksum": .string(target.checksum.text),
      "entityMappings": .array(mappingModel.entityMappings.map(json)),
      "yaml": .string(yaml),
      "warnings": .diagnostics(warnings),
    ]
  }

  private func json(_ mapping: EntityMapping) -> JSONValue {
    let authored = authored(mapping)
    return [
      "name": .string(mapping.name),
      "type": .string(mapping.type.rawValue),
      "source": .optional(mapping.sourceEntityName),
      "destination": .optional(mapping.destinationEntityName),
      "authored": .bool(authored != nil),
      "policy": .optional(mapping.policyClassName),
      "attributes": json(mapping.attributeMappings, authored?.attributeMappings),
      "relationships": json(mapping.relationshipMappings, authored?.relationshipMappings),
    ]
  }

  private func json(_ mappings: [PropertyMapping], _ authored: [PropertyMapping]?) -> JSONValue {
    .array(
      mappings.map { mapping in
        [
          "name": .string(mapping.name),
          "value": .optional(mapping.valueExpression?.description),
          "authored": .bool(authored?.contains { $0.name == mapping.name } ?? false),
        ]
      }
    )
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
    // Of the others, the type says all there is to say.
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
