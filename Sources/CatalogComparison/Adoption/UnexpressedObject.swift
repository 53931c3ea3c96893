/// Something in a schema that a model has no words for: it is left alone.
public struct UnexpressedObject: Hashable, Sendable {
  /// The object.
  public let subject: Subject
  /// Why the model does not have it.
  public let reason: Reason

  /// The kinds of objects that can be left alone.
  public enum Subject: Hashable, Sendable {
    /// A table, or something that belongs to one.
    case part(CatalogObject)
    /// Any other object, by its kind and its name in the server's words: `view`, `public.recent`.
    case other(kind: String, name: String)
  }

  /// Why a model does not have something.
  public enum Reason: Hashable, Sendable {
    // Of tables.
    case noKey
    case compositeKey
    case unusualKey
    case joinOfOthers
    case partitionedByExpression
    case partitionedByColumns
    case partitionedByType(_ column: String, _ type: String)
    case subpartitioned
    case noPartitions
    case differentIntervals
    case valuesTogether
    case differentHashes
    case keyOfPartitions(String)
    case repeatableKey(String)
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
    case columnDividesRows(String)
    case columnIsMade(String)
    case columnIsTaken(String)
    case otherType(String)
    case unusualConstraint
    case partOfKey(String)
    case invalidIndex
    case ofJoinTable
    // Reasons for parts of tables.
    case trigger
    case rule
    case policy
    case child
    case facets([ObjectDefinition.Facet], actual: [String])
    // Reasons for tables.
    case noEntity
    case ownType
    case routine
    case ownSequence
    case schemaOfOthers(tableCount: Int)
    /// The model's object differs from the existing one.
    case differs(expected: String?, actual: String?)
    /// The server refuses the model's form of it.
    case refused(String)
  }

