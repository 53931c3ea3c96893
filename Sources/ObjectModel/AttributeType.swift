package import SQLSyntax

/// The type of an attribute's values: Core Data's types, and PostgreSQL's own beside them.
public enum AttributeType: Hashable, Sendable {
  /// No type: only a transient attribute may have none.
  case undefined
  case integer16
  case integer32
  case integer64
  case decimal
  case double
  case float
  case string
  case uri
  case boolean
  /// An instant, Core Data's "Date".
  case date
  case binary
  case uuid
  /// A value that a transformer of the application converts to bytes.
  case transformable
  case objectID
  /// A group of attributes that the model defines under a name.
  case composite(String)

  /// A JSON document.
  case json
  /// A day of the calendar, PostgreSQL's `date`.
  case calendarDate
  case time
  case interval
  case inet
  /// The words of a text, PostgreSQL's `tsvector`.
  case textSearch
  /// A range of values.
  case range(RangeType)
  /// A decimal number with so many digits in all, and so many of them after the point.
  case numeric(precision: Int, scale: Int)
  /// Text of at most so many characters.
  case varchar(Int)
  indirect case array(AttributeType)
  /// One of the listed texts.
  case enumeration([String])
  /// Any other type of the server, by its name.
  case sql(String)

  /// A type of ranges, by PostgreSQL's name for it.
  public enum RangeType: String, Hashable, Sendable, CaseIterable {
    case int4range, int8range, numrange, daterange, tsrange, tstzrange
  }

  /// The types without parameters.
  ///
  /// Of those that share a column type, the first one is read from it.
  static let plain: [AttributeType] =
    [
      .undefined, .integer16, .integer32, .integer64, .decimal, .double, .float, .string, .uri,
      .boolean, .date, .binary, .uuid, .transformable, .objectID, .json, .calendarDate, .time,
      .interval, .inet, .textSearch,
    ] + RangeType.allCases.map(AttributeType.range)
}

/// All that differs from one attribute type to the other.
package struct AttributeTypeTraits: Sendable {
  /// The kind of a type's values.
  package enum Kind: Hashable, Sendable {
    case boolean
    /// Whole numbers of so many bits.
    case integer(bits: Int)
    /// Decimal numbers, with so many digits where they are limited.
    case decimal(DecimalDigits?)
    /// Binary fractions of so many significant bits.
    case floating(bits: Int)
    case text(TextDomain)
    case instant
    case uuid
    case bytes
    /// The keys of objects.
    case objectID
    /// Values of PostgreSQL's own types, in its words.
    case constant
    case array(AttributeType)
    /// No values, or a group of them.
    case none
  }

  /// How many digits decimal numbers have in all, and after the point.
  package struct DecimalDigits: Hashable, Sendable {
    /// How many digits there are in all.
    package let precision: Int
    /// How many of them are after the point.
    package let scale: Int
  }

  /// The kind of the values.
  package var kind: Kind
  /// The names in Xcode's files, the one to write first; none of PostgreSQL's own types.
  package var xcodeNames: [String]
  /// A constant, for hints.
  package var example: String?
  /// The kind of index that is of use for values.
  package var indexMethod: IndexMethod
  /// A Boolean value that indicates whether keys can be of the type.
  var canBeKey: Bool
  /// A Boolean value that indicates whether elements of arrays can be of the type.
  var canBeElement: Bool
  /// Whether the server reads a text as a constant of the type.
  let reads: @Sendable (String) -> Bool
  fileprivate let name: @Sendable () -> String
  fileprivate let columnType: @Sendable () -> SQLTypeName?

  /// A kind of index, by PostgreSQL's name for it.
  package enum IndexMethod: String, Hashable, Sendable {
    case btree, gin, gist
  }

  fileprivate init(
    _ name: @autoclosure @escaping @Sendable () -> String,
    _ kind: Kind,
    _ columnType: @autoclosure @escaping @Sendable () -> SQLTypeName?,
    xcode: String...,
    example: String? = nil,
    index: IndexMethod = .btree,
    canBeKey: Bool = true,
    canBeElement: Bool = true,
    reads: @escaping @Sendable (String) -> Bool = { _ in true }
  ) {
    self.name = name
    self.kind = kind
    self.columnType = columnType
    xcodeNames = xcode
    self.example = example
    indexMethod = index
    self.canBeKey = canBeKey
    self.canBeElement = canBeElement
    self.reads = reads
  }
}

