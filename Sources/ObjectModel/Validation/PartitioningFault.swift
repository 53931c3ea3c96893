/// The faults of how a table is partitioned.
package enum PartitioningFault: Hashable, Sendable {
  /// The hierarchy has no attribute of the name.
  case unrecognizedAttribute(String, suggestion: String?)
  /// A subentity declares the attribute.
  case attributeBelowRoot(String, entity: String)
  /// Nothing can be partitioned by such an attribute.
  case unusableAttribute(String, Unusable)
  /// The interval is not one of the attribute's values.
  case rangeOfOtherType(String, AttributeType, every: PartitioningDescription.Interval)
  /// Values of the attribute's type cannot be listed.
  case listOfOtherType(String, AttributeType)
  /// Values of the attribute's type have no hash.
  case hashOfOtherType(String, AttributeType)

  /// An interval is none, or too long; the key is that of the setting.
  case intervalOutOfBounds(String, PartitioningDescription.Interval)
  /// Of two intervals one is a time, and the other one is not.
  case retentionOfOtherKind(
    PartitioningDescription.Interval,
    every: PartitioningDescription.Interval
  )
  /// Partitions would be removed while rows are still inserted.
  case shortRetention(PartitioningDescription.Interval, every: PartitioningDescription.Interval)
  /// There would be too few partitions ahead, or too many.
  case aheadOutOfBounds(Int)
  /// The setting belongs to another method; this is its key.
  case settingOfOtherMethod(String, PartitionKey)

  /// The values are not listed, and do not follow from the type.
  case missingValues(String, AttributeType)
  /// No values are listed.
  case noValues
  /// A value is listed twice.
  case repeatedValue(String)
  /// A value is none of the type's.
  case valueOfOtherType(String, AttributeType)
  /// There are too many values.
  case tooManyValues(Int)
  /// There would be too few partitions by hash, or too many.
  case countOutOfBounds(Int)

  /// A uniqueness constraint does not contain the attribute, or cannot contain the key.
  case uniqueAcrossPartitions(attribute: String?)
  /// A foreign key cannot refer to the table.
  case reference(to: String, attribute: String)
  /// The column of a one-to-one relationship is unique.
  case uniqueLink(PartitionKey)

  /// The reason why nothing can be partitioned by an attribute.
  package enum Unusable: Hashable, Sendable {
    case transient, optional, composite, computed
  }
}
