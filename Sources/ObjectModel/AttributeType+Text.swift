/// The spelling of types in our own files, in user info under `remodel.type`, and in reports.
extension AttributeType: LosslessStringConvertible {
  private static let plain: [(name: String, type: AttributeType)] = [
    ("undefined", .undefined), ("integer16", .integer16), ("integer32", .integer32),
    ("integer64", .integer64), ("decimal", .decimal), ("double", .double), ("float", .float),
    ("string", .string), ("uri", .uri), ("boolean", .boolean), ("timestamp", .date),
    ("binary", .binary), ("uuid", .uuid), ("transformable", .transformable),
    ("objectID", .objectID), ("json", .json), ("date", .calendarDate), ("time", .time),
    ("interval", .interval), ("inet", .inet),
  ]

  private static let typesByName = Dictionary(
    uniqueKeysWithValues: plain.map { ($0.name, $0.type) }
  )

  /// The names that stand for a type by themselves, and the forms that take something in parentheses.
  public static let spellings =
    plain.map(\.name) + [
      "numeric(p,s)", "varchar(n)", "composite(Name)", "enum(a, b)", "sql(\"type\")", "type[]",
    ]

  /// The type as the YAML form spells it.
  public var description: String {
    switch self {
    case .undefined: "undefined"
    case .integer16: "integer16"
    case .integer32: "integer32"
    case .integer64: "integer64"
    case .decimal: "decimal"
    case .double: "double"
    case .float: "float"
    case .string: "string"
    case .uri: "uri"
    case .boolean: "boolean"
    case .date: "timestamp"
    case .binary: "binary"
    case .uuid: "uuid"
    case .transformable: "transformable"
    case .objectID: "objectID"
    case .composite(let name):
      "composite(\(Self.arguments(in: name) == [name] ? name : Self.quoted(name)))"
    case .json: "json"
    case .calendarDate: "date"
    case .time: "time"
    case .interval: "interval"
    case .inet: "inet"
    case .numeric(let precision, let scale): "numeric(\(precision),\(scale))"
    case .varchar(let length): "varchar(\(length))"
    case .array(let element): "\(element)[]"
    case .enumeration(let values):
      "enum(\(values.map(Self.quotedIfNeeded).joined(separator: ", ")))"
    case .sql(let type): "sql(\(Self.quoted(type)))"
    }
  }

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
        element.canBeElement
      else {
        return nil
      }
      self = .array(element)
      return
    }
    guard text.last == ")", let open = text.firstIndex(of: "(") else { return nil }
    guard let arguments = Self.arguments(in: text[text.index(after: open)...].dropLast()) else {
      return nil
    }
    self.init(function: String(text[..<open]), arguments: arguments)
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

  private var canBeElement: Bool {
    switch self {
    case .undefined, .transformable, .composite, .array, .enumeration: false
    case .integer16, .integer32, .integer64, .decimal, .double, .float, .string, .uri, .boolean,
      .date, .binary, .uuid, .objectID, .json, .calendarDate, .time, .interval, .inet, .numeric,
      .varchar, .sql:
      true
    }
  }

  // MARK: - Arguments

  /// Returns the arguments between commas, quotes taken off, or `nil` if a quote does not end.
  private static func arguments(in text: some StringProtocol) -> [String]? {
    var arguments: [String] = []
    var current = ""
    var isQuoted = false
    var wasQuoted = false
    for character in text {
      switch character {
      case "\"":
        // A doubled quote inside quotes stands for one.
        if !isQuoted, wasQuoted { current.append("\"") }
        isQuoted.toggle()
        wasQuoted = true
      case "," where !isQuoted:
        arguments.append(wasQuoted ? current : current.trimmed)
        current = ""
        wasQuoted = false
      case " " where !isQuoted && (current.isEmpty || wasQuoted):
        continue
      default:
        current.append(character)
      }
    }
    guard !isQuoted else { return nil }
    arguments.append(wasQuoted ? current : current.trimmed)
    return arguments.contains("") ? nil : arguments
  }

  private static func quotedIfNeeded(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy {
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
        || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "_")
    }
    return isPlain ? text : quoted(text)
  }

  private static func quoted(_ text: String) -> String {
    "\"" + text.map { $0 == "\"" ? "\"\"" : String($0) }.joined() + "\""
  }
}

extension String {
  fileprivate var trimmed: String {
    var text = self[...]
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