extension AttributeType {
  /// All that differs from one type to the other.
  package var traits: AttributeTypeTraits {
    switch self {
    case .undefined:
      .init("undefined", .none, nil, xcode: "Undefined", canBeKey: false, canBeElement: false)
    case .integer16: .init("integer16", .integer(bits: 16), "smallint", xcode: "Integer 16")
    case .integer32: .init("integer32", .integer(bits: 32), "integer", xcode: "Integer 32")
    case .integer64: .init("integer64", .integer(bits: 64), "bigint", xcode: "Integer 64")
    case .decimal: .init("decimal", .decimal(nil), "numeric", xcode: "Decimal")
    case .double: .init("double", .floating(bits: 53), "double precision", xcode: "Double")
    case .float: .init("float", .floating(bits: 24), "real", xcode: "Float")
    case .string: .init("string", .text(.all), "text", xcode: "String")
    case .uri: .init("uri", .text(.all), "text", xcode: "URI")
    case .boolean: .init("boolean", .boolean, "boolean", xcode: "Boolean")
    case .date: .init("timestamp", .instant, "timestamp with time zone", xcode: "Date")
    case .binary: .init("binary", .bytes, "bytea", xcode: "Binary")
    case .uuid: .init("uuid", .uuid, "uuid", xcode: "UUID")
    case .transformable:
      .init(
        "transformable",
        .bytes,
        "bytea",
        xcode: "Transformable",
        canBeKey: false,
        canBeElement: false
      )
    case .objectID: .init("objectID", .objectID, "bigint", xcode: "ObjectID", "Object ID")
    case .composite(let name):
      .init(
        "composite(\(Self.arguments(in: name) == [name] ? name : ArgumentList.quoted(name)))",
        .none,
        nil,
        xcode: "Composite",
        canBeKey: false,
        canBeElement: false
      )
    case .json:
      .init(
        "json",
        .constant,
        "jsonb",
        example: "a JSON document",
        canBeKey: false,
        reads: JSONScanner.isDocument
      )
    case .calendarDate:
      .init("date", .constant, "date", example: "2001-01-31", reads: ClockScanner.isDate)
    case .time:
      .init(
        "time",
        .constant,
        "time without time zone",
        example: "23:59:59.5",
        reads: ClockScanner.isTime
      )
    case .interval:
      .init(
        "interval",
        .constant,
        "interval",
        example: "1 day 2 hours, 1 day 02:00:00 or P1DT2H",
        reads: IntervalScanner.isInterval
      )
    case .inet:
      .init(
        "inet",
        .constant,
        "inet",
        example: "192.168.0.1, 10.0.0.0/8 or ::1",
        reads: NetworkScanner.isAddress
      )
    case .textSearch:
      .init(
        "tsvector",
        .constant,
        "tsvector",
        example: "no default, but a derivation such as textSearch(\"english\", title)",
        index: .gin,
        canBeKey: false,
        reads: { _ in false }
      )
    case .range(let type):
      .init(
        type.rawValue,
        .constant,
        SQLTypeName(type.rawValue),
        example: RangeScanner.example(of: type),
        index: .gist,
        canBeKey: false,
        reads: { RangeScanner.isRange($0, of: type) }
      )
    case .numeric(let precision, let scale):
      .init(
        "numeric(\(precision),\(scale))",
        .decimal(.init(precision: precision, scale: scale)),
        SQLTypeName("numeric(\(precision),\(scale))")
      )
    case .varchar(let length):
      .init(
        "varchar(\(length))",
        .text(.upTo(length)),
        SQLTypeName("character varying(\(length))")
      )
    case .array(let element):
      .init(
        "\(element)[]",
        .array(element),
        // Of an array of the server's own types one more dimension is the same type.
        element.columnType.flatMap { $0.family == .array ? $0 : SQLTypeName("\($0.text)[]") },
        example: "{1,2} or {\"a b\",c}",
        canBeKey: false,
        canBeElement: false,
        reads: { ArrayScanner.isArray($0, of: element) }
      )
    case .enumeration(let values):
      .init(
        "enum(\(ArgumentList.text(of: values)))",
        .text(.listed(values)),
        "text",
        canBeKey: false,
        canBeElement: false
      )
    case .sql(let type):
      .init(
        "sql(\(ArgumentList.quoted(type)))",
        .constant,
        SQLTypeName(type).flatMap { _ in
          if case .sql(let name) = canonical { SQLTypeName(name) } else { canonical.columnType }
        }
      )
    }
  }

  /// The kind of the type's values.
  package var kind: AttributeTypeTraits.Kind { traits.kind }

  /// The type of the column; `nil` if the value has no column or several.
  package var columnType: SQLTypeName? { traits.columnType() }

  /// A Boolean value that indicates whether a sequence can give the values.
  package var isInteger: Bool {
    switch canonical.kind {
    case .integer, .objectID: true
    case .boolean, .decimal, .floating, .text, .instant, .uuid, .bytes, .constant, .array, .none:
      false
    }
  }

  /// A Boolean value that indicates whether values may be longer than an index takes.
  package var isUnbounded: Bool {
    if case .text(.listed) = kind { return false }
    return columnType?.isUnbounded ?? false
  }

