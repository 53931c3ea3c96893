import RemodelKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A version of a model, with all that it says.
struct ModelReport: Report {
  private let version: LoadedVersion
  private let archive: JSONValue

  init(_ version: LoadedVersion) throws {
    self.version = version
    let text = try ModelArchive.text(of: version.model)
    archive = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
  }

  var json: [String: JSONValue] {
    [
      "version": .string(version.name),
      "path": .string(version.path),
      "current": .bool(version.isCurrent),
      "checksum": .string(version.hashes.checksum.text),
      "layoutDigest": .string(version.hashes.layoutDigest.text),
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
