import Diagnostics
import ObjectModel

/// Remodel's own keys in user info, for settings that Xcode's format lacks.
struct StorageSettings {
  static let prefix = "remodel."
  private var values: [String: String] = [:]

  /// Creates settings, and takes them out of the user info.
  init(takingFrom userInfo: inout [String: String]) {
    guard !userInfo.isEmpty else { return }
    for (key, value) in userInfo where key.hasPrefix(Self.prefix) {
      values[String(key.dropFirst(Self.prefix.count))] = value
      userInfo[key] = nil
    }
  }

  private var names: [String] { values.keys.sorted() }

  mutating func take(_ name: String) -> String? {
    values.removeValue(forKey: name)
  }

  /// Takes the settings whose names begin so, under the rest of their names.
  mutating func takeAll(_ prefix: String) -> [String: String] {
    var taken: [String: String] = [:]
    for name in values.keys where name.hasPrefix(prefix) {
      taken[String(name.dropFirst(prefix.count))] = values.removeValue(forKey: name)
    }
    return taken
  }

  /// Takes the checks and the names of objects of an entity.
  mutating func liftNames(into entity: inout EntityDescription) {
    let checks = takeAll("check.").map { CheckDescription(name: $0, expression: $1) }
    entity.checks = checks.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    entity.objectNames = takeAll("name.")
  }

  mutating func key(
    of entity: EntityDescription,
    at root: XMLElement,
    _ reader: inout XcodeModelReader
  ) -> KeyDescription {
    var key = KeyDescription.bigint
    if let text = take("key") {
      if let type = KeyDescription.KeyType(text) {
        key.type = type
      } else {
        reader.error(
          "unrecognized key type \"\(text)\" of entity \"\(entity.name)\"",
          detail: "The types are \"bigint\", \"uuid\" and those of attributes.",
          at: root
        )
      }
    }
    key.columnName = take("keyColumn")
    if let text = take("keyGenerated") {
      key.generation = KeyDescription.Generation(text)
      if key.generation == nil {
        reader.error(
          "setting \"remodel.keyGenerated\" is \"\(text)\"",
          detail: StorageWords.generations,
          at: root
        )
      }
    }
    return key
  }

  mutating func liftParameters(
    into entity: inout EntityDescription,
    at root: XMLElement,
    _ reader: inout XcodeModelReader
  ) {
    for (key, text) in takeAll("storage.").sorted(by: { $0.key < $1.key }) {
      let setting = "setting \"\(Self.prefix)storage.\(key)\""
      guard let parameter = StorageParameter.allCases.first(where: { $0.key == key }) else {
        reader.error(
          "\(setting) names no storage parameter",
          hint: YAMLModelReader.hint(about: key, among: YAMLKeys.storage),
          at: root
        )
        continue
      }
      entity.storage[parameter.rawValue] = parameter.value(text)
      if parameter.value(text) == nil {
        reader.error("\(setting) is \"\(text)\", not \(parameter.domain)", at: root)
      }
    }
  }

  /// A model has no user info, so an entity says how all of its tables are laid out.
  mutating func liftLayout(at root: XMLElement, _ reader: inout XcodeModelReader) {
    if let constraints = choice(
      "layout.constraints",
      among: StorageWords.constraints,
      at: root,
      &reader
    ) {
      reader.layout.constraints = constraints
    }
    if let names = choice("layout.indexNames", among: StorageWords.indexNames, at: root, &reader) {
      reader.layout.indexNames = names
    }
    let distributions = StorageWords.layoutDistributions
    if let distribution = choice("layout.distribution", among: distributions, at: root, &reader) {
      reader.layout.distribution = distribution
    }
  }

  /// A fetch index has no user info, so its settings are in that of its entity.
  mutating func liftIndexes(
    into entity: inout EntityDescription,
    at root: XMLElement,
    _ reader: inout XcodeModelReader
  ) {
    for (name, definition) in takeAll("indexSQL.").sorted(by: { $0.key < $1.key }) {
      guard let index = fetchIndex(named: name, of: entity, at: root, &reader) else { continue }
      entity.fetchIndexes[index].definition = definition
    }
    for (name, text) in takeAll("uniqueIndex.").sorted(by: { $0.key < $1.key }) {
      guard let index = fetchIndex(named: name, of: entity, at: root, &reader) else { continue }
      if let isUnique = flag(text, of: "uniqueIndex.\(name)", at: root, &reader) {
        entity.fetchIndexes[index].isUnique = isUnique
      }
    }
  }

  private func fetchIndex(
    named name: String,
    of entity: EntityDescription,
    at root: XMLElement,
    _ reader: inout XcodeModelReader
  ) -> Int? {
    if let index = entity.fetchIndexes.firstIndex(where: { $0.name == name }) { return index }
    reader.error("entity \"\(entity.name)\" has no fetch index \"\(name)\"", at: root)
    return nil
  }

  mutating func reference(
    at root: XMLElement,
    _ reader: inout XcodeModelReader
  ) -> ReferenceDescription? {
    var reference = ReferenceDescription()
    let actions = StorageWords.actions
    reference.onDelete = choice("delete", among: actions, at: root, &reader)
    reference.onUpdate = choice("update", among: actions, at: root, &reader)
    let words = StorageWords.deferrabilities
    reference.deferrability = choice("deferrable", among: words, at: root, &reader)
    if let text = take("index") {
      reference.isIndexed = flag(text, of: "index", at: root, &reader) ?? true
    }
    return reference.unlessOrdinary
  }

  mutating func choice<Value>(
    _ name: String,
    among choices: [(word: String, value: Value)],
    at root: XMLElement,
    _ reader: inout XcodeModelReader
  ) -> Value? {
    guard let text = take(name) else { return nil }
    let what = "setting \"\(Self.prefix)\(name)\""
    return reader.choice(text, of: what, among: choices, at: root.offset)
  }

  func flag(
    _ text: String,
    of name: String,
    at root: XMLElement,
    _ reader: inout XcodeModelReader
  ) -> Bool? {
    if case .boolean(let value) = AttributeValue(text, of: .boolean) { return value }
    reader.error(
      "setting \"\(Self.prefix)\(name)\" is \"\(text)\", not \"YES\" or \"NO\"",
      at: root
    )
    return nil
  }

  /// Reports settings that are not allowed for their element.
  func refuseRest(
    at root: XMLElement,
    allowed: [String],
    _ reader: inout XcodeModelReader
  ) {
    for name in names {
      reader.error(
        "element \"\(root.name)\" has no setting \"\(Self.prefix)\(name)\"",
        detail: allowed.isEmpty
          ? nil
          : "It has \(allowed.map { "\"\(Self.prefix)\($0)\"" }.joined(separator: ", ")).",
        hint: suggestion(for: name, among: allowed).map {
          "Did you mean \"\(Self.prefix)\($0)\"?"
        },
        at: root
      )
    }
  }
}
