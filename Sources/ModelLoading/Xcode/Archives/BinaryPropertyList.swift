/// A property list in Apple's binary form, as a table of objects that refer to each other.
///
/// Reading never follows references between objects, so cycles do no harm, and every number is
/// checked against the size of the file.
struct BinaryPropertyList {
  /// An object; others in it are positions in the table.
  enum Object: Hashable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case real(Double)
    case bytes
    case string(String)
    /// A reference of a keyed archive to one of its own objects.
    case uid(Int)
    case array([Int])
    case dictionary([Int], [Int])
  }

  /// The faults of the bytes.
  enum Fault: Error, Hashable {
    case notABinaryPropertyList
    case malformed(offset: Int)
  }

  let objects: [Object]
  /// The position of the outermost object.
  let top: Int

  static let objectLimit = 1_000_000

  init(_ bytes: [UInt8]) throws(Fault) {
    guard bytes.starts(with: Array("bplist0".utf8)), bytes.count >= 40 else {
      throw .notABinaryPropertyList
    }
    let scanner = Scanner(bytes: bytes)
    let trailer = bytes.count - 32
    let offsetSize = Int(bytes[trailer + 6])
    let referenceSize = Int(bytes[trailer + 7])
    let count = try scanner.count(at: trailer + 8, size: 8)
    let top = try scanner.count(at: trailer + 16, size: 8)
    let table = try scanner.count(at: trailer + 24, size: 8)
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize), count > 0,
      count <= Self.objectLimit, top < count, table <= trailer,
      count <= (trailer - table) / offsetSize
    else { throw .malformed(offset: trailer) }
    var objects: [Object] = []
    objects.reserveCapacity(count)
    // Objects can share bytes; together they may not be larger than any honest list would be.
    var budget = 4 * bytes.count + 1024
    for index in 0..<count {
      let offset = try scanner.count(at: table + index * offsetSize, size: offsetSize)
      guard offset >= 8, offset < table else {
        throw .malformed(offset: table + index * offsetSize)
      }
      let object = try scanner.object(at: offset, referenceSize: referenceSize, of: count, &budget)
      objects.append(object)
    }
    self.objects = objects
    self.top = top
  }

  /// Reads objects, each within the bytes that there are.
  private struct Scanner {
    let bytes: [UInt8]

    func object(
      at offset: Int,
      referenceSize: Int,
      of objectCount: Int,
      _ budget: inout Int
    ) throws(Fault) -> Object {
      let marker = bytes[offset]
      let low = Int(marker & 0x0F)
      switch marker >> 4 {
      case 0x0:
        switch low {
        case 0x0: return .null
        case 0x8: return .boolean(false)
        case 0x9: return .boolean(true)
        default: throw .malformed(offset: offset)  // Bytes are no closed set.
        }
      case 0x1: return .integer(try integer(at: offset + 1, size: 1 << low))
      case 0x2: return .real(try real(at: offset + 1, size: 1 << low))
      case 0x3: return .real(try real(at: offset + 1, size: 8))
      case 0x4, 0x5, 0x6:
        var (length, start) = try length(low, at: offset)
        if marker >> 4 == 0x6 {
          guard length <= bytes.count else { throw .malformed(offset: offset) }
          length *= 2
        }
        let content = try slice(from: start, count: length)
        guard marker >> 4 != 0x4 else { return .bytes }
        try spend(length, &budget, at: offset)
        let text =
          marker >> 4 == 0x5
          ? String(validating: content, as: UTF8.self) : Self.utf16(content)
        guard let text else { throw .malformed(offset: offset) }
        return .string(text)
      case 0x8: return .uid(try count(at: offset + 1, size: low + 1))
      case 0xA, 0xC:
        let (length, start) = try length(low, at: offset)
        try spend(length, &budget, at: offset)
        return .array(try references(length, start, referenceSize, objectCount))
      case 0xD:
        let (length, start) = try length(low, at: offset)
        try spend(length, &budget, at: offset)
        let keys = try references(length, start, referenceSize, objectCount)
        let values = try references(
          length,
          start + length * referenceSize,
          referenceSize,
          objectCount
        )
        return .dictionary(keys, values)
      default: throw .malformed(offset: offset)  // Bytes are no closed set.
      }
    }

    private func spend(_ amount: Int, _ budget: inout Int, at offset: Int) throws(Fault) {
      guard amount <= budget else { throw .malformed(offset: offset) }
      budget -= amount
    }

    /// Returns a length, which is in the marker or in a following integer, and the offset after it.
    private func length(_ low: Int, at offset: Int) throws(Fault) -> (length: Int, start: Int) {
      guard low == 0xF else { return (low, offset + 1) }
      guard offset + 1 < bytes.count, bytes[offset + 1] >> 4 == 0x1 else {
        throw .malformed(offset: offset)
      }
      let size = 1 << Int(bytes[offset + 1] & 0x0F)
      return (try count(at: offset + 2, size: size), offset + 2 + size)
    }

    private func references(
      _ length: Int,
      _ start: Int,
      _ size: Int,
      _ objectCount: Int
    ) throws(Fault) -> [Int] {
      guard length <= bytes.count, start <= bytes.count, length * size <= bytes.count - start else {
        throw .malformed(offset: min(start, bytes.count))
      }
      var references: [Int] = []
      for index in 0..<length {
        let reference = try count(at: start + index * size, size: size)
        guard reference < objectCount else { throw .malformed(offset: start + index * size) }
        references.append(reference)
      }
      return references
    }

    func count(at offset: Int, size: Int) throws(Fault) -> Int {
      let value = try unsigned(at: offset, size: size)
      guard value <= UInt64(Int32.max) else { throw .malformed(offset: offset) }
      return Int(value)
    }

    private func integer(at offset: Int, size: Int) throws(Fault) -> Int64 {
      // Eight bytes are signed, fewer are not; sixteen hold values above the signed range.
      guard size <= 8 else { throw .malformed(offset: offset) }
      return Int64(bitPattern: try unsigned(at: offset, size: size))
    }

    private func real(at offset: Int, size: Int) throws(Fault) -> Double {
      switch size {
      case 4: Double(Float(bitPattern: UInt32(try unsigned(at: offset, size: 4))))
      case 8: Double(bitPattern: try unsigned(at: offset, size: 8))
      default: throw .malformed(offset: offset)  // Sizes are no closed set.
      }
    }

    private func unsigned(at offset: Int, size: Int) throws(Fault) -> UInt64 {
      guard size <= 8 else { throw .malformed(offset: offset) }
      return try slice(from: offset, count: size).reduce(0) { $0 << 8 | UInt64($1) }
    }

    private func slice(from start: Int, count: Int) throws(Fault) -> ArraySlice<UInt8> {
      guard start >= 0, start <= bytes.count, count <= bytes.count - start else {
        throw .malformed(offset: min(start, bytes.count))
      }
      return bytes[start..<(start + count)]
    }

    private static func utf16(_ content: ArraySlice<UInt8>) -> String? {
      let bytes = Array(content)
      let units = stride(from: 0, to: bytes.count - 1, by: 2).map {
        UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
      }
      return String(validating: units, as: UTF16.self)
    }
  }
}
