/// The size of a table, by the server's statistics.
public struct TableSize: Hashable, Sendable, Codable {
  /// The rows, as estimated.
  public let rows: Int
  /// The bytes, indexes included.
  public let bytes: Int
  /// The bytes of the indexes.
  public let indexBytes: Int
  /// The bytes of the values that are so large that they are stored apart.
  public let toastBytes: Int

  /// Creates a size.
  ///
  /// - Parameters:
  ///   - rows: The rows.
  ///   - bytes: The bytes, indexes and large values included.
  ///   - indexBytes: Those of the indexes.
  ///   - toastBytes: Those of the large values.
  package init(rows: Int, bytes: Int, indexBytes: Int = 0, toastBytes: Int = 0) {
    self.rows = rows
    self.bytes = bytes
    self.indexBytes = indexBytes
    self.toastBytes = toastBytes
  }

  /// The bytes of the rows themselves.
  public var heapBytes: Int { max(0, bytes - indexBytes - toastBytes) }

  /// A Boolean value that indicates whether going through the whole table takes no longer than any
  /// statement may.
  public var isSmall: Bool { rows < 100_000 && bytes < 10_000_000 }
}
