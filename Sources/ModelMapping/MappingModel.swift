/// How the rows of one model version become the rows of another.
///
/// A file only contains the parts that inference cannot determine; ``CompleteMapping`` has the
/// rest.
public struct MappingModel: Hashable, Sendable {
  /// The mappings of the entities, in the order in which they are carried out.
  public var entityMappings: [EntityMapping]
  /// SQL that runs before the first entity mapping.
  public var before: [SQLTemplate]
  /// SQL that runs after the last entity mapping.
  public var after: [SQLTemplate]

  /// Creates a mapping model.
  public init(
    entityMappings: [EntityMapping],
    before: [SQLTemplate] = [],
    after: [SQLTemplate] = []
  ) {
    self.entityMappings = entityMappings
    self.before = before
    self.after = after
  }
}
