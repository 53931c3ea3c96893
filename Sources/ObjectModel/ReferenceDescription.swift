/// The settings of a relationship's foreign key that differ from those that follow from the delete
/// rules.
public struct ReferenceDescription: Hashable, Sendable {
  /// The action on rows whose destination is deleted.
  public var onDelete: Action?
  /// The action on rows whose destination's key changes.
  public var onUpdate: Action?
  /// When the foreign key is checked.
  public var deferrability: Deferrability?
  /// A Boolean value that indicates whether the foreign key has an index.
  public var isIndexed: Bool

  /// The action on rows whose destination changes.
  public enum Action: String, Hashable, Sendable, Codable, CaseIterable {
    case noAction
    case restrict
    case cascade
    case setNull
    case setDefault
  }

  /// When a foreign key is checked.
  public enum Deferrability: String, Hashable, Sendable, Codable, CaseIterable {
    /// By every statement.
    case notDeferrable
    /// By every statement, unless a transaction wants it at its end.
    case immediate
    /// At the end of the transaction.
    case deferred
  }

  /// Creates a reference.
  public init(
    onDelete: Action? = nil,
    onUpdate: Action? = nil,
    deferrability: Deferrability? = nil,
    isIndexed: Bool = true
  ) {
    self.onDelete = onDelete
    self.onUpdate = onUpdate
    self.deferrability = deferrability
    self.isIndexed = isIndexed
  }

  /// Returns the reference, or `nil` if it has no settings.
  package var unlessOrdinary: ReferenceDescription? {
    self == ReferenceDescription() ? nil : self
  }
}

extension ReferenceDescription: CustomStringConvertible {
  /// The reference on one line, for people.
  public var description: String {
    let parts = [
      onDelete.map { "delete: \($0.rawValue)" }, onUpdate.map { "update: \($0.rawValue)" },
      deferrability.map { "deferrable: \($0.rawValue)" }, isIndexed ? nil : "no index",
    ]
    return parts.compactMap(\.self).joined(separator: ", ")
  }
}
