/// A property that the application computes by a fetch; nothing of it is stored.
public struct FetchedPropertyDescription: Hashable, Sendable, Codable {
  /// The name, unique among the properties of the entity and of all its superentities.
  public var name: String
  /// The fetch.
  public var fetchRequest: FetchRequestTemplate?
  /// Notes of the model's author, by key.
  public var userInfo: [String: String]

  /// Creates a fetched property.
  public init(
    name: String,
    fetchRequest: FetchRequestTemplate? = nil,
    userInfo: [String: String] = [:]
  ) {
    self.name = name
    self.fetchRequest = fetchRequest
    self.userInfo = userInfo
  }
}

/// A fetch that the model names for the application.
public struct FetchRequestTemplate: Hashable, Sendable, Codable {
  /// The name.
  public var name: String
  /// The entity that is fetched.
  public var entityName: String
  /// The predicate as text.
  public var predicate: String?
  /// The other settings, by their names in Xcode's files.
  public var options: [String: String]

  /// Creates a template.
  public init(
    name: String,
    entityName: String,
    predicate: String? = nil,
    options: [String: String] = [:]
  ) {
    self.name = name
    self.entityName = entityName
    self.predicate = predicate
    self.options = options
  }
}
