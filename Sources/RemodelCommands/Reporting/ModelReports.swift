import RemodelKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The versions of a bundle.
struct VersionsReport: Report {
  let versions: [VersionListing]

  var json: JSONObject {
    [
      "versions": versions.map {
        [
          "name": $0.name,
          "path": $0.path,
          "current": $0.isCurrent,
          "checksum": $0.hashes.checksum,
          "layoutDigest": $0.hashes.layoutDigest,
          "entityCount": $0.entityCount,
        ] as JSONObject
      }
    ]
  }

  var blocks: [Block] {
    for version in versions {
      Block.row(
        version.isCurrent ? "*" : "",
        version.name,
        version.hashes.checksum.brief,
        counted(version.entityCount, "entity", plural: "entities"),
        version.path
      )
    }
  }
}

/// A version of a model with all of its contents.
struct ModelReport: Report {
  private let version: LoadedVersion
  private let archive: JSONValue
  var warnings: [Diagnostic] { version.warnings }

  init(_ version: LoadedVersion) throws {
    self.version = version
    let text = try ModelArchive.text(of: version.model)
    archive = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
  }

  var json: JSONObject {
    [
      "version": version.name,
      "path": version.path,
      "current": version.isCurrent,
      "checksum": version.hashes.checksum,
      "layoutDigest": version.hashes.layoutDigest,
      "model": archive,
    ]
  }

  var blocks: [Block] {
    Block.title(
      versionName(version.name),
      "\(version.isCurrent ? ", current" : ""), \(version.hashes.checksum.brief)"
    )
    for entity in version.model.entities {
      ""
      Block.title(entity.name, entity.remarks)
      entity.blocks
    }
  }
}

extension EntityDescription {
  fileprivate var remarks: String {
    var remarks: [String] = []
    if let superentityName { remarks.append("inherits \(superentityName)") }
    if isAbstract { remarks.append("abstract") }
    if let renamingIdentifier { remarks.append("was \(renamingIdentifier)") }
    if let tableName { remarks.append("table \"\(tableName)\"") }
    if key != .bigint { remarks.append("key \(key)") }
    return remarks.isEmpty ? "" : "  " + remarks.joined(separator: ", ")
  }

  @BlockBuilder
  fileprivate var blocks: [Block] {
    Block.indented {
      for attribute in attributes {
        Block.row(
          attribute.name,
          attribute.type.description + (attribute.isOptional ? "?" : ""),
          attribute.remarks
        )
      }
      for relationship in relationships {
        Block.row(
          relationship.name,
          (relationship.isToMany ? "->> " : "-> ") + relationship.destinationEntityName
            + (relationship.isOptional ? "?" : ""),
          relationship.remarks
        )
      }
    }
    for constraint in uniquenessConstraints {
      Block.text("  unique (\(constraint.joined(separator: ", ")))")
    }
    for index in declaredIndexes {
      let elements = index.elements.map { element in
        (element.propertyName ?? element.expression ?? "")
          + (element.isAscending ? "" : " descending")
      }
      let kind = index.isUnique ? "unique index" : "index"
      Block.text(
        "  \(kind) " + (index.definition ?? "(\(elements.joined(separator: ", ")))")
          + (index.partialPredicate.map { " where \($0)" } ?? "")
      )
    }
    for check in checks { Block.text("  check \(check.name) (\(check.expression))") }
    for (key, name) in objectNames.sorted(by: { $0.key < $1.key }) {
      Block.text("  name \(name) for \(key)")
    }
  }
}

extension AttributeDescription {
  fileprivate var remarks: String {
    var remarks: [String] = []
    if let defaultValue { remarks.append("default \(defaultValue)") }
    if let defaultExpression { remarks.append("default SQL \(defaultExpression)") }
    if let generationExpression { remarks.append("generated: \(generationExpression)") }
    if let numbering { remarks.append("numbered: \(numbering.rawValue)") }
    if let derivationExpression { remarks.append("derived: \(derivationExpression)") }
    if isTransient { remarks.append("transient") }
    if let renamingIdentifier { remarks.append("was \(renamingIdentifier)") }
    if let columnName { remarks.append("column \"\(columnName)\"") }
    return remarks.joined(separator: ", ")
  }
}

