public import ObjectModel

/// A reason why no mapping can be inferred between two versions.
public struct InferenceObstacle: Hashable, Sendable {
  /// The entity as the destination calls it, or as the source does if it has gone.
  public let entityName: String
  /// The property, if the reason is one of a property; with the elements of a composite, a key path.
  public let propertyName: String?
  /// What stands in the way.
  public let reason: Reason

  /// What can stand in the way of inference.
  public enum Reason: Hashable, Sendable {
    /// No value of the one type is a value of the other.
    case incompatibleTypes(before: AttributeType, after: AttributeType)
    /// Rows of several hierarchies would have to become one.
    case mergedHierarchies(roots: [String], entities: [MergedEntity])
    /// What is at the other end has become an unrelated entity.
    case incompatibleDestination(before: String, after: String)
    /// A renaming identifier that nothing ever had.
    case danglingIdentifier(String, probably: String?)
    /// The key of the rows would have to change its type, or where its values come from.
    case changedKey(before: KeyDescription, after: KeyDescription)
  }

  /// An entity of a hierarchy that would be merged with others.
  public struct MergedEntity: Hashable, Sendable {
    /// What it is called in the source.
    public let sourceName: String
    /// What it is called in the destination.
    public let destinationName: String

    package init(sourceName: String, destinationName: String) {
      self.sourceName = sourceName
      self.destinationName = destinationName
    }
  }
}

extension InferenceObstacle {
  /// The error of Core Data that comes up in this case.
  public var coreDataError: Int? {
    switch reason {
    case .incompatibleTypes, .mergedHierarchies, .incompatibleDestination: 134_190
    case .danglingIdentifier, .changedKey: nil
    }
  }
}
