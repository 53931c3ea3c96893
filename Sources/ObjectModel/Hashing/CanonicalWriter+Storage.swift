/// What is in the serialisation only where it is set, so that other models keep their hashes.
extension CanonicalWriter {
  mutating func write(_ key: StaticString, ifSet text: String?) {
    guard let text else { return }
    self.key(key)
    value(text)
  }

  /// Writes names with what they stand for, as pairs in the order of the names.
  mutating func write(_ pairs: [(String, String)]) {
    let sorted = pairs.sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }
    array(sorted) { writer, pair in
      writer.array([pair.0, pair.1]) { $0.value($1) }
    }
  }

  /// Writes a key: its type alone, or an object if there is more to say.
  mutating func write(_ key: KeyDescription, layout: Bool) {
    guard key.columnName != nil || layout && key.generation != nil else {
      return value(key.type.description)
    }
    object { writer in
      writer.write("column", ifSet: key.columnName)
      if layout { writer.write("generated", ifSet: key.generation?.description) }
      writer.key("type")
      writer.value(key.type.description)
    }
  }

  mutating func write(_ reference: ReferenceDescription) {
    object { writer in
      writer.write("deferrable", ifSet: reference.deferrability?.rawValue)
      writer.write("delete", ifSet: reference.onDelete?.rawValue)
      writer.key("index")
      writer.value(reference.isIndexed)
      writer.write("update", ifSet: reference.onUpdate?.rawValue)
    }
  }
}
