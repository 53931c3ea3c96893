/// How fast a server works: how often it does some work in the time in which the server does it once on which
/// the rates of work were measured.
public struct ServerSpeed: Hashable, Sendable {
  /// The speed of reading rows.
  public let reading: Double
  /// The speed of writing rows.
  public let writing: Double
  /// The speed of sorting keys, for indexes.
  public let sorting: Double

  /// The speed of the server on which the rates of work were measured.
  public static let reference = ServerSpeed(unchecked: 1, 1, 1)

  /// The speeds that a server can have, rounded or not.
  private static let possible = 0.005...200

  /// Creates a speed; `nil` if no server has it.
  ///
  /// - Parameters:
  ///   - reading: The speed of reading rows.
  ///   - writing: The speed of writing rows.
  ///   - sorting: The speed of sorting keys.
  package init?(reading: Double, writing: Double, sorting: Double) {
    guard [reading, writing, sorting].allSatisfy(Self.possible.contains) else { return nil }
    self.init(unchecked: reading, writing, sorting)
  }

  private init(unchecked reading: Double, _ writing: Double, _ sorting: Double) {
    (self.reading, self.writing, self.sorting) = (reading, writing, sorting)
  }

  /// The speed in powers of two, at most a third above the measured one: the same server has the same speed
  /// whatever else it does, and so the same plans.
  package var rounded: ServerSpeed {
    func rounded(_ speed: Double) -> Double {
      var power = 1.0
      while power > speed * 1.35 { power /= 2 }
      while power * 2 <= speed * 1.35 { power *= 2 }
      return power
    }
    return ServerSpeed(unchecked: rounded(reading), rounded(writing), rounded(sorting))
  }
}

extension ServerSpeed: Codable {
  private enum CodingKeys: CodingKey { case reading, writing, sorting }

  /// Reads a speed that a server can have.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let speed = ServerSpeed(
      reading: try container.decode(Double.self, forKey: .reading),
      writing: try container.decode(Double.self, forKey: .writing),
      sorting: try container.decode(Double.self, forKey: .sorting)
    )
    guard let speed else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "no server's speed")
      )
    }
    self = speed
  }
}
