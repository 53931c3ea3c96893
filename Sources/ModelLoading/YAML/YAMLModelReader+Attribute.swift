import ObjectModel

/// Attributes: a type alone, or a mapping.
extension YAMLModelReader {
  mutating func attribute(_ entry: YAMLEntry) -> AttributeDescription {
    guard case .mapping = entry.value.content else { return plainAttribute(entry) }
    let place = "attribute \"\(entry.key)\""
    let fields = fields(of: entry.value, keys: YAMLKeys.attribute, in: place)
    var type: (type: AttributeType, isOptional: Bool)? = (.undefined, false)
    if let node = fields["type"] {
      type = text(node, what: "type").flatMap { self.type($0, at: node.offset) }
    }
    var attribute = AttributeDescription(
      name: entry.key,
      type: type?.type ?? .string,
      isOptional: isOptional(fields["optional"], marked: type?.isOptional ?? false),
      isTransient: boolean(fields["transient"], what: "transient") ?? false,
      defaultExpression: text(fields["defaultSQL"], what: "defaultSQL"),
      generationExpression: text(fields["generatedSQL"], what: "generatedSQL"),
      numbering: choice(fields["numbered"], what: "numbered", among: Self.numberings),
      derivationExpression: text(fields["derivation"], what: "derivation"),
      renamingIdentifier: text(fields["renamingIdentifier"], what: "renamingIdentifier"),
      versionHashModifier: text(fields["versionHashModifier"], what: "versionHashModifier"),
      columnName: text(fields["column"], what: "column"),
      isIndexed: boolean(fields["indexed"], what: "indexed") ?? false,
      valueTransformerName: text(fields["transformer"], what: "transformer"),
      userInfo: userInfo(fields["userInfo"]),
      foreign: foreign(fields)
    )
    guard type != nil else { return attribute }
    attribute.defaultValue = fields["default"].flatMap { defaultValue($0, of: attribute) }
    attribute.validation = validation(fields["validation"], of: attribute)
    return attribute
  }

  /// Returns an attribute of which only the type is written; all that are written alike share one value.
  private mutating func plainAttribute(_ entry: YAMLEntry) -> AttributeDescription {
    guard let text = text(entry.value, what: "attribute \"\(entry.key)\"") else {
      return AttributeDescription(name: entry.key, type: .string)
    }
    let plain = PlainAttribute(name: entry.key, type: text)
    if let known = plainAttributes[plain] { return known }
    guard let type = type(text, takesFields: true, at: entry.value.offset) else {
      return AttributeDescription(name: entry.key, type: .string)
    }
    let attribute = AttributeDescription(
      name: entry.key,
      type: type.type,
      isOptional: type.isOptional
    )
    plainAttributes[plain] = attribute
    return attribute
  }

  /// Returns a type, whose spelling ends in a question mark if the value is optional.
  private mutating func type(
    _ text: String,
    takesFields: Bool = false,
    at offset: Int
  ) -> (type: AttributeType, isOptional: Bool)? {
    let isOptional = text.hasSuffix("?")
    let name = isOptional ? String(text.dropLast()) : text
    if let type = AttributeType(name) { return (type, isOptional) }
    error(
      TypeSpelling.message(about: name),
      hint: TypeSpelling.hint(for: name, isOptional: isOptional, takesFields: takesFields),
      at: offset
    )
    return nil
  }

  /// Returns whether there may be no value, by the key or by the question mark.
  mutating func isOptional(_ node: YAMLNode?, marked isMarked: Bool) -> Bool {
    guard let node, let isOptional = boolean(node, what: "optional") else { return isMarked }
    if isMarked, !isOptional {
      error("optional is false, but the question mark says that it is optional", at: node.offset)
    }
    return isOptional
  }

  private mutating func defaultValue(
    _ node: YAMLNode,
    of attribute: AttributeDescription
  ) -> AttributeValue? {
    guard let text = constant(node, of: attribute.type) else { return nil }
    let value =
      attribute.type == .date
      ? seconds(text).flatMap { AttributeValue($0, of: .date) }
      : AttributeValue(text, of: attribute.type)
    if let value { return value }
    let problem = DefaultValue.complaint(about: text, of: attribute)
    let hint = attribute.type == .date ? "Write 2001-01-01T00:00:00Z." : problem.hint
    error(problem.message, hint: hint, at: node.offset)
    return nil
  }

  /// Returns the text of a default; documents and arrays can be YAML's own.
  private mutating func constant(_ node: YAMLNode, of type: AttributeType) -> String? {
    if case .scalar = node.content { return text(node, what: "default") }
    switch type.canonical {
    case .json: return node.json
    case .array:
      if let constant = node.arrayConstant { return constant }
      return text(node, what: "default")
    default: return text(node, what: "default")  // Types whose constants are no lists.
    }
  }

  private mutating func validation(
    _ node: YAMLNode?,
    of attribute: AttributeDescription
  ) -> AttributeValidation {
    guard let node else { return AttributeValidation() }
    let place = "the validation of attribute \"\(attribute.name)\""
    let fields = fields(of: node, keys: YAMLKeys.validation, in: place)
    for key in attribute.type.hasLength ? ["minimum", "maximum"] : [] {
      guard let bound = fields[key] else { continue }
      error(
        "attribute \"\(attribute.name)\" of type \(attribute.type) has no \(key)",
        hint: "Did you mean \"\(key)Length\"?",
        at: bound.offset
      )
    }
    return AttributeValidation(
      minimum: bound(fields["minimum"], what: "minimum", of: attribute),
      maximum: bound(fields["maximum"], what: "maximum", of: attribute),
      minimumLength: count(fields["minimumLength"], what: "minimumLength"),
      maximumLength: count(fields["maximumLength"], what: "maximumLength"),
      pattern: text(fields["pattern"], what: "pattern"),
      isEnforced: boolean(fields["enforced"], what: "enforced") ?? false
    )
  }

  private mutating func bound(
    _ node: YAMLNode?,
    what: String,
    of attribute: AttributeDescription
  ) -> String? {
    guard let node, let text = text(node, what: what) else { return nil }
    let digits = attribute.type == .date ? seconds(text) : canonicalDecimal(text)
    if let digits { return digits }
    error("\(what) is \"\(text)\", not a number", at: node.offset)
    return nil
  }

  /// Returns the seconds since 2001 that a number or an instant stands for.
  private func seconds(_ text: String) -> String? {
    canonicalDecimal(text) ?? secondsSince2001(text)
  }
}

/// What is written of an attribute that has nothing but a type.
struct PlainAttribute: Hashable {
  let name: String
  let type: String

  // Texts that look the same can have other bytes, which the hash of the model tells apart.
  static func == (first: Self, second: Self) -> Bool {
    first.name.utf8.elementsEqual(second.name.utf8)
      && first.type.utf8.elementsEqual(second.type.utf8)
  }
}
