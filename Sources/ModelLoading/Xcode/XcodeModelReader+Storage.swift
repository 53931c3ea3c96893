import ObjectModel

/// The storage settings of a model, in user info.
extension XcodeModelReader {
  mutating func key(
    from settings: inout StorageSettings,
    of entity: EntityDescription,
    at root: XMLElement
  ) -> KeyDescription {
    var key = KeyDescription.bigint
    if let text = settings.take("key") {
      if let type = KeyDescription.KeyType(text) {
        key.type = type
      } else {
        error(
          "unrecognized key type \"\(text)\" of entity \"\(entity.name)\"",
          detail: "The types are \"bigint\", \"uuid\" and those of attributes.",
          at: root
        )
      }
    }
    key.columnName = settings.take("keyColumn")
    if let text = settings.take("keyGenerated") {
      key.generation = KeyDescription.Generation(text)
      if key.generation == nil {
        error(
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
    from settings: inout StorageSettings,
    at root: XMLElement
  ) {
    for (key, text) in settings.takeAll("storage.").sorted(by: { $0.key < $1.key }) {
      let setting = "setting \"\(StorageSettings.prefix)storage.\(key)\""
      guard let parameter = StorageParameter.allCases.first(where: { $0.key == key }) else {
        error(
          "\(setting) names no storage parameter",
          hint: YAMLModelReader.hint(about: key, among: YAMLKeys.storage),
          at: root
        )
        continue
      }
      entity.storage[parameter.rawValue] = parameter.value(text)
      if parameter.value(text) == nil {
        error("\(setting) is \"\(text)\", not \(parameter.domain)", at: root)
      }
    }
  }

  /// A fetch index has no user info, so its settings are in that of its entity.
  mutating func liftIndexes(
    into entity: inout EntityDescription,
    from settings: inout StorageSettings,
    at root: XMLElement
  ) {
    for (name, definition) in settings.takeAll("indexSQL.").sorted(by: { $0.key < $1.key }) {
      guard let index = fetchIndex(named: name, of: entity, at: root) else { continue }
      entity.fetchIndexes[index].definition = definition
    }
    for (name, text) in settings.takeAll("uniqueIndex.").sorted(by: { $0.key < $1.key }) {
      guard let index = fetchIndex(named: name, of: entity, at: root) else { continue }
      if let isUnique = flag(text, of: "uniqueIndex.\(name)", at: root) {
        entity.fetchIndexes[index].isUnique = isUnique
      }
    }
  }

  private mutating func fetchIndex(
    named name: String,
    of entity: EntityDescription,
    at root: XMLElement
  ) -> Int? {
    if let index = entity.fetchIndexes.firstIndex(where: { $0.name == name }) { return index }
    error("entity \"\(entity.name)\" has no fetch index \"\(name)\"", at: root)
    return nil
  }

  mutating func reference(
    from settings: inout StorageSettings,
    at root: XMLElement
  ) -> ReferenceDescription? {
    var reference = ReferenceDescription()
    let actions = StorageWords.actions
    reference.onDelete = setting("delete", from: &settings, among: actions, at: root)
    reference.onUpdate = setting("update", from: &settings, among: actions, at: root)
    let words = StorageWords.deferrabilities
    reference.deferrability = setting("deferrable", from: &settings, among: words, at: root)
    if let text = settings.take("index") {
      reference.isIndexed = flag(text, of: "index", at: root) ?? true
    }
    return reference.unlessOrdinary
  }

  mutating func setting<Value>(
    _ name: String,
    from settings: inout StorageSettings,
    among choices: [(word: String, value: Value)],
    at root: XMLElement
  ) -> Value? {
    guard let text = settings.take(name) else { return nil }
    let what = "setting \"\(StorageSettings.prefix)\(name)\""
    return choice(text, of: what, among: choices, at: root.offset)
  }

  mutating func flag(_ text: String, of name: String, at root: XMLElement) -> Bool? {
    if case .boolean(let value) = AttributeValue(text, of: .boolean) { return value }
    error(
      "setting \"\(StorageSettings.prefix)\(name)\" is \"\(text)\", not \"YES\" or \"NO\"",
      at: root
    )
    return nil
  }
}
