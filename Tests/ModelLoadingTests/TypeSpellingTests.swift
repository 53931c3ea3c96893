import Diagnostics
import FoundationEssentials
import ObjectModel
import Testing

@testable import ModelLoading

/// What people type as the type of an attribute, and what to write instead.
@Suite
struct TypeSpellingTests {
  @Test(arguments: [
    ("float8", "double"), ("float4", "float"), ("real", "float"), ("double precision", "double"),
    ("float(53)", "double"), ("int", "integer32"), ("integer", "integer32"), ("int4", "integer32"),
    ("INT", "integer32"), ("Int", "integer32"), ("int8", "integer64"), ("bigint", "integer64"),
    ("BigInt", "integer64"), ("int2", "integer16"), ("smallint", "integer16"),
    ("tinyint", "integer16"), ("long", "integer64"), ("decimal(10,2)", "numeric(10,2)"),
    ("decimal(10)", "numeric(10,0)"), ("DECIMAL(10, 2)", "numeric(10,2)"), ("numeric", "decimal"),
    ("number", "decimal"), ("number(10,2)", "numeric(10,2)"), ("money", "numeric(19,4)"),
    ("text", "string"), ("Text", "string"), ("varchar", "string"), ("str", "string"),
    ("VARCHAR(20)", "varchar(20)"), ("character varying(20)", "varchar(20)"),
    ("varchar2(20)", "varchar(20)"), ("nvarchar(20)", "varchar(20)"), ("char(2)", "varchar(2)"),
    ("string(20)", "varchar(20)"), ("varchar(max)", "string"), ("text[]", "string[]"),
    ("_text", "string[]"), ("varchar(20) []", "varchar(20)[]"), ("int[]", "integer32[]"),
    ("[String]", "string[]"), ("Array<Int>", "integer32[]"), ("timestamptz", "timestamp"),
    ("timestamp with time zone", "timestamp"), ("timestamptz(3)", "timestamp"),
    ("timestamp(3)", "timestamp"), ("datetime", "timestamp"), ("DateTime", "timestamp"),
    ("Date", "timestamp"), ("localdate", "date"), ("bool", "boolean"), ("Boolean", "boolean"),
    ("bit", "boolean"), ("jsonb", "json"), ("Json", "json"), ("object", "json"),
    ("bytea", "binary"), ("blob", "binary"), ("Data", "binary"), ("bytes", "binary"),
    ("guid", "uuid"), ("UUID", "uuid"), ("uniqueidentifier", "uuid"), ("url", "uri"),
    ("ipaddress", "inet"), ("Integer 64", "integer64"), ("duration", "interval"),
    ("citext", #"sql("citext")"#), ("xml", #"sql("xml")"#), ("cidr", #"sql("cidr")"#),
    ("geometry(Point,4326)", #"sql("geometry")"#),
    ("vector(3)", #"sql("vector(3)")"#), ("hstore", #"sql("hstore")"#),
    ("bit(8)", #"sql("bit(8)")"#), ("citext[]", #"sql("citext")[]"#),
    ("timestamp without time zone", #"sql("timestamp without time zone")"#),
    ("timetz", #"sql("timetz")"#), ("text not null", "string"), ("strng", "string"),
    ("integr32", "integer32"), ("varcha(20)", "varchar(20)"),
  ])
  func `the advice for a type loads, and is the type`(typed: String, expected: String) throws {
    let advice = try #require(typedAdvice(for: typed))
    let type = try #require(AttributeType(expected))

    for form in ["\(advice)", "{ type: \(advice) }"] {
      let attribute = try self.attribute(form)
      #expect(attribute.type == type, "\(advice)")
      #expect(!attribute.isOptional)
    }
    #expect(try attribute(advice).type.columnType != nil)
  }

  @Test(arguments: [
    ("serial", "integer32"), ("bigserial", "integer64"), ("smallserial", "integer16"),
    ("SERIAL", "integer32"), ("AutoField", "integer32"), ("identity", "integer64"),
  ])
  func `the advice for a sequence loads, and is one`(typed: String, expected: String) throws {
    let advice = try #require(typedAdvice(for: typed))
    let attribute = try self.attribute(advice)

    #expect(attribute.type == AttributeType(expected))
    #expect(attribute.numbering == .serial)
    // Beside other keys, the type alone.
    let beside = try #require(typedAdvice(for: "{ type: \(typed) }"))
    #expect(try self.attribute("{ type: \(beside) }").type == attribute.type)
  }

  @Test(arguments: ["float8?", "text?", "citext?", "text null", "decimal(10,2)?", "serial?"])
  func `an optional value stays one`(typed: String) throws {
    let advice = try #require(typedAdvice(for: typed))

    #expect(try attribute(advice).isOptional)
  }

  @Test(arguments: [
    ("enum", "Write it as enum(a, b)."), ("composite", "Write it as composite(Name)."),
    ("numeric(2,10)", "Write it as numeric(p,s)."), ("references", "relationship"),
    ("ForeignKey", "relationship"), ("qqqqqqqq", "The types are"),
  ])
  func `a form or a list is the advice where there is no single type`(
    typed: String,
    words: String
  ) {
    #expect(hint(for: typed)?.contains(words) == true, "\(hint(for: typed) ?? "")")
  }

  @Test
  func `every type of a dictionary loads`() throws {
    for word in ForeignType.words where AttributeType(word) == nil {
      let advice = try #require(typedAdvice(for: word), "\(word)")
      #expect(throws: Never.self, "\(word)") { try attribute(advice) }
    }
    #expect(ForeignType.words.count > 150)
  }

  // MARK: - Typing

  /// Returns what to type: the part of the hint that is to be written.
  private func typedAdvice(for typed: String) -> String? {
    guard let hint = hint(for: typed) else { return nil }
    for (start, end) in [("Write ", "."), ("Did you mean ", "?")] where hint.hasPrefix(start) {
      return String(hint.dropFirst(start.count).dropLast(end.count))
    }
    return nil
  }

  private func hint(for typed: String) -> String? {
    let text = "remodel: 1\nentities:\n  A:\n    attributes:\n      a: \(quoted(typed))\n"
    do {
      _ = try ModelLoader.load(yaml: Array(text.utf8), path: "a.yaml")
      return nil
    } catch {
      return error.diagnostics.first?.hint
    }
  }

  /// Puts into quotes what YAML would take for something else.
  private func quoted(_ typed: String) -> String {
    typed.hasPrefix("[") || typed.hasPrefix("{") && !typed.hasPrefix("{ type")
      ? "'\(typed)'" : typed
  }

  private func attribute(_ value: String) throws -> AttributeDescription {
    let text = "remodel: 1\nentities:\n  A:\n    attributes:\n      a: \(value)\n"
    let model = try ModelLoader.load(yaml: Array(text.utf8), path: "a.yaml").model
    return try #require(model.entities.first?.attributes.first)
  }
}

/// Defaults as the documentation shows them.
@Suite
struct DocumentedDefaultTests {
  @Test
  func `a default in the documentation loads as written`() throws {
    let page = try String(
      decoding: ModelLoader.bytes(
        of: URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
          .deletingLastPathComponent()
          .appending(path: "Sources/RemodelKit/Documentation.docc/ModelFiles.md").path
      ),
      as: UTF8.self
    )
    let rows = page.split(separator: "\n").drop { !$0.hasPrefix("| type | column |") }
      .dropFirst(2).prefix { $0.hasPrefix("|") }
    var count = 0

    for row in rows {
      let cells = row.split(separator: "|").map { $0.matches(of: /`([^`]*)`/).map { $0.output.1 } }
      guard cells.count == 3 else { continue }
      // The values belong to the types in order, or all of them to the only type.
      for (index, value) in cells[2].enumerated() {
        let types = cells[0].filter { !["enum(a, b)", "composite(Name)"].contains($0) }
        let matching = types.filter { type in
          let spelled = String(type).replacing("p,s", with: "8,2").replacing("(p)", with: "(8)")
            .replacing("(n)", with: "(20)").replacing("type[]", with: "integer32[]")
            .replacing("sql(\"type\")", with: "sql(\"money\")")
          let attribute = "{ type: '\(spelled)', default: \(value) }"
          let text = "remodel: 1\nentities: { A: { attributes: { a: \(attribute) } } }\n"
          return (try? ModelLoader.load(yaml: Array(text.utf8), path: "a")) != nil
        }
        count += matching.isEmpty ? 0 : 1
        #expect(!matching.isEmpty, "\(types): \(value) at \(index)")
      }
    }
    #expect(count >= 20)
  }

  @Test(arguments: [
    (#"{"a": 1}"#, #"{"a": 1}"#),
    (#"{ "a": [1, true, null, "x"], "b": {} }"#, #"{"a": [1, true, null, "x"], "b": {}}"#),
    ("[1, 2]", "[1, 2]"), ("{}", "{}"), ("[]", "[]"), (#"'{"a": 1}'"#, #"{"a": 1}"#),
    (#"{a: b "c"}"#, #"{"a": "b \"c\""}"#), (#"{"a": "1"}"#, #"{"a": "1"}"#), ("5", "5"),
    (#"{"a": 01}"#, #"{"a": "01"}"#), (#"{"a": "x\ny"}"#, #"{"a": "x\ny"}"#),
  ])
  func `a document is written as YAML or as text`(written: String, document: String) throws {
    let loaded = try load("json", written)

    #expect(loaded == AttributeValue(document, of: .json))
  }

  @Test(arguments: [
    ("[1, 2]", "{1,2}"), ("{1,2}", "{1,2}"), ("[]", "{}"),
    ("[a b, 'c\"d', null]", #"{"a b","c\"d",NULL}"#),
    ("'{1,2}'", "{1,2}"), ("[\"null\"]", #"{"null"}"#),
  ])
  func `an array is written as a list or as text`(written: String, constant: String) throws {
    let type = try #require(AttributeType(written.contains("1") ? "integer32[]" : "string[]"))
    let loaded = try load(type.description, written)

    #expect(loaded == AttributeValue(constant, of: type))
  }

  @Test(arguments: [("string", "[a]"), ("integer32", "{a: 1}"), ("integer32[]", "[[1], 2]")])
  func `another type has no lists`(type: String, written: String) {
    #expect(throws: ModelLoadingError.self) { try load(type, written) }
  }

  private func load(_ type: String, _ written: String) throws -> AttributeValue? {
    let attribute = "\n        type: '\(type)'\n        default: \(written)\n"
    let text = "remodel: 1\nentities:\n  A:\n    attributes:\n      a: \(attribute)"
    return try ModelLoader.load(yaml: Array(text.utf8), path: "a").model.entities.first?
      .attributes.first?.defaultValue
  }
}
