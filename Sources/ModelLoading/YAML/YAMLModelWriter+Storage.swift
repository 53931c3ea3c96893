import ObjectModel

/// What a model says of its tables where they do not follow the rules.
extension YAMLModelWriter {
  func key(_ key: KeyDescription) -> YAMLValue {
    guard !key.isPlain else { return .text(key.type.description) }
    var fields = YAMLFields()
    if key.type != .bigint { fields.add("type", key.type.description) }
    fields.add("column", key.columnName)
    fields.add("generated", key.generation?.description)
    return .fields(fields.entries)
  }

  func storage(_ storage: [String: String]) -> YAMLValue {
    var fields = YAMLFields()
    for parameter in StorageParameter.allCases {
      fields.add(parameter.key, constant: storage[parameter.rawValue])
    }
    return .fields(fields.entries)
  }

  func reference(_ reference: ReferenceDescription?) -> YAMLValue {
    guard let reference else { return .fields([]) }
    var fields = YAMLFields()
    fields.add("delete", reference.onDelete?.rawValue)
    fields.add("update", reference.onUpdate?.rawValue)
    let words = StorageWords.deferrabilities
    fields.add("deferrable", words.first { $0.value == reference.deferrability }?.word)
    if !reference.isIndexed { fields.add("index", constant: "false") }
    return .fields(fields.entries)
  }
}
