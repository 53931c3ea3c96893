import ObjectModel

/// How the table of an entity is partitioned.
extension StorageSettings {
  private static let partitionPrefix = "partition."

  mutating func partitioning(
    of entity: EntityDescription,
    at root: XMLElement,
    _ reader: inout XcodeModelReader
  ) -> PartitioningDescription? {
    let by = take("partition")
    var texts: [String: String] = [:]
    for name in YAMLKeys.partition where name != "by" {
      texts[name] = take(Self.partitionPrefix + name)
    }
    guard let by else {
      if let name = texts.keys.min() {
        reader.error(
          "setting \"\(Self.prefix)\(Self.partitionPrefix)\(name)\" has no \"\(Self.prefix)partition\" "
            + "beside it",
          detail: StorageWords.partitionings,
          at: root
        )
      }
      return nil
    }
    guard let key = PartitionKey(by) else {
      reader.error(
        "setting \"\(Self.prefix)partition\" is \"\(by)\"",
        detail: StorageWords.partitionings,
        at: root
      )
      return nil
    }
    var isFitting = true
    for name in texts.keys.sorted() where !key.settings.contains(name) {
      isFitting = false
      reader.error("partition by \(key) has no \(name)", detail: key.detail, at: root)
    }
    if key.settings.contains("every"), texts["every"] == nil {
      isFitting = false
      reader.error(
        "partition by \(key) has no setting \"\(Self.prefix)\(Self.partitionPrefix)every\"",
        detail: StorageWords.every,
        at: root
      )
    }
    guard isFitting else { return nil }
    let every = value("every", texts, StorageWords.intervals, at: root, &reader) {
      PartitioningDescription.Interval($0)
    }
    let ahead = value("ahead", texts, "It is a number.", at: root, &reader) { Int($0) }
    let keep = value("keep", texts, StorageWords.intervals, at: root, &reader) {
      PartitioningDescription.Interval($0)
    }
    let words = "It has values with commas between them, in quotes where they are more than a word."
    let values = value("values", texts, words, at: root, &reader) { text in
      ArgumentList(text).flatMap { list -> [String]? in
        let hasHole = list.arguments.contains { $0.text.isEmpty && !$0.isQuoted }
        return hasHole ? nil : list.arguments.map(\.text)
      }
    }
    guard let method = PartitioningDescription.Method(key, every: every, values: values) else {
      return nil
    }
    return PartitioningDescription(method, ahead: ahead, retention: keep)
  }

  private func value<Value>(
    _ name: String,
    _ texts: [String: String],
    _ detail: String,
    at root: XMLElement,
    _ reader: inout XcodeModelReader,
    _ read: (String) -> Value?
  ) -> Value? {
    guard let text = texts[name] else { return nil }
    if let value = read(text) { return value }
    let setting = "setting \"\(Self.prefix)\(Self.partitionPrefix)\(name)\""
    reader.error("\(setting) is \"\(text)\"", detail: detail, at: root)
    return nil
  }
}
