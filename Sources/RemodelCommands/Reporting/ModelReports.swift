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

  func lines(_ style: TextStyle) -> [String] {
    var table = TextTable()
    for version in versions {
      table.add(
        version.isCurrent ? "*" : "",
        version.name,
        version.hashes.checksum.brief,
        counted(version.entityCount, "entity", plural: "entities"),
        version.path
      )
    }
    return table.lines()
  }
}

/// A version of a model with all of its contents.
struct ModelReport: Report {
  private let version: LoadedVersion
  private let archive: JSONValue

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

  func lines(_ style: TextStyle) -> [String] {
    let current = version.isCurrent ? ", current" : ""
    var lines = [
      style.bold(versionName(version.name)) + "\(current), \(version.hashes.checksum.brief)"
    ]
    for entity in version.model.entities {
      lines.append("")
      lines.append(style.bold(entity.name) + entity.remarks)
      lines += entity.propertyLines
    }
    return lines.flatMap(\.lines)
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

  fileprivate var propertyLines: [String] {
    var table = TextTable()
    for attribute in attributes {
      let type = attribute.type.description + (attribute.isOptional ? "?" : "")
      table.add(attribute.name, type, attribute.remarks)
    }
    for relationship in relationships {
      let type =
        (relationship.isToMany ? "->> " : "-> ") + relationship.destinationEntityName
        + (relationship.isOptional ? "?" : "")
      table.add(relationship.name, type, relationship.remarks)
    }
    var lines = table.lines(indentation: 2)
    lines += uniquenessConstraints.map { "  unique (\($0.joined(separator: ", ")))" }
    for index in declaredIndexes {
      let elements = index.elements.map { element in
        (element.propertyName ?? element.expression ?? "")
          + (element.isAscending ? "" : " descending")
      }
      let kind = index.isUnique ? "unique index" : "index"
      lines.append("  \(kind) " + (index.definition ?? "(\(elements.joined(separator: ", ")))"))
    }
    lines += checks.map { "  check \($0.name) (\($0.expression))" }
    lines += objectNames.sorted { $0.key < $1.key }.map { "  name \($0.value) for \($0.key)" }
    return lines
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

  func lines(_ style: TextStyle) -> [String] {
    var table = TextTable()
    table.add("checksum", hashes.checksum.text)
    table.add("layout", hashes.layoutDigest.text)
    let entities = hashes.entities.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    for (name, hash) in entities { table.add("entity \(name)", hash.text) }
    return table.lines()
  }
}

/// The result of a validation without complaints.
struct ValidationReport: Report {
  let warnings: [Diagnostic]

  var json: JSONObject {
    ["valid": true, "warnings": warnings]
  }

  func lines(_ style: TextStyle) -> [String] {
    [warnings.isEmpty ? "valid" : "valid, with \(counted(warnings.count, "warning"))"]
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
          "entity": $0.entityName,
          "property": $0.propertyName,
          "before": $0.before,
          "after": $0.after,
          "description": $0.description,
        ] as JSONObject
      },
    ])
  }

  func lines(_ style: TextStyle) -> [String] {
    guard !difference.changes.isEmpty else { return ["no difference"] }
    return difference.changes.flatMap(\.description.lines)
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

  func lines(_ style: TextStyle) -> [String] {
    let count = counted(conversion.versions.count, "version")
    return ["wrote \(count) to \(conversion.path)"] + conversion.files.map { "  \($0.path)" }
  }
}

/// The diagram of a version.
struct DiagramReport: Report {
  let version: VersionReference
  let diagram: EntityDiagram

  var json: JSONObject {
    [
      "version": version.name,
      "checksum": version.checksum,
      "mermaid": diagram.mermaid,
      "dot": diagram.dot,
    ]
  }

  func lines(_ style: TextStyle) -> [String] { diagram.mermaid.lines }
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

  func lines(_ style: TextStyle) -> [String] {
    let unchanged = counted(export.unchanged.count, "version")
    guard !export.files.isEmpty else {
      return ["nothing to write: \(export.path) has \(unchanged) as the database does"]
    }
    let present = export.unchanged.isEmpty ? "" : ", which has \(unchanged) already"
    return ["wrote \(counted(export.written.count, "version")) to \(export.path)\(present)"]
      + export.files.map { "  \($0.path)" }
  }
}
