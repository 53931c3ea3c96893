/// An attribute of an entity.
public struct AttributeDescription: Hashable, Sendable {
  /// The name, unique among the properties of the entity and of all its superentities.
  public var name: String {
    get { fields.value.name }
    _modify { yield &fields.value.name }
  }
  /// The type of its values.
  public var type: AttributeType {
    get { fields.value.type }
    _modify { yield &fields.value.type }
  }
  /// A Boolean value that indicates whether there may be no value.
  public var isOptional: Bool {
    get { fields.value.isOptional }
    _modify { yield &fields.value.isOptional }
  }
  /// A Boolean value that indicates whether the value lives in the application only.
  public var isTransient: Bool {
    get { fields.value.isTransient }
    _modify { yield &fields.value.isTransient }
  }
  /// The value that new rows get.
  public var defaultValue: AttributeValue? {
    get { fields.value.defaultValue }
    _modify { yield &fields.value.defaultValue }
  }
  /// The value that new rows get, in the server's words.
  public var defaultExpression: String? {
    get { fields.value.defaultExpression }
    _modify { yield &fields.value.defaultExpression }
  }
  /// How the server computes the value of every row, in its own words.
  public var generationExpression: String? {
    get { fields.value.generationExpression }
    _modify { yield &fields.value.generationExpression }
  }
  /// The kind of sequence that numbers the rows.
  public var numbering: Numbering? {
    get { fields.value.numbering }
    _modify { yield &fields.value.numbering }
  }
  /// What the application checks.
  public var validation: AttributeValidation {
    get { fields.value.validation }
    _modify { yield &fields.value.validation }
  }
  /// How the value follows from others, in Core Data's words: `canonical:(name)`, `books.@count`.
  public var derivationExpression: String? {
    get { fields.value.derivationExpression }
    _modify { yield &fields.value.derivationExpression }
  }
  /// The name that the attribute had first, where it has been renamed.
  public var renamingIdentifier: String? {
    get { fields.value.renamingIdentifier }
    _modify { yield &fields.value.renamingIdentifier }
  }
  /// A mark that makes the version differ where the schema does not.
  public var versionHashModifier: String? {
    get { fields.value.versionHashModifier }
    _modify { yield &fields.value.versionHashModifier }
  }
  /// The column, where it is not to be called after the attribute.
  public var columnName: String? {
    get { fields.value.columnName }
    _modify { yield &fields.value.columnName }
  }
  /// A Boolean value that indicates whether the attribute has an index in the oldest syntax.
  public var isIndexed: Bool {
    get { fields.value.isIndexed }
    _modify { yield &fields.value.isIndexed }
  }
  /// The transformer of a transformable attribute.
  public var valueTransformerName: String? {
    get { fields.value.valueTransformerName }
    _modify { yield &fields.value.valueTransformerName }
  }
  /// Notes of the model's author, by key.
  public var userInfo: [String: String] {
    get { fields.value.userInfo }
    _modify { yield &fields.value.userInfo }
  }
  /// What the file says besides.
  public var foreign: ForeignContent {
    get { fields.value.foreign }
    _modify { yield &fields.value.foreign }
  }

  private var fields: Shared<Fields>

  private struct Fields: Hashable, Sendable {
    var name: String
    var type: AttributeType
    var isOptional: Bool
    var isTransient: Bool
    var defaultValue: AttributeValue?
    var defaultExpression: String?
    var generationExpression: String?
    var numbering: Numbering?
    var validation: AttributeValidation
    var derivationExpression: String?
    var renamingIdentifier: String?
    var versionHashModifier: String?
    var columnName: String?
    var isIndexed: Bool
    var valueTransformerName: String?
    var userInfo: [String: String]
    var foreign: ForeignContent
  }

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
    fields = Shared(
      Fields(
        name: name,
        type: type,
        isOptional: isOptional,
        isTransient: isTransient,
        defaultValue: defaultValue,
        defaultExpression: defaultExpression,
        generationExpression: generationExpression,
        numbering: numbering,
        validation: validation,
        derivationExpression: derivationExpression,
        renamingIdentifier: renamingIdentifier,
        versionHashModifier: versionHashModifier,
        columnName: columnName,
        isIndexed: isIndexed,
        valueTransformerName: valueTransformerName,
        userInfo: userInfo,
        foreign: foreign
      )
    )
  }

  /// A Boolean value that indicates whether the database computes the value.
  package var isComputed: Bool { derivationExpression != nil || generationExpression != nil }

  /// The name by which versions are matched: the renaming identifier, else the name.
  package var canonicalName: String { renamingIdentifier ?? name }
}
