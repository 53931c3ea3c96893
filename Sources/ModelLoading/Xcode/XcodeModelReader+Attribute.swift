import Diagnostics
import ObjectModel

/// `<attribute>`, of an entity or of a composite.
extension XcodeModelReader {
  mutating func attribute(_ root: XMLElement) -> AttributeDescription? {
    var element = XcodeElement(root)
    let name = required("name", of: &element)
    var others = root.children
    var userInfo = userInfo(besides: &others)
    var settings = StorageSettings(takingFrom: &userInfo)
    let type = type(of: &element, settings: &settings)
    var attribute = AttributeDescription(
      name: name ?? "",
      type: type ?? .string,
      isOptional: boolean("optional", of: &element),
      isTransient: boolean("transient", of: &element),
      defaultExpression: settings.take("defaultSQL"),
      generationExpression: settings.take("generatedSQL"),
      numbering: settings.choice(
        "numbered",
        among: YAMLModelReader.numberings,
        at: root,
        &self
      ),
      derivationExpression: derivation(of: &element),
      renamingIdentifier: renamingIdentifier(of: &element),
      versionHashModifier: element.takeText("versionHashModifier"),
      columnName: settings.take("column"),
      isIndexed: boolean("indexed", of: &element),
      valueTransformerName: element.takeText("valueTransformerName"),
      userInfo: userInfo
    )
    if type != nil {
      attribute.defaultValue = defaultValue(of: &element, for: attribute)
      attribute.validation = validation(of: &element, for: attribute)
    }
    attribute.validation.isEnforced =
      settings.take("enforce").flatMap { settings.flag($0, of: "enforce", at: root, &self) }
      ?? false
    let allowed = ["column", "type", "enforce", "defaultSQL", "generatedSQL", "numbered"]
    settings.refuseRest(at: root, allowed: allowed, &self)
    attribute.foreign = foreign(element, others: others, known: Self.attributeForeign)
    return name == nil ? nil : attribute
  }

  private static let attributeForeign: Set = [
    "syncable", "usesScalarValueType", "customClassName", "allowsExternalBinaryDataStorage",
    "allowsCloudEncryption", "preserveAfterDeletion", "spotlightIndexingEnabled", "ephemeral",
    "storedInTruthFile", "derivationExpression", "attributeType", "composite",
    "defaultValueString", "valueTransformerName",
  ]

  private static let attributeTypes = Dictionary(
    uniqueKeysWithValues: AttributeType.xcodeTypes.map { ($0.word, $0.value) }
  )

  /// Returns the type, ours in user info before Xcode's, or `nil` after a complaint.
  private mutating func type(
    of element: inout XcodeElement,
    settings: inout StorageSettings
  ) -> AttributeType? {
    if let text = settings.take("type") {
      if let type = AttributeType(text) {
        if let word = element.take("attributeType"), word != type.xcodeStandIn {
          element.putBack("attributeType", word)
        }
        return type
      }
      error(
        TypeSpelling.message(about: text),
        hint: TypeSpelling.hint(for: text, takesFields: false),
        at: element.element
      )
      return nil
    }
    guard let word = element.takeText("attributeType") else { return .undefined }
    if word == "Composite" {
      return required("composite", of: &element).map { .composite($0) }
    }
    if let type = Self.attributeTypes[word] { return type }
    if element.element.attributes.contains(where: { $0.name == "transient" && $0.value == "YES" }) {
      element.putBack("attributeType", word)
      warning(
        "unrecognized attribute type \"\(word)\"",
        detail: "The attribute is transient, so it has no column anyway.",
        at: element.element,
        attribute: "attributeType"
      )
      return .undefined
    }
    let words = AttributeType.xcodeTypes.map(\.word) + ["Composite"]
    error(
      "unrecognized attribute type \"\(word)\"",
      hint: suggestion(for: word, among: words).map { "Did you mean \"\($0)\"?" },
      at: element.element,
      attribute: "attributeType"
    )
    return nil
  }

  private mutating func derivation(of element: inout XcodeElement) -> String? {
    let isDerived = boolean("derived", of: &element)
    let expression = element.takeText("derivationExpression")
    if isDerived, expression == nil {
      warning(
        "derived attribute has no derivation expression",
        detail: "It is read as an ordinary attribute.",
        at: element.element
      )
    }
    if !isDerived, let expression { element.putBack("derivationExpression", expression) }
    return isDerived ? expression : nil
  }
}
