/// How fast a server works: how often it does some work in the time in which the server does it once on which
/// the rates of work were measured.
public struct ServerSpeed: Hashable, Sendable, Codable {
  /// The speed of reading rows.
  public let reading: Double
  /// The speed of writing rows.
  public let writing: Double
  /// The speed of sorting keys, for indexes.
  public let sorting: Double

  /// Creates a speed.
  ///
  /// - Parameters:
  ///   - reading: The speed of reading rows.
  ///   - writing: The speed of writing rows.
  ///   - sorting: The speed of sorting keys.
  package init(reading: Double, writing: Double, sorting: Double) {
    (self.reading, self.writing, self.sorting) = (reading, writing, sorting)
  }

  /// The speed of the server on which the rates of work were measured.
  public static let reference = ServerSpeed(reading: 1, writing: 1, sorting: 1)
}
