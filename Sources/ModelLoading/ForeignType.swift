import ObjectModel
import SQLSyntax

/// A type under the name that it has elsewhere: in SQL, in programming languages, in other tools.
enum ForeignType {
  /// One of our types.
  case own(AttributeType)
  /// Whole numbers that a sequence gives.
  case numbered(AttributeType)

  /// A type as it was written, in its parts.
  struct Word {
    /// The name in small letters, with single spaces.
    private(set) var name: String
    /// What is in parentheses.
    private(set) var arguments: [String] = []
    /// Whether there are brackets after it.
    private(set) var isArray = false
    /// Whether there may be no value.
    private(set) var isOptional: Bool

    init(_ text: String, isOptional: Bool) {
      self.isOptional = isOptional
      var text = text.lowercased().split { $0 == " " || $0 == "\t" }.joined(separator: " ")
      for (suffix, isNull) in [(" not null", false), (" null", true)] where text.hasSuffix(suffix) {
        text.removeLast(suffix.utf8.count)
        self.isOptional = isNull
      }
      while text.hasSuffix("[]") {
        text.removeLast(2)
        if text.hasSuffix(" ") { text.removeLast() }
        isArray = true
      }
      for prefix in ["array<", "list<", "set<"] where text.hasPrefix(prefix) && text.hasSuffix(">")
      {
        text = String(text.dropFirst(prefix.count).dropLast())
        isArray = true
      }
      if text.hasPrefix("["), text.hasSuffix("]") {
        text = String(text.dropFirst().dropLast())
        isArray = true
      }
      if text.hasPrefix("pg_catalog.") { text.removeFirst("pg_catalog.".count) }
      // The server's own names of arrays.
      if text.hasPrefix("_"), text.utf8.count > 1 {
        text.removeFirst()
        isArray = true
      }
      name = text
      guard let open = text.firstIndex(of: "("),
        let close = text.lastIndex(of: ")"), open < close
      else { return }
      arguments = text[text.index(after: open)..<close].split(separator: ",")
        .map { String($0.trimmingPrefix(" ")) }
      let rest = text[..<open] + text[text.index(after: close)...]
      name = rest.split(separator: " ").joined(separator: " ")
    }

    fileprivate var numbers: [Int] { arguments.compactMap { Int($0) } }

    /// A Boolean value that indicates whether the numbers in the parentheses are none that our type of
    /// this name can have.
    var isOutOfRange: Bool {
      !arguments.isEmpty && numbers.count == arguments.count
        && AttributeType("\(name)(\(arguments.joined(separator: ",")))") == nil
    }
  }

  /// Returns the type that a word stands for; none if it is not known.
  static func type(_ word: Word) -> ForeignType? {
    let numbers = word.numbers
    if word.name == "bit", !numbers.isEmpty { return .own(.sql("bit(\(numbers[0]))")) }
    if let type = names[word.name] { return own(type, numbers) }
    if let type = sequences[word.name] { return .numbered(type) }
    // The server reads its own names better than a table does.
    let arguments = word.arguments.isEmpty ? "" : "(\(word.arguments.joined(separator: ",")))"
    let type = AttributeType.sql(word.name + arguments)
    guard case .sql = type.canonical else { return .own(type.canonical) }
    if let type = AttributeType(word.name) { return own(type, numbers) }
    guard serverTypes.contains(word.name) else { return nil }
    return .own(type.columnType == nil ? .sql(word.name) : type)
  }

  /// Returns a type with the numbers that were written after it, where it can have them.
  private static func own(_ type: AttributeType, _ numbers: [Int]) -> ForeignType {
    let spelling: String? =
      switch (type, numbers.count) {
      case (.decimal, 1): "numeric(\(numbers[0]),0)"
      case (.decimal, 2): "numeric(\(numbers[0]),\(numbers[1]))"
      case (.string, 1): "varchar(\(numbers[0]))"
      default: nil
      }
    return .own(spelling.flatMap { AttributeType($0) } ?? type)
  }

  /// Returns the type as it can be typed, in quotes where it has to be.
  func spelling(_ word: Word, takesFields: Bool) -> String? {
    let mark = word.isOptional ? "?" : ""
    let brackets = word.isArray ? "[]" : ""
    switch self {
    case .own(let type):
      let text = "\(type)\(brackets)"
      guard AttributeType(text) != nil else { return nil }
      return text.contains("\"") ? "'\(text)\(mark)'" : "\"\(text)\(mark)\""
    case .numbered(let type):
      guard !word.isArray else { return nil }
      return takesFields
        ? "{ type: \(type)\(mark), numbered: serial }" : "\"\(type)\(mark)\""
    }
  }

