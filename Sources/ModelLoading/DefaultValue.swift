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
    switch type {
    case .boolean: "Write true or false."
    case .integer16: "Write a whole number from \(Int16.min) to \(Int16.max)."
    case .integer32: "Write a whole number from \(Int32.min) to \(Int32.max)."
    case .integer64: "Write a whole number from \(Int64.min) to \(Int64.max)."
    case .date: "Write seconds since 2001-01-01 00:00:00 UTC."
    case .uuid: "Write 32 hexadecimal digits in groups of 8, 4, 4, 4 and 12."
    case .enumeration(let values): "The values are \(values.joined(separator: ", "))."
    case .binary, .transformable, .objectID, .composite, .undefined:
      "Attributes of this type have no default values."
    case .json: "Write a JSON document."
    case .calendarDate: "Write 2001-01-31."
    case .time: "Write 23:59:59.5."
    case .interval: "Write 1 day 2 hours, or 1 day 02:00:00."
    case .inet: "Write 192.168.0.1, 10.0.0.0/8 or ::1."
    case .array: "Write {1,2} or {\"a b\",c}."
    case .decimal, .double, .float, .string, .uri, .numeric, .varchar, .sql:
      nil
    }
  }
}
