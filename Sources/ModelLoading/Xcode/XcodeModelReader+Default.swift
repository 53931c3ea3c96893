import ObjectModel

/// Default values and validation of `<attribute>`.
extension XcodeModelReader {
  mutating func defaultValue(
    of element: inout XcodeElement,
    for attribute: AttributeDescription
  ) -> AttributeValue? {
    let interval = element.takeText("defaultDateTimeInterval")
    let text = element.take("defaultValueString")
    if let interval, attribute.type == .date {
      return value(interval, written: "defaultDateTimeInterval", of: attribute, at: element.element)
    }
    if let interval { element.putBack("defaultDateTimeInterval", interval) }
    guard let text else { return nil }
    if attribute.type.hasConstants {
      return value(text, written: "defaultValueString", of: attribute, at: element.element)
    }
    element.putBack("defaultValueString", text)
    if attribute.type != .undefined {
      warning(
        "default value of attribute \"\(attribute.name)\" has no effect",
        detail: "Attributes of type \(attribute.type) have no default values.",
        at: element.element,
        attribute: "defaultValueString"
      )
    }
    return nil
  }

  private mutating func value(
    _ text: String,
    written name: String,
    of attribute: AttributeDescription,
    at root: XMLElement
  ) -> AttributeValue? {
    if let value = AttributeValue(text, of: attribute.type) { return value }
    // An attribute that was Boolean once keeps its old word in the file.
    if let stale = ["YES": "1", "NO": "0"][text],
      let value = AttributeValue(stale, of: attribute.type)
    {
      warning(
        "default value \"\(text)\" of attribute \"\(attribute.name)\" is taken for \(stale)",
        at: root,
        attribute: name
      )
      return value
    }
    let problem = DefaultValue.complaint(about: text, of: attribute)
    warning(
      problem.message,
      detail: "The attribute is read without a default value.",
      hint: problem.hint,
      at: root,
      attribute: name
    )
    return nil
  }

  mutating func validation(
    of element: inout XcodeElement,
    for attribute: AttributeDescription
  ) -> AttributeValidation {
    var validation = AttributeValidation()
    validation.pattern = element.takeText("regularExpressionString")
    if attribute.type.hasLength {
      validation.minimumLength = count("minValueString", of: &element)
      validation.maximumLength = count("maxValueString", of: &element)
    } else if attribute.type == .date {
      validation.minimum = number("minDateTimeInterval", of: &element)
      validation.maximum = number("maxDateTimeInterval", of: &element)
    } else {
      validation.minimum = number("minValueString", of: &element)
      validation.maximum = number("maxValueString", of: &element)
    }
    return validation
  }
}
