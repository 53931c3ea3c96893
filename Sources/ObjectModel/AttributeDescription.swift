/// An attribute of an entity.
public struct AttributeDescription: Hashable, Sendable {
  /// The name, unique among the properties of the entity and of all its superentities.
  public var name: String
  /// The type of its values.
  public var type: AttributeType
  /// A Boolean value that indicates whether there may be no value.
  public var isOptional: Bool
  /// A Boolean value that indicates whether the value lives in the application only.
  public var isTransient: Bool
  /// The value that new rows get.
  public var defaultValue: AttributeValue?
  /// The value that new rows get, in the server's words.
  public var defaultExpression: String?
  /// The expression of a generated column, in SQL.
  public var generationExpression: String?
  /// The kind of sequence that numbers the rows.
  public var numbering: Numbering?
  /// The validation in the application.
  public var validation: AttributeValidation
  /// The expression that computes the value, in Core Data's language: `canonical:(name)`,
  /// `books.@count`.
  public var derivationExpression: String?
  /// The name that the attribute had first, where it has been renamed.
  public var renamingIdentifier: String?
  /// A modifier that changes the version hash of an unchanged schema.
  public var versionHashModifier: String?
  /// The column, where it is not to be called after the attribute.
  public var columnName: String?
  /// A Boolean value that indicates whether the attribute has an index in the oldest syntax.
  public var isIndexed: Bool
  /// The transformer of a transformable attribute.
  public var valueTransformerName: String?
  /// Notes of the model's author, by key.
  public var userInfo: [String: String]
  /// Contents of the file without a meaning for a database.
  public var foreign: ForeignContent

  /// The kind of sequence that numbers rows.
  public enum Numbering: String, Hashable, Sendable, Codable, CaseIterable {
    /// One that belongs to the column; a value that is given wins.
    case identity
    /// One that belongs to the column; no value can be given.
    case identityAlways
    /// One that the column's default asks.
    case serial
  }

  /// Creates an attribute.
  public init(
    name: String,
    type: AttributeType,
    isOptional: Bool = true,
    isTransient: Bool = false,
    defaultValue: AttributeValue? = nil,
    defaultExpression: String? = nil,
    generationExpression: String? = nil,
    numbering: Numbering? = nil,
    validation: AttributeValidation = AttributeValidation(),
    derivationExpression: String? = nil,
    renamingIdentifier: String? = nil,
    versionHashModifier: String? = nil,
    columnName: String? = nil,
    isIndexed: Bool = false,
    valueTransformerName: String? = nil,
    userInfo: [String: String] = [:],
    foreign: ForeignContent = ForeignContent()
  ) {
    self.name = name
    self.type = type
    self.isOptional = isOptional
    self.isTransient = isTransient
    self.defaultValue = defaultValue
    self.defaultExpression = defaultExpression
    self.generationExpression = generationExpression
    self.numbering = numbering
    self.validation = validation
    self.derivationExpression = derivationExpression
    self.renamingIdentifier = renamingIdentifier
    self.versionHashModifier = versionHashModifier
    self.columnName = columnName
    self.isIndexed = isIndexed
    self.valueTransformerName = valueTransformerName
    self.userInfo = userInfo
    self.foreign = foreign
  }

  /// A Boolean value that indicates whether the database computes the value.
  public var isComputed: Bool { derivationExpression != nil || generationExpression != nil }

  /// The name by which versions are matched: the renaming identifier, else the name.
  public var canonicalName: String { renamingIdentifier ?? name }
}
