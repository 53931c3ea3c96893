internal import SQLSyntax

/// Writes the canonical serialisation for version hashes.
///
/// It is JSON without white space, with keys in ascending order, in UTF-8; strings are byte for
/// byte those of the model, with only `"`, `\` and control characters escaped. Callers write keys
/// in order, which a test checks by parsing the result.
struct CanonicalWriter {
  private(set) var bytes: [UInt8] = []
  private var needsComma = false

  /// Creates a writer with room for so many bytes.
  init(capacity: Int = 0) {
    bytes.reserveCapacity(capacity)
  }

  mutating func object(_ body: (inout CanonicalWriter) -> Void) {
    enclose(UInt8(ascii: "{"), UInt8(ascii: "}"), body)
  }

  mutating func array<Element>(
    _ elements: some Sequence<Element>,
    _ body: (inout CanonicalWriter, Element) -> Void
  ) {
    enclose(UInt8(ascii: "["), UInt8(ascii: "]")) { writer in
      for element in elements { body(&writer, element) }
    }
  }

  mutating func key(_ key: StaticString) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    append(key)
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  mutating func value(_ text: String?) {
    separate()
    guard var text else { return append("null") }
    text.withUTF8 { string(utf8: $0) }
  }

  mutating func value(_ flag: Bool) {
    separate()
    append(flag ? "true" : "false")
  }

  mutating func value(_ number: Int) {
    separate()
    bytes += String(number).utf8
  }

  /// Writes the output of another writer as one value.
  mutating func value(_ other: CanonicalWriter) {
    separate()
    bytes += other.bytes
  }

  // MARK: - Pieces

  private mutating func append(_ syntax: StaticString) {
    syntax.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  private mutating func enclose(
    _ open: UInt8,
    _ close: UInt8,
    _ body: (inout CanonicalWriter) -> Void
  ) {
    separate()
    bytes.append(open)
    needsComma = false
    body(&self)
    bytes.append(close)
    needsComma = true
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
  }

  private mutating func string(utf8: UnsafeBufferPointer<UInt8>) {
    bytes.append(UInt8(ascii: "\""))
    if utf8.allSatisfy({ $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) {
      bytes.append(contentsOf: utf8)
    } else {
      escape(utf8)
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func escape(_ utf8: UnsafeBufferPointer<UInt8>) {
    for byte in utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case 0..<0x20:
        bytes += "\\u00".utf8
        bytes.append(Self.hexDigits[Int(byte >> 4)])
        bytes.append(Self.hexDigits[Int(byte & 15)])
      default:
        bytes.append(byte)
      }
    }
  }

  private static let hexDigits = Array("0123456789abcdef".utf8)
}

/// Parts that are only serialised if they are set, so that other models keep their hashes.
extension CanonicalWriter {
  mutating func write(_ key: StaticString, ifSet text: String?) {
    guard let text else { return }
    self.key(key)
    value(text)
  }

  /// Writes names and values as pairs in the order of the names.
  mutating func write(_ pairs: [(String, String)]) {
    let sorted = pairs.sorted { byBytes($0.0, $1.0) }
    array(sorted) { writer, pair in
      writer.array([pair.0, pair.1]) { $0.value($1) }
    }
  }

  /// Writes a key: its type alone, or an object if there are other settings.
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

  mutating func write(_ partitioning: PartitioningDescription) {
    object { writer in
      writer.key("ahead")
      writer.value(partitioning.ahead)
      writer.write("by", ifSet: partitioning.method.description)
      writer.write("every", ifSet: partitioning.method.every?.description)
      writer.write("keep", ifSet: partitioning.retention?.description)
      guard let values = partitioning.method.values else { return }
      writer.key("values")
      writer.array(values) { $0.value($1) }
    }
  }

  mutating func write(_ distribution: DistributionDescription) {
    object { writer in
      writer.write("by", ifSet: distribution.propertyName)
      writer.write("colocateWith", ifSet: distribution.colocatedEntityName)
      writer.key("kind")
      writer.value(distribution.kind.rawValue)
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
