/// The parsed name of a type of the server.
package struct SQLTypeParts: Hashable, Sendable {
  /// The name in the server's own words, without modifiers and brackets: `character varying`.
  package private(set) var name = ""
  /// The numbers in parentheses.
  package private(set) var modifiers: [Int] = []
  /// A Boolean value that indicates whether the type is one of arrays.
  package private(set) var isArray = false

  private static let otherNames: [String: String] = [
    "int2": "smallint", "int": "integer", "int4": "integer", "int8": "bigint", "dec": "numeric",
    "decimal": "numeric", "float8": "double precision", "float4": "real", "bool": "boolean",
    "timestamp": "timestamp without time zone", "timestamptz": "timestamp with time zone",
    "time": "time without time zone", "timetz": "time with time zone", "char": "character",
    "varchar": "character varying", "varbit": "bit varying",
  ]

  /// Parses a name; words outside of quotes become lowercase.
  package init(_ text: String) {
    var rest = text.unicodeScalars[...]
    while rest.suffix(2).elementsEqual("[]".unicodeScalars) {
      rest.removeLast(2)
      isArray = true
    }
    var isQuoted = false
    while let scalar = rest.popFirst() {
      if scalar == "\"" { isQuoted.toggle() }
      if scalar == "(", !isQuoted {
        let inside = rest.prefix { $0 != ")" }
        rest = rest.dropFirst(inside.count + 1)
        modifiers = inside.split { !("0"..."9").contains($0) }.compactMap { Int(Substring($0)) }
      } else if scalar != " " || isQuoted || !name.isEmpty && name.unicodeScalars.last != " " {
        name += isQuoted ? String(scalar) : scalar.properties.lowercaseMapping
      }
    }
    if name.last == " " { name.removeLast() }
    if name.hasPrefix("pg_catalog.") { name.removeFirst("pg_catalog.".count) }
    name = Self.otherNames[name] ?? name
    switch (name, modifiers.count) {
    case ("float", 0): name = "double precision"
    case ("float", 1):
      name = modifiers[0] <= 24 ? "real" : "double precision"
      modifiers = []
    case ("character", 0), ("bit", 0): modifiers = [1]
    case ("numeric", 1): modifiers.append(0)
    default: break  // Names of the server's types, not a closed set.
    }
  }

  /// The type without brackets, as the server spells it.
  package var elementText: String {
    guard !modifiers.isEmpty else { return name }
    let list = "(" + modifiers.map(String.init).joined(separator: ",") + ")"
    guard name.hasPrefix("time"), let space = name.firstIndex(of: " ") else { return name + list }
    return name[..<space] + list + name[space...]
  }

  /// The type as the server spells it.
  package var text: String { elementText + (isArray ? "[]" : "") }
}

extension SQLTypeName {
  /// A family of types that are stored, compared and indexed alike.
  package enum Family: Hashable, Sendable {
    case integer, numeric, floating, boolean, text, bytea, date, time, timestamp, interval, uuid
    case network, json, range, textSearch, array
    /// Enumerations, domains, and all types that are not listed.
    case other
  }

  fileprivate static let families: [String: Family] = [
    "smallint": .integer, "integer": .integer, "bigint": .integer, "numeric": .numeric,
    "real": .floating, "double precision": .floating, "boolean": .boolean, "text": .text,
    "character varying": .text, "character": .text, "bpchar": .text, "bytea": .bytea,
    "date": .date, "time without time zone": .time, "time with time zone": .time,
    "timestamp without time zone": .timestamp, "timestamp with time zone": .timestamp,
    "interval": .interval, "uuid": .uuid, "inet": .network, "cidr": .network, "json": .json,
    "jsonb": .json, "int4range": .range, "int8range": .range, "numrange": .range,
    "daterange": .range, "tsrange": .range, "tstzrange": .range, "tsvector": .textSearch,
  ]

  /// The parsed name.
  package var parts: SQLTypeParts { SQLTypeParts(text) }

  /// The family that the type belongs to.
  package var family: Family { Self.families[text] ?? parts.family }

  /// A Boolean value that indicates whether values may be longer than an index takes.
  package var isUnbounded: Bool {
    switch family {
    case .text, .bytea, .json, .textSearch, .array, .other: true
    case .integer, .numeric, .floating, .boolean, .date, .time, .timestamp, .interval, .uuid,
      .network, .range:
      false
    }
  }

  /// A Boolean value that indicates whether values may be so large that they are stored apart.
  package var mayBeLarge: Bool {
    switch family {
    case .integer, .floating, .boolean, .date, .time, .timestamp, .interval, .uuid: false
    case .numeric, .text, .bytea, .network, .json, .range, .textSearch, .array, .other: true
    }
  }
}

extension SQLTypeParts {
  /// The family that the type belongs to.
  package var family: SQLTypeName.Family {
    isArray ? .array : SQLTypeName.families[name] ?? .other
  }
}
