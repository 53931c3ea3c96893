public import ObjectModel

/// Something that has to be true of the rows for a mapping to be carried out.
///
/// Names are those of the source, since the rows are asked before anything changes.
public struct DataPrecondition: Hashable, Sendable {
  /// The entity whose rows are asked, with all that inherit from it.
  public let entityName: String
  /// What has to be true of them.
  public let requirement: Requirement

  /// What has to be true of the rows of an entity.
  public enum Requirement: Hashable, Sendable {
    /// There are no rows, since this required property of the destination, or this element of one,
    /// has no value for them.
    case noRows(requiredProperty: String)
    /// There is always a value.
    case noNulls(PropertyPath)
    /// No two rows agree in all of these.
    case noDuplicates([UniqueValue])
    /// Each value has an exact counterpart in another type.
    case valuesFit(PropertyPath, AttributeType, into: AttributeType)
  }

  /// One of several values that have to be unique together.
  public struct UniqueValue: Hashable, Sendable {
    /// The property of the source; a new attribute has none.
    public let property: String?
    /// What stands for no value, where the mapping fills nulls.
    public let fill: AttributeValue?
  }
}

extension DataPrecondition {
  /// A Boolean value that indicates whether it is about values that another type has to hold exactly.
  package var isAboutExactness: Bool {
    switch requirement {
    case .valuesFit: true
    case .noRows, .noNulls, .noDuplicates: false
    }
  }

  /// The error of Core Data that comes up where the rows do not allow it.
  public var coreDataError: Int {
    switch requirement {
    case .noRows, .noNulls, .valuesFit: 134_110
    case .noDuplicates: 134_111
    }
  }
}
