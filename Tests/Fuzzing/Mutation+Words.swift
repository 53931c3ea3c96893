/// What is put into inputs.
extension Mutation {
  static let numbers = [
    "0", "-0", "-1", "1", "32767", "32768", "-32769", "2147483647", "2147483648", "4294967296",
    "9223372036854775807", "9223372036854775808", "-9223372036854775808", "18446744073709551616",
    "1e-9223372036854775808", "1e9223372036854775807", "1e400", "1e401", "1e-400", "0.1e-399",
    "1e308", "1.8e308", "4e38", "5e-324", "NaN", "-inf", "0x7FFFFFFFFFFFFFFFFF", "00", "+5", "1_0",
    "1.", ".5", "1e", "1e+", "0.0", "99999999999999999999999999999999999999.9", "٣", "1\u{301}",
    String(repeating: "9", count: 1001), "0." + String(repeating: "0", count: 1200) + "1",
  ]

  static let oddTexts = [
    "", " ", "\0", "\u{0}a", "\u{FEFF}", "\u{202E}", "\u{FFFD}", "\u{FFFF}", "\u{10FFFF}",
    "e\u{301}",
    "\u{E9}", "\"\u{301}", ")\u{301}", "'\u{308}", "\u{301}", ",\u{301}", "\r", "\r\n", "\n", "\t",
    "\u{2028}", "\u{85}", "\u{A0}", "\u{200B}", "👩‍👩‍👧‍👦", "🇦🇶", "ﬁ", "ß", "İ", "Å", "Å", "\u{1F}",
    "%00", "\\", "\\0", "\\u0000", "${", "${}", "$$", "--", "/*", "*/", "';", "\";", "E'\\''",
    "$remodel$", "null", "~", "true", "no", "off", "=", "<<", "*", "&", "!", "|", ">", "?", "@",
    "`",
    String(repeating: "é", count: 40), String(repeating: "a\u{301}", count: 500),
  ]

  static func words(of reader: FuzzedReader) -> [String] {
    switch reader {
    case .xcodeModel, .xcodeMapping, .currentVersion: xmlWords
    case .yamlModel, .yamlMapping, .versionOrder, .modelArchive: yamlWords
    case .expression, .predicate, .sqlTemplate: expressionWords
    case .plan: ["null", "true", "1", "{}", "[]", "\"\"", "-1", "1e999", "public", "online"]
    }
  }

  private static let xmlWords = [
    "YES", "NO", "Integer 16", "Integer 64", "Decimal", "Double", "Float", "String", "Boolean",
    "Date",
    "Binary", "UUID", "URI", "Transformable", "Composite", "Object ID", "Nullify", "Cascade",
    "Deny",
    "No Action", "toMany", "ordered", "optional", "transient", "derived", "derivationExpression",
    "parentEntity", "elementID", "maxCount", "minCount", "indexed", "remodel.table",
    "remodel.column",
    "remodel.key", "remodel.type", "remodel.enforce", "defaultValueString",
    "defaultDateTimeInterval",
    "minValueString", "maxValueString", "regularExpressionString", "inverseName",
    "destinationEntity",
    "NSUncheckedCompound", "versionHashModifier", "uniquenessConstraint", "fetchIndexElement",
  ]

  private static let yamlWords = [
    "string?", "integer16", "integer64?", "numeric(1000,1000)", "numeric(0)", "varchar(10485761)",
    "enum(a, \"b\"\"\", c)", "composite(Size)", "sql(\"x\")", "timestamp", "json[]", "uuid[]",
    "inet",
    "interval", "parent", "abstract", "renamingIdentifier", "versionHashModifier", "table",
    "column",
    "key", "uuid", "none", "unique", "indexes", "checks", "default", "validation", "minimum",
    "maximum", "pattern", "enforced", "derivation", "toMany", "to", "inverse", "ordered", "delete",
    "cascade", "deny", "noAction", "nullify", "joinTable", "source", "destination", "where",
    "distinct", "forEach", "policy", "before", "after", "hole", "dependsOn", "userInfo", "order",
    "descending", "conflict", "keys", "generated", "numbered", "serial", "names", "configurations",
  ]

