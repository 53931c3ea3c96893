/// The keys of our model files, place by place; the JSON Schema beside this file lists the same.
enum YAMLKeys {
  static let model = [
    "remodel", "identifier", "entities", "composites", "configurations", "fetchRequests",
  ]
  static let entity = [
    "parent", "abstract", "renamingIdentifier", "versionHashModifier", "table", "key", "class",
    "attributes", "relationships", "fetchedProperties", "unique", "indexes", "userInfo",
  ]
  static let attribute = [
    "type", "optional", "transient", "default", "validation", "derivation", "renamingIdentifier",
    "versionHashModifier", "column", "transformer", "userInfo",
  ]
  static let validation = [
    "minimum", "maximum", "minimumLength", "maximumLength", "pattern", "enforced",
  ]
  static let relationship = [
    "to", "toMany", "inverse", "optional", "transient", "ordered", "delete", "minimum", "maximum",
    "renamingIdentifier", "versionHashModifier", "column", "joinTable", "userInfo",
  ]
  static let index = ["elements", "where"]
  static let indexElement = ["property", "expression", "descending", "kind"]
  static let fetchRequest = ["entity", "predicate", "options"]
  static let fetchedProperty = ["entity", "predicate", "options", "userInfo"]
}
