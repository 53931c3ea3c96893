/// Something in a schema that a model has no words for: it is left alone.
public struct UnexpressedObject: Hashable, Sendable {
  /// What it is.
  public let subject: Subject
  /// Why the model does not have it.
  public let reason: Reason

  /// What can be left alone.
  public enum Subject: Hashable, Sendable {
    /// A table, or something that belongs to one.
    case part(CatalogObject)
    /// Anything else, by its kind and its name as the server says them: `view`, `public.recent`.
    case other(kind: String, name: String)
  }

  /// Why a model does not have something.
  public enum Reason: Hashable, Sendable {
    // Of tables.
    case noKey
    case compositeKey
    case unusualKey
    case joinOfOthers
    case partitioned
    case inheritance
    case unlogged
    case typedTable
    case notATable
    case notInModel
    case recordOf(tool: String)
    case virtualColumn(String)
    case unspeakableType(column: String, String)
    // Of constraints and indexes.
    case exclusion
    case notValid
    case severalColumns
    case otherSchema(String)
    case notTheKey(String)
    case tableWithoutEntity(String)
    case columnIsKey(String)
    case columnIsMade(String)
    case columnIsTaken(String)
    case otherType(String)
    case unusualConstraint
    case partOfKey(String)
    case invalidIndex
    case ofJoinTable
    // Of what belongs to tables.
    case trigger
    case rule
    case policy
    case child
    case facets([ObjectDefinition.Facet], actual: [String])
    // Of what belongs to none.
    case noEntity
    case ownType
    case routine
    case ownSequence
    case schemaOfOthers(tableCount: Int)
    /// What the model makes of it is not what is there.
    case differs(expected: String?, actual: String?)
    /// The server does not take what the model makes of it.
    case refused(String)
  }

  /// Creates an entry of the list of what is left alone.
  public init(_ subject: Subject, _ reason: Reason) {
    self.subject = subject
    self.reason = reason
  }

  /// Creates an entry of something that belongs to a table.
  init(_ kind: CatalogObject.Kind, _ name: String, of table: String, _ reason: Reason) {
    self.init(.part(CatalogObject(kind, table: table, name: name)), reason)
  }

  /// Creates an entry of a whole table.
  init(table: String, _ reason: Reason) {
    self.init(.part(CatalogObject(.table, table: table)), reason)
  }
}
