import RemodelKit

extension InferenceReport: Report {
  var json: JSONObject {
    JSONObject(from: source, to: target).merging([
      "entityMappings": mappings,
      "preconditions": step.preconditions,
      "retained": step.retained,
      "warnings": warnings,
    ])
  }

  var warnings: [Diagnostic] { step.warnings }

  var blocks: [Block] {
    Block.title(
      versionNames(source.name, target.name),
      ", inferred: \(counted(mappings.count, "entity mapping"))"
    )
    Block.indented {
      for mapping in mappings { mapping.blocks }
      if !step.preconditions.isEmpty {
        PlanDecision.Heading.rowChecks.lowercased()
        for precondition in step.preconditions { "  \(precondition.requirement)" }
      }
      for object in step.retained { "retained: \(object.summary)" }
    }
  }

  private var mappings: [EntityMapping] { step.mappingModel?.entityMappings ?? [] }
}

extension EntityMapping: JSONKeyed {
  /// The entities that it is about; none if it names none.
  fileprivate var subject: String? {
    let names = [sourceEntityName, destinationEntityName].compactMap(\.self)
    return names.first == names.last ? names.first : names.joined(separator: " -> ")
  }

  /// The mapping for people: what it does, then where each value comes from.
  @BlockBuilder
  var blocks: [Block] {
    "\(type.rawValue) \(subject ?? name)"
    // A copy is what its name says.
    if type == .transform {
      Block.indented {
        for mapping in attributeMappings + relationshipMappings {
          Block.row(mapping.name, mapping.origin)
          for element in mapping.elementMappings where element.path != element.sourcePath {
            Block.row(
              "\(mapping.name).\(element.path.joined(separator: "."))",
              "= \(element.sourcePath?.joined(separator: ".") ?? "default")"
            )
          }
        }
      }
    }
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
      "attributes": marks(mapping.attributeMappings, authored?.attributeMappings),
      "relationships": marks(mapping.relationshipMappings, authored?.relationshipMappings),
    ])
  }

  private func marks(_ all: [PropertyMapping], _ authored: [PropertyMapping]?) -> [JSONObject] {
    all.map { mapping in
      ["authored": authored?.contains { $0.name == mapping.name } ?? false]
    }
  }

  var blocks: [Block] {
    Block.title(
      versionNames(source.name, target.name),
      ": \(counted(mappingModel.entityMappings.count, "entity mapping"))"
    )
    for mapping in mappingModel.entityMappings { blocks(of: mapping) }
  }

  @BlockBuilder
  private func blocks(of mapping: EntityMapping) -> [Block] {
    let authored = authored(mapping)
    Block.text(
      "  \(mark(authored != nil))\(mapping.type.rawValue) \(mapping.subject ?? ""), \"\(mapping.name)\""
    )
    if let condition = mapping.condition { Block.text("    * where \(condition)") }
    if let distinct = mapping.distinct {
      let keys = distinct.keys.map(\.description).joined(separator: ", ")
      Block.text("    * distinct \(keys)")
    }
    if let relationship = mapping.forEach { Block.text("    * for each of \(relationship)") }
    if let policy = mapping.policyClassName { Block.text("    * policy \(policy)") }
    // Of the others, the type says all there is to say.
    if mapping.type == .transform || mapping.type == .custom || authored != nil {
      let authoredNames = Set(
        ((authored?.attributeMappings ?? []) + (authored?.relationshipMappings ?? [])).map(\.name)
      )
      Block.indented(4) {
        for property in mapping.attributeMappings + mapping.relationshipMappings {
          let isMade = mapping.instanceCreation?.attributes.contains(property.name) ?? false
          Block.row(
            mark(isMade || authoredNames.contains(property.name)) + property.name,
            isMade ? "= made by the policy" : property.origin
          )
        }
      }
    }
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

  var blocks: [Block] { Block.text(text) }
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

  var blocks: [Block] {
    if names.isEmpty {
      "there is no mapping model"
    } else {
      let remark = warnings.isEmpty ? "" : ", with \(counted(warnings.count, "warning"))"
      "valid: \(counted(names.count, "mapping model"))\(remark)"
      for name in names { "  \(name)" }
    }
  }
}
