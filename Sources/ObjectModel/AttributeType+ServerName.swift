extension AttributeType {
  /// The type in one spelling: what the server's name stands for where that is one of our own types,
  /// else the server's own spelling of the name.
  ///
  /// `sql("int4")` is `integer32`, and `sql("TIMESTAMP(3)")` is
  /// `sql("timestamp(3) without time zone")`.
  public var canonical: AttributeType {
    switch self {
    case .sql(let name):
      return ServerTypeName(name).type
    case .array(let element):
      // To the server an array of arrays is an array of more dimensions.
      let element = element.canonical
      if case .array = element { return element }
      return .array(element)
    case .undefined, .integer16, .integer32, .integer64, .decimal, .double, .float, .string, .uri,
      .boolean, .date, .binary, .uuid, .transformable, .objectID, .composite, .json, .calendarDate,
      .time, .interval, .inet, .numeric, .varchar, .enumeration:
      return self
    }
  }
}

/// The name of a type of the server, taken apart.
private struct ServerTypeName {
  /// The words in lower case, except what is in quotes.
  private var words = ""
  private var modifiers: [Int] = []
  private var isArray = false

  private static let ownTypes: [String: AttributeType] = [
    "smallint": .integer16, "int2": .integer16, "integer": .integer32, "int": .integer32,
    "int4": .integer32, "bigint": .integer64, "int8": .integer64, "numeric": .decimal,
    "decimal": .decimal, "dec": .decimal, "double precision": .double, "float8": .double,
    "float": .double, "real": .float, "float4": .float, "text": .string, "boolean": .boolean,
    "bool": .boolean, "timestamp with time zone": .date, "timestamptz": .date, "bytea": .binary,
    "uuid": .uuid, "jsonb": .json, "date": .calendarDate, "time": .time,
    "time without time zone": .time, "interval": .interval, "inet": .inet,
  ]

  private static let otherNames: [String: String] = [
    "timestamp": "timestamp without time zone", "timestamptz": "timestamp with time zone",
    "time": "time without time zone", "timetz": "time with time zone", "char": "character",
    "varchar": "character varying", "varbit": "bit varying", "dec": "numeric", "decimal": "numeric",
  ]

  init(_ text: String) {
    var rest = text[...]
    while rest.hasSuffix("[]") {
      rest.removeLast(2)
      isArray = true
    }
    var isQuoted = false
    while let character = rest.popFirst() {
      if character == "\"" { isQuoted.toggle() }
      if character == "(", !isQuoted {
        let inside = rest.prefix { $0 != ")" }
        rest = rest.dropFirst(inside.count + 1)
        modifiers = inside.split { !$0.isNumber }.compactMap { Int($0) }
      } else if character != " " || isQuoted || !words.isEmpty && words.last != " " {
        words += isQuoted ? String(character) : character.lowercased()
      }
    }
    if words.last == " " { words.removeLast() }
    if words.hasPrefix("pg_catalog.") { words.removeFirst("pg_catalog.".count) }
  }

  var type: AttributeType { isArray ? .array(element) : element }

  private var element: AttributeType {
    let name = Self.otherNames[words] ?? words
    switch (name, modifiers.count) {
    case (_, 0):
      if name == "character" || name == "bit" { return .sql("\(name)(1)") }
      return Self.ownTypes[name] ?? .sql(name)
    case ("numeric", 1...2):
      let scale = modifiers.count == 2 ? modifiers[1] : 0
      let spelling = "numeric(\(modifiers[0]),\(scale))"
      return AttributeType(spelling) ?? .sql(spelling)
    case ("character varying", 1):
      return AttributeType("varchar(\(modifiers[0]))") ?? .sql("\(name)(\(modifiers[0]))")
    case ("float", 1):
      return modifiers[0] <= 24 ? .float : .double
    default:
      // Names of the server's types, not a closed set.
      let list = "(" + modifiers.map(String.init).joined(separator: ",") + ")"
      guard name.hasPrefix("time"), let space = name.firstIndex(of: " ") else {
        return .sql(name + list)
      }
      return .sql(name[..<space] + list + name[space...])
    }
  }
}