extension RelationshipDescription {
  fileprivate var remarks: String {
    var remarks: [String] = []
    if let inverseName { remarks.append("inverse \(inverseName)") }
    if isOrdered { remarks.append("ordered") }
    if deleteRule != .nullify { remarks.append(deleteRule.rawValue) }
    if let reference { remarks.append("reference \(reference)") }
    if isTransient { remarks.append("transient") }
    if let renamingIdentifier { remarks.append("was \(renamingIdentifier)") }
    return remarks.joined(separator: ", ")
  }
}

/// The hashes of a version.
struct HashReport: Report {
  let name: String
  let hashes: ModelVersionHashes

  var json: JSONObject {
    [
      "version": name,
      "checksum": hashes.checksum,
      "layoutDigest": hashes.layoutDigest,
      "entities": hashes.entities,
    ]
  }

  var blocks: [Block] {
    Block.row("checksum", hashes.checksum.text)
    Block.row("layout", hashes.layoutDigest.text)
    for (name, hash) in hashes.entities
      .sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) })
    {
      Block.row("entity \(name)", hash.text)
    }
  }
}

/// The result of a validation without complaints.
struct ValidationReport: Report {
  let warnings: [Diagnostic]

  var json: JSONObject {
    ["valid": true, "warnings": warnings]
  }

  var blocks: [Block] {
    warnings.isEmpty ? "valid" : "valid, with \(counted(warnings.count, "warning"))"
  }
}

/// The differences between two versions.
struct DifferenceReport: Report {
  let source: VersionReference
  let target: VersionReference
  let difference: ModelDifference

  var json: JSONObject {
    JSONObject(from: source, to: target).merging([
      "sameHashes": source.checksum == target.checksum,
      "changes": difference.changes.map {
        [
          "kind": $0.kind.rawValue,
          "entity": $0.entityName.isEmpty ? nil : $0.entityName,
          "property": $0.propertyName,
          "before": $0.before,
          "after": $0.after,
          "description": $0.description,
        ] as JSONObject
      },
    ])
  }

  var blocks: [Block] {
    if difference.changes.isEmpty { "no difference" }
    for change in difference.changes { Block.text(change.description) }
  }
}

/// The written files of a model.
struct ConversionReport: Report {
  let conversion: ModelConversion

  var json: JSONObject {
    [
      "form": conversion.form.rawValue,
      "path": conversion.path,
      "versions": conversion.versions,
      "current": conversion.currentVersion,
      "files": conversion.files.map(\.path),
    ]
  }

  var blocks: [Block] {
    "wrote \(counted(conversion.versions.count, "version")) to \(conversion.path)"
    for file in conversion.files { "  \(file.path)" }
  }
}

/// The diagram of a version.
struct DiagramReport: Report {
  let version: LoadedVersion
  var warnings: [Diagnostic] { version.warnings }

  var diagram: EntityDiagram { EntityDiagram(of: version.model) }

  var json: JSONObject {
    [
      "version": version.name,
      "checksum": version.hashes.checksum,
      "mermaid": diagram.mermaid,
      "dot": diagram.dot,
    ]
  }

  var blocks: [Block] { Block.text(diagram.mermaid) }
}

extension ExportReport: Report {
  var json: JSONObject {
    [
      "form": export.form.rawValue,
      "path": export.path,
      "versions": checksums.map { name, checksum in
        [
          "name": name, "checksum": checksum,
          "written": export.written.contains(name),
        ] as JSONObject
      },
      "files": export.files.map(\.path),
    ]
  }

  var blocks: [Block] {
    let unchanged = counted(export.unchanged.count, "version")
    if export.files.isEmpty {
      "nothing to write: \(export.path) has \(unchanged) as the database does"
    } else {
      let present = export.unchanged.isEmpty ? "" : ", which has \(unchanged) already"
      "wrote \(counted(export.written.count, "version")) to \(export.path)\(present)"
      for file in export.files { "  \(file.path)" }
    }
  }
}
