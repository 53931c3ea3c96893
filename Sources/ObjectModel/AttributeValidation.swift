/// The checks of Core Data in the application before it saves a value.
public struct AttributeValidation: Hashable, Sendable, Codable {
  /// The least number or, for dates, the first instant in seconds since 2001.
  public var minimum: String?
  /// The greatest number or, for dates, the last instant in seconds since 2001.
  public var maximum: String?
  /// The fewest characters of a string.
  public var minimumLength: Int?
  /// The most characters of a string.
  public var maximumLength: Int?
  /// A regular expression that the whole string has to match.
  public var pattern: String?
  /// A Boolean value that indicates whether the database enforces this as well, by a CHECK.
  public var isEnforced: Bool

  /// Creates a validation; one without bounds accepts everything.
  public init(
    minimum: String? = nil,
    maximum: String? = nil,
    minimumLength: Int? = nil,
    maximumLength: Int? = nil,
    pattern: String? = nil,
    isEnforced: Bool = false
  ) {
    self.minimum = minimum
    self.maximum = maximum
    self.minimumLength = minimumLength
    self.maximumLength = maximumLength
    self.pattern = pattern
    self.isEnforced = isEnforced
  }
}