  private static let expressionWords = [
    "AND", "OR", "NOT", "ANY", "ALL", "NONE", "IN", "BETWEEN", "LIKE", "SELF", "NULL",
    "TRUEPREDICATE",
    "SUBQUERY", "TERNARY", "FUNCTION", "FETCH", "CAST", "FIRST", "LAST", "SIZE", "@count", "@sum",
    "$source", "$manager", "lookup", "SQL", "sum:", "random", "**", "[cd]", "#", "valueForKey:",
  ]

  /// Pieces of syntax that the readers have to say no to, or yes.
  static func fragments(of reader: FuzzedReader) -> [String] {
    switch reader {
    case .xcodeModel, .xcodeMapping, .currentVersion:
      [
        "<!DOCTYPE a [<!ENTITY b \"bbbb\"><!ENTITY c \"&b;&b;&b;\">]>", "&c;", "&#0;", "&#x110000;",
        "&#xD800;", "&amp;amp;", "<![CDATA[", "]]>", "<!--", "-->", "<?xml version=\"1.1\"?>",
        "<?a ?>",
        "<a/>", "</entity>", "<entity name=\"a\" name=\"b\"/>", "<entity/>", "<attribute/>",
        "xmlns:a=\"b\"",
        "<?xml version=\"1.0\" encoding=\"UTF-16\"?>", " name=\"\"",
        "<userInfo><entry key=\"a\"/></userInfo>",
      ]
    case .yamlModel, .yamlMapping, .versionOrder:
      [
        "&a ", "*a", "<<: *a\n", "!!binary ", "!a ", "---\n", "...\n", "%YAML 1.2\n---\n",
        "%TAG ! a:\n",
        "? ", "? [a, b]\n: c\n", "|\n  a\n", ">-\n  a\n\n  b\n", "\"\\x00\"", "\"\\U0010FFFF\"",
        "\"\\ud800\"",
        "''", "\"", "{}", "[]", "[", "{a: ", "# ", "\t", ": ", "- ", "- - - a\n", "a: b: c\n",
        "\"\\\n  \"",
        "* ", "{a: 1, a: 2}", "|2+\n   a\n",
      ]
    case .expression, .predicate, .sqlTemplate:
      [
        "(", ")", "{", "}", "[", "]", ",", ".", "'", "\"", "\\", "--", "!!", "((", ".@", "@", "$",
        "#", "0x",
        "0b2", "1e", "1.2.3", "::", "${chunk}", "${", "AND AND", " OR ", "NOT ", "- ", "[cd]", "[",
        "TERNARY(",
      ]
    case .plan, .modelArchive:
      [
        "{", "}", "[", "]", ",", ":", "null", "1e999", "-0", "\"\\ud800\"", "\"\\u0000\"",
        "\"a\": 1,", "//",
        "1.5", "true", "\\", "\"", "{\"a\": {\"a\": {}}}",
      ]
    }
  }

  static func nestings(of reader: FuzzedReader) -> [(String, String)] {
    switch reader {
    case .xcodeModel, .xcodeMapping, .currentVersion: [("<a>", "</a>"), ("<entity>", "</entity>")]
    case .yamlModel, .yamlMapping, .versionOrder:
      [("[", "]"), ("{a: ", "}"), ("- ", ""), ("? ", ""), ("(", ")"), ("NOT ", "")]
    case .expression, .predicate, .sqlTemplate:
      [
        ("(", ")"), ("{", "}"), ("NOT ", ""), ("-", ""), ("!", ""), ("a.", "b"), ("a[", "]"),
        ("a + ", "b"),
        ("abs:(", ")"), ("TERNARY(a = 1, ", ", 2)"), ("1 ** ", "1"), ("a = 1 AND ", ""),
        ("${", "}"),
      ]
    case .plan, .modelArchive: [("[", "]"), ("{\"a\": ", "}"), ("[[", "]]")]
    }
  }
}
