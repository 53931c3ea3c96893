/// How large a table is, as the server's statistics have it.
public struct TableSize: Hashable, Sendable {
  /// The rows, as estimated.
  public let rows: Int
  /// The bytes, indexes included.
  public let bytes: Int
}
