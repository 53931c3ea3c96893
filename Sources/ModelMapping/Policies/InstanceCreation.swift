/// The rows that a policy creates in code.
public struct InstanceCreation: Hashable, Sendable {
  /// The attributes of the destination that it sets; elements of composites by their key paths.
  public var attributes: Set<String>
  /// The attributes and to-one relationships of the source that it is handed; all if none are named.
  public var sourceProperties: Set<String>?
  /// The number of rows that it creates from one.
  public var count: Count
  /// The methods of the policy in code that attributes get their values from.
  package var calls: [PolicyCall] = []

  /// The number of rows that a policy creates from one.
  public enum Count: String, Hashable, Sendable, CaseIterable {
    /// One, with the key that the server would give it.
    case one
    /// One or none.
    case atMostOne
    /// Any number, with new keys.
    case any
  }

  /// Creates a description of a policy's rows.
  public init(
    setting attributes: Set<String>,
    from sourceProperties: Set<String>? = nil,
    count: Count = .one
  ) {
    self.attributes = attributes
    self.sourceProperties = sourceProperties
    self.count = count
  }
}

extension EntityMapping {
  /// A Boolean value that indicates whether a policy decides in code how many rows there are.
  package var countsRowsInCode: Bool {
    switch instanceCreation?.count {
    case .atMostOne, .any: true
    case .one, nil: false
    }
  }
}