  /// A Boolean value that indicates whether attributes of the type can have a constant as their default.
  package var hasConstants: Bool {
    switch kind {
    case .bytes, .objectID, .none: false
    case .boolean, .integer, .decimal, .floating, .text, .instant, .uuid, .constant, .array: true
    }
  }

  /// A Boolean value that indicates whether bounds of the type are on its length.
  package var hasLength: Bool {
    switch kind {
    case .text(.all), .text(.upTo): true
    case .text(.listed), .boolean, .integer, .decimal, .floating, .instant, .uuid, .bytes,
      .objectID, .constant, .array, .none:
      false
    }
  }

  /// The canonical form of the type: the model's own type if the server's name means one, otherwise
  /// the server's spelling of the name.
  ///
  /// `sql("int4")` is `integer32`, and `sql("TIMESTAMP(3)")` is
  /// `sql("timestamp(3) without time zone")`.
  package var canonical: AttributeType {
    if case .array(let element) = self {
      // To the server an array of arrays is an array of more dimensions.
      let element = element.canonical
      if case .array = element { return element }
      return .array(element)
    }
    guard case .sql(let name) = self else { return self }
    let parts = SQLTypeParts(name)
    let text = parts.elementText
    let element: AttributeType =
      switch (parts.name, parts.modifiers.count) {
      case ("numeric", 2): AttributeType(text) ?? .sql(text)
      case ("character varying", 1): AttributeType("varchar(\(parts.modifiers[0]))") ?? .sql(text)
      default: Self.typesByColumn[text] ?? .sql(text)  // Names of the server's types.
      }
    return parts.isArray ? .array(element) : element
  }

  private static let typesByColumn = Dictionary(
    plain.compactMap { type in type.columnType.map { ($0.text, type) } },
    uniquingKeysWith: { first, _ in first }
  )
}

/// The spelling of types in our own files, in user info under `remodel.type`, and in reports.
extension AttributeType: LosslessStringConvertible {
  private static let typesByName = Dictionary(
    uniqueKeysWithValues: plain.map { ($0.description, $0) }
  )

  /// The names that stand for a type by themselves, and the forms that take something in parentheses.
  package static let spellings =
    plain.map(\.description) + [
      "numeric(p,s)", "varchar(n)", "composite(Name)", "enum(a, b)", "sql(\"type\")", "type[]",
    ]

  /// The types that Xcode has a name for, by that name.
  package static let xcodeTypes: [(word: String, value: AttributeType)] = plain.flatMap { type in
    type.traits.xcodeNames.map { ($0, type) }
  }

  /// The type as the YAML form spells it.
  public var description: String { traits.name() }

  /// Creates a type from its spelling, or returns `nil` if there is no such type.
  public init?(_ text: String) {
    if let type = Self.typesByName[text] {
      self = type
      return
    }
    if text.hasSuffix("[]") {
      let elementText = text.dropLast(2)
      // An array of arrays is none, and a text of nothing but brackets must not recurse.
      guard !elementText.hasSuffix("[]"), let element = AttributeType(String(elementText)),
        element.traits.canBeElement
      else {
        return nil
      }
      self = .array(element)
      return
    }
    let scalars = text.unicodeScalars
    guard scalars.last == ")", let open = scalars.firstIndex(of: "(") else { return nil }
    let inside = Substring(scalars[scalars.index(after: open)...].dropLast())
    guard let arguments = Self.arguments(in: inside) else { return nil }
    self.init(function: String(scalars[..<open]), arguments: arguments)
  }

  private init?(function: String, arguments: [String]) {
    let numbers = arguments.map { Int($0) }
    switch (function, arguments.count) {
    case ("numeric", 1), ("numeric", 2):
      guard let precision = numbers[0], (1...1000).contains(precision) else { return nil }
      let scale = arguments.count == 2 ? numbers[1] : 0
      guard let scale, (0...precision).contains(scale) else { return nil }
      self = .numeric(precision: precision, scale: scale)
    case ("varchar", 1):
      guard let length = numbers[0], (1...10_485_760).contains(length) else { return nil }
      self = .varchar(length)
    case ("composite", 1):
      self = .composite(arguments[0])
    case ("enum", 1...):
      guard Set(arguments).count == arguments.count else { return nil }
      self = .enumeration(arguments)
    case ("sql", 1):
      self = .sql(arguments[0])
    default:
      return nil
    }
  }

  /// Returns the arguments between commas, or `nil` if one is empty or a quote does not end.
  private static func arguments(in text: some StringProtocol) -> [String]? {
    guard let list = ArgumentList(text) else { return nil }
    let texts = list.arguments.map(\.text)
    return texts.contains("") ? nil : texts
  }
}
