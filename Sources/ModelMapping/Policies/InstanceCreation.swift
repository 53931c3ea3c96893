/// The rows that a policy creates in code.
public struct InstanceCreation: Hashable, Sendable {
  /// The attributes of the destination that it sets; elements of composites by their key paths.
  public var attributes: Set<String>
  /// The attributes and to-one relationships of the source that it is handed; all if none are named.
  public var sourceProperties: Set<String>?
  /// The number of rows that it creates from one.
  public var count: Count
  /// Whether the policy is handed the migration manager, which takes a copy in one transaction.
  public var usesManager: Bool
  /// The entity mapping whose policy creates the rows through the manager; `nil` if the policy creates
  /// them itself.
  public var creatorName: String?
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
    count: Count = .one,
    usesManager: Bool = false
  ) {
    self.attributes = attributes
    self.sourceProperties = sourceProperties
    self.count = count
    self.usesManager = usesManager
  }

  /// Creates a description of rows that the policy of another entity mapping creates through the
  /// migration manager.
  ///
  /// - Parameters:
  ///   - attributes: The attributes that it sets; the mapping gives the others their values.
  ///   - creatorName: The other entity mapping, which has the same source.
  public init(setting attributes: Set<String>, createdBy creatorName: String) {
    self.init(setting: attributes, from: [], count: .any)
    self.creatorName = creatorName
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
