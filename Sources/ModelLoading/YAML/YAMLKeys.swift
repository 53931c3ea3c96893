import ModelMapping
import ObjectModel

/// The keys of our files, place by place; the JSON Schemas beside this file list the same.
enum YAMLKeys {
  static let model = [
    "remodel", "identifier", "base", "baseLayout", "layout", "entities", "composites",
    "configurations",
    "fetchRequests", "xcode", "xcodeElements", "xcodeComposites",
  ]
  static let layout = ["constraints", "indexNames", "distribution"]
  static let entity = [
    "parent", "abstract", "renamingIdentifier", "versionHashModifier", "table", "key", "names",
    "class", "attributes", "relationships", "fetchedProperties", "unique", "checks", "indexes",
    "compoundIndexes", "storage", "partition", "distribution", "userInfo", "xcode", "xcodeElements",
  ]
  static let storage = StorageParameter.allCases.map(\.key)
  static let partition = ["by", "every", "ahead", "keep", "values"]
  static let distribution = ["by", "colocateWith"]
  static let key = ["type", "column", "generated"]
  static let attribute = [
    "type", "optional", "transient", "default", "defaultSQL", "generatedSQL", "numbered",
    "validation", "derivation", "renamingIdentifier", "versionHashModifier", "column", "indexed",
    "transformer", "userInfo", "xcode", "xcodeElements",
  ]
  static let validation = [
    "minimum", "maximum", "minimumLength", "maximumLength", "pattern", "enforced",
  ]
  static let relationship = [
    "to", "toMany", "inverse", "optional", "transient", "ordered", "delete", "minimum", "maximum",
    "renamingIdentifier", "versionHashModifier", "column", "joinTable", "reference", "userInfo",
    "xcode", "xcodeElements",
  ]
  static let reference = ["delete", "update", "deferrable", "index"]
  static let index = ["elements", "where", "unique", "sql"]
  static let indexElement = ["property", "expression", "descending", "kind"]
  static let fetchRequest = ["entity", "predicate", "options"]
  static let fetchedProperty = ["request", "entity", "predicate", "options", "userInfo"]
  static let foreign = ["xcode", "xcodeElements"]
  static let foreignElement = ["name", "attributes", "elements"]

  static let mappingModel = [
    "remodelMapping", "source", "destination", "sourceChecksum", "destinationChecksum", "before",
    "after", "entities",
  ]
  static let entityMapping = [
    "name", "source", "destination", "where", "distinct", "forEach", "attributes", "relationships",
    "policy", "dependsOn", "userInfo", "hole",
  ]
  static let distinct = ["keys", "conflict", "order"]
  static let distinctOrder = ["by", "descending"]
  static let policy = ["class", "hole"] + SQLMigrationPolicy.Stage.allCases.map(\.rawValue)
  static let hole = ["hole"]
  static let propertyMapping = ["hole", "value", "userInfo"]
}