  /// Creates an entry of the list of objects to leave alone.
  package init(_ subject: Subject, _ reason: Reason) {
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
extension UnexpressedObject: CustomStringConvertible {
  /// The object in the words of the catalog: `trigger "stamp" of table "book"`.
  public var description: String {
    switch subject {
    case .part(let object): object.description
    case .other(let kind, let name): "\(kind) \(name)"
    }
  }

  /// The word for its kind.
  public var kind: String {
    switch subject {
    case .part(let object): object.kind.rawValue
    case .other(let kind, _): kind
    }
  }

  /// Why the model does not have it, as part of a sentence.
  public var explanation: String {
    // Settings of tables are copied with them; the model creates columns and sequences.
    guard case .facets = reason, let part, part.kind == .column || part.kind == .sequence else {
      return reason.text
    }
    return reason.text + "; a migration that copies the rows to a new table does not keep it"
  }
}

extension UnexpressedObject.Reason {
  fileprivate var text: String {
    switch self {
    case .noKey: "it has no primary key, by which an entity tells its rows apart"
    case .compositeKey: "its primary key has several columns, and that of an entity has one"
    case .unusualKey: "its primary key is deferrable or has further columns in its index"
    case .joinOfOthers:
      "it joins tables as no join table of a model does: by its columns, their order in the key, or "
        + "its constraints"
    case .partitionedByExpression:
      "it is partitioned by an expression, or with a collation or an operator class of its own"
    case .partitionedByColumns:
      "it is partitioned by several columns, and the table of an entity is by one"
    case .partitionedByType(let column, let type):
      "it is partitioned by column \"\(column)\" of type \(type), for which a model has no such "
        + "partitions"
    case .subpartitioned: "a partition of it has partitions itself"
    case .noPartitions: "it has no partition that says what those of a model are to be"
    case .differentIntervals:
      "its partitions are not of one length: of hours, days, weeks, months or years in UTC, or of "
        + "whole numbers"
    case .valuesTogether:
      "a partition of it has several values or none, and each value of a model has its own"
    case .differentHashes:
      "its partitions do not have each remainder of one modulus, as those of a model"
    case .keyOfPartitions(let column):
      "its primary key is not that of an entity: one column, with column \"\(column)\" after it, by "
        + "which the table is partitioned"
    case .repeatableKey(let column):
      "column \"\(column)\" is unique only with the one by which the table is partitioned, and the key "
        + "of an entity tells rows apart by itself"
    case .inheritance: "it inherits from another table, or another one from it"
    case .unlogged: "it is unlogged"
    case .typedTable: "its columns are those of a composite type"
    case .notATable: "the rows of an entity are in an ordinary table"
    case .notInModel: "the model does not have it"
    case .recordOf(let tool): "\(tool) records its migrations in it"
    case .virtualColumn(let column): "column \"\(column)\" is generated and not stored"
    case .unspeakableType(let column, let type):
      "column \"\(column)\" has a type that cannot be named: \(type)"
    case .exclusion: "a model has only exclusion constraints of columns, and of ranges that overlap"
    case .notValid: "it is not valid: rows that were there before it may break it"
    case .severalColumns: "it refers to another table by several columns"
    case .otherSchema(let schema): "it refers to a table of schema \"\(schema)\""
    case .notTheKey(let table): "it refers to a column of table \"\(table)\" that is not its key"
    case .tableWithoutEntity(let table):
      "it refers to table \"\(table)\", which no entity stands for"
    case .columnIsKey(let column): "its column \"\(column)\" is the key of its own table"
    case .columnDividesRows(let column):
      "its column \"\(column)\" decides which partition a row is in, which a relationship does not"
    case .columnIsMade(let column):
      "its column \"\(column)\" has a default or is generated, which a relationship is not"
    case .columnIsTaken(let column): "another foreign key has its column \"\(column)\""
    case .otherType(let column):
      "its column \"\(column)\" is of another type than the key that it refers to"
    case .unusualConstraint: "it has options that a model has no words for"
    case .partOfKey(let column): "its column \"\(column)\" is the key, which is no property"
    case .invalidIndex: "it was not built to its end"
    case .ofJoinTable: "a join table of a model has nothing of the kind"
    case .trigger: "triggers of others have no place in a model"
    case .rule: "rules have no place in a model"
    case .policy: "policies have no place in a model"
    case .child: "tables that inherit have no place in a model"
    case .facets(let facets, let actual):
      zip(facets, actual).map { "\($0.words) is \($1)" }.joined(separator: ", ")
        + ", of which a model says nothing"
    case .noEntity: "a model has tables only"
    case .ownType: "a model uses it by its name, and does not make it"
    case .routine: "functions have no place in a model"
    case .ownSequence: "no column owns it"
    case .schemaOfOthers(let count):
      "a model has one schema; there \(count == 1 ? "is 1 table" : "are \(count) tables") in it"
    case .differs(let expected, let actual):
      "the model would make it "
        + (expected.map { "\"\($0)\"" } ?? "not at all")
        + (actual.map { ", and it is \"\($0)\"" } ?? "")
    case .refused(let message):
      "the server refuses the definition that the model has for it: \(message)"
    }
  }
}

extension ObjectDefinition.Facet {
  /// The facet in plain words.
  fileprivate var words: String {
    switch self {
    case .rowSecurity: "row security"
    case .replicaIdentity: "replica identity"
    case .accessMethod: "access method"
    case .relationKind, .partitionKey, .distribution, .persistence, .inherits, .owner, .storage,
      .type, .collation,
      .nullability,
      .notNullConstraint, .defaultExpression, .identity, .generation, .constraintKind, .columns,
      .references, .onDelete, .deferrability, .enforcement, .validity, .uniqueness, .extent,
      .column, .start, .increment, .minimum, .maximum, .cache, .cycle, .firing, .function,
      .definition:
      rawValue
    }
  }

  /// Returns whether a model does not determine the facet, so that an object that Remodel did not
  /// create may have any value.
  func isOutsideModels(of kind: CatalogObject.Kind) -> Bool {
    switch self {
    case .rowSecurity, .replicaIdentity, .accessMethod, .collation: true
    case .type, .start, .increment, .minimum, .maximum, .cache, .cycle: kind == .sequence
    case .relationKind, .partitionKey, .distribution, .persistence, .inherits, .owner, .storage,
      .nullability,
      .notNullConstraint,
      .defaultExpression, .identity, .generation, .constraintKind, .columns, .references,
      .onDelete, .deferrability, .enforcement, .validity, .uniqueness, .extent, .column, .firing,
      .function, .definition:
      false
    }
  }
}
