/// The retained objects that a cleanup drops; by default all.
public struct CleanupSelection: Hashable, Sendable {
  /// For how long something has to be retained; any time if there is none.
  public var age: Duration?
  /// The last versions that had the objects; any if empty.
  public var versions: [String]

  /// Creates a selection.
  public init(olderThan age: Duration? = nil, versions: [String] = []) {
    self.age = age
    self.versions = versions
  }

  /// Returns whether something is meant.
  package func includes(_ entry: RetainedEntry) -> Bool {
    if let age, entry.age < age { return false }
    return versions.isEmpty || versions.contains(entry.object.version)
  }
}

/// A retained object with its metadata.
public struct RetainedEntry: Hashable, Sendable {
  /// The retained object.
  public let object: RetainedObject
  /// Since when, as ISO 8601 in UTC.
  public let retainedAt: String
  /// For how long, by the server's clock.
  public let age: Duration

  /// Creates an entry.
  package init(_ object: RetainedObject, retainedAt: String, age: Duration) {
    self.object = object
    self.retainedAt = retainedAt
    self.age = age
  }
}