  /// All words that stand for a type.
  static var words: [String] { Array(names.keys) + sequences.keys + serverTypes }

  /// Words for a reference to another entity.
  static let references: Set = [
    "references", "reference", "belongs_to", "foreignkey", "foreign key", "fk", "relation",
    "relationship", "manytomanyfield", "onetoonefield",
  ]

  private static let sequences: [String: AttributeType] = [
    "serial": .integer32, "serial4": .integer32, "bigserial": .integer64, "serial8": .integer64,
    "smallserial": .integer16, "serial2": .integer16, "autofield": .integer32,
    "bigautofield": .integer64, "autoincrement": .integer32, "auto_increment": .integer32,
    "identity": .integer64, "increments": .integer32, "bigincrements": .integer64,
    "sequence": .integer64,
  ]

  /// Names that are not the server's, and those of its names that are not of one of our types.
  private static let names: [String: AttributeType] = {
    var names: [String: AttributeType] = [:]
    for (type, words) in namesByType {
      for word in words.split(separator: "|") { names[String(word)] = type }
    }
    return names
  }()

  private static let namesByType: [(AttributeType, String)] = [
    (.integer16, "short|byte|tinyint|int16|smallint unsigned|uint8|smallintegerfield|year"),
    (
      .integer32,
      "mediumint|int32|integerfield|positiveintegerfield|uint16|mediumint unsigned|signed"
    ),
    (
      .integer64,
      "long|int64|bigintegerfield|uint|uint32|unsigned|int unsigned|integer unsigned|"
        + "unsigned int|unsigned integer"
    ),
    (
      .decimal,
      "number|numeric|decimal|dec|fixed|bigdecimal|decimalfield|biginteger|uint64|"
        + "bigint unsigned|unsigned bigint"
    ),
    (.numeric(precision: 19, scale: 4), "money|smallmoney|currency"),
    (.double, "floatfield|float64|binary_double"),
    (.float, "float32|single|binary_float"),
    (
      .string,
      "text|str|char|character|varchar|character varying|bpchar|name|nchar|nvarchar|varchar2|"
        + "nvarchar2|tinytext|mediumtext|longtext|ntext|clob|nclob|charfield|textfield|unicode|"
        + "unicodetext|emailfield|slugfield|email|slug|markdown|html|password|phone"
    ),
    (.uri, "url|urlfield|link|href"),
    (.boolean, "bit|flag|yesno|booleanfield|logical"),
    (
      .date,
      "timestamp|timestamptz|timestamp with time zone|datetime|datetime2|datetimeoffset|"
        + "smalldatetime|instant|datetimefield|timestamp_tz|timestamp_ltz|zoneddatetime|"
        + "offsetdatetime"
    ),
    (.calendarDate, "localdate|datefield|day"),
    (.time, "localtime|timefield"),
    (.interval, "duration|durationfield|timedelta"),
    (
      .binary,
      "bytea|blob|bytes|data|varbinary|longblob|mediumblob|tinyblob|image|raw|binaryfield|"
        + "largebinary|bytebuffer"
    ),
    (.uuid, "guid|uniqueidentifier|uuidfield|uuid4"),
    (.json, "jsonb|object|dict|dictionary|map|any|struct|record|jsonfield|hash"),
    (.inet, "ip|ipaddress|ipaddressfield|genericipaddressfield"),
    (.array(.string), "array|list|strings"),
    (.textSearch, "fulltext|searchvectorfield"),
  ]

  /// The server's names, and those of common extensions, that a type of ours has to quote.
  private static let serverTypes: Set = [
    "timestamp without time zone", "time with time zone", "timetz", "bit varying", "varbit", "cidr",
    "macaddr", "macaddr8", "xml", "point", "line", "lseg", "box", "path", "polygon", "circle",
    "tsquery", "oid", "regclass", "pg_lsn", "jsonpath", "int4multirange", "int8multirange",
    "nummultirange", "datemultirange", "tsmultirange", "tstzmultirange", "citext", "hstore",
    "ltree", "lquery", "cube", "geometry", "geography", "vector", "halfvec", "sparsevec", "isbn",
    "ean13", "semver",
  ]
}
