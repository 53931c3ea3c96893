import ObjectModel

/// Words about default values that are not of their attribute's type.
enum DefaultValue {
  static func complaint(
    about text: String,
    of attribute: AttributeDescription
  ) -> (message: String, hint: String?) {
    (
      "default value \"\(text)\" of attribute \"\(attribute.name)\" is not of type \(attribute.type)",
      hint(for: attribute.type)
    )
  }

  private static func hint(for type: AttributeType) -> String? {
    switch type.kind {
    case .boolean: "Write true or false."
    case .integer(let bits):
      "Write a whole number from \(Int64.min >> (64 - bits)) to \(Int64.max >> (64 - bits))."
    case .instant: "Write seconds since 2001-01-01 00:00:00 UTC."
    case .uuid: "Write 32 hexadecimal digits in groups of 8, 4, 4, 4 and 12."
    case .text(.listed(let values)): "The values are \(values.joined(separator: ", "))."
    case .bytes, .objectID, .none: "Attributes of this type have no default values."
    case .constant, .array: type.traits.example.map { "Write \($0)." }
    case .decimal, .floating, .text(.all), .text(.upTo): nil
    }
  }
}
