import Diagnostics
import ModelMapping
import ObjectModel
import Testing

/// Rows as policies in code read and make them.
@Suite
struct PolicyInstanceTests {
  private static let types: [(name: String, type: AttributeType)] = [
    ("flag", .boolean), ("small", .integer16), ("large", .integer64), ("amount", .decimal),
    ("ratio", .double), ("title", .string), ("day", .date), ("code", .uuid), ("data", .binary),
    ("note", .json), ("author", .objectID), ("short", .varchar(3)),
  ]

  private func source(_ values: [String: String?]) -> SourceInstance {
    SourceInstance(
      objectID: "7",
      InstanceLayout(
        source: .init(of: "Book", Self.types.map { .init($0.name, $0.type) }),
        destination: .init(
          of: "Work",
          Self.types.map {
            .init($0.name, $0.type, defaultValue: $0.name == "title" ? .string("none") : nil)
          }
        )
      ),
      texts: Self.types.map { values[$0.name] ?? nil }
    )
  }

  @Test
  func `values have the types of their attributes`() throws {
    let book = source([
      "flag": "t", "small": "-7", "large": "9223372036854775807", "amount": "1.10",
      "ratio": "-Infinity", "title": "Emma", "day": "2001-01-01 00:00:01.5+00",
      "code": "00000000-0000-0000-0000-000000000001", "data": "\\x00ff0A", "note": "{\"a\": 1}",
      "author": "12",
    ])

    #expect(try book.boolean(forKey: "flag") == true)
    #expect(try book.integer(forKey: "small") == -7)
    #expect(try book.integer(forKey: "large") == Int64.max)
    #expect(try book.value(forKey: "amount") == .decimal("1.10"))
    #expect(try book.double(forKey: "ratio") == -.infinity)
    #expect(try book.string(forKey: "title") == "Emma")
    #expect(try book.date(forKey: "day") == 1.5)
    #expect(try book.value(forKey: "code") == .uuid("00000000-0000-0000-0000-000000000001"))
    #expect(try book.bytes(forKey: "data") == [0, 255, 10])
    #expect(try book.string(forKey: "note") == "{\"a\": 1}")
    #expect(try book.integer(forKey: "author") == 12)
    #expect(try book.string(forKey: "short") == nil)
    #expect(book.objectID == "7")
  }

  @Test(arguments: types.map(\.name))
  func `NULL is nil in every type`(name: String) throws {
    let book = source([:])

    #expect(try book.text(forKey: name) == nil)
    #expect(try book.value(forKey: name) == nil)
    #expect(try book.string(forKey: name) == nil)
    #expect(try book.integer(forKey: name) == nil)
    #expect(try book.bytes(forKey: name) == nil)
  }

  @Test(arguments: [
    ("infinity", Double.infinity), ("-infinity", -Double.infinity),
    ("2000-12-31 23:59:59.500000+00", -0.5), ("1999-12-31 00:00:00+00", -31_708_800),
  ])
  func `an instant counts from 2001, as the server prints it`(text: String, seconds: Double) throws
  {
    let book = source(["day": text])
    var work = DestinationInstance(of: book)
    try work.setValue(try book.value(forKey: "day"), forKey: "day")

    #expect(try book.date(forKey: "day") == seconds)
    #expect(try work.text(forKey: "day") == text)
  }

  @Test
  func `a value of another kind is refused with its property`() throws {
    let book = source(["title": "Emma", "data": "\\x00", "day": "44-03-15 00:00:00+00 BC"])

    let errors = [
      #expect(throws: InstanceError.self) { try book.integer(forKey: "title") },
      #expect(throws: InstanceError.self) { try book.bytes(forKey: "title") },
      #expect(throws: InstanceError.self) { try book.value(forKey: "data") },
      #expect(throws: InstanceError.self) { try book.date(forKey: "day") },
      #expect(throws: InstanceError.self) { try book.text(forKey: "titel") },
    ]

    #expect(
      errors.map { $0?.diagnostics.first?.message } == [
        "property \"title\" of entity \"Book\" is no whole number",
        "property \"title\" of entity \"Book\" is no binary value",
        "property \"data\" of entity \"Book\" has a value of type binary that cannot be read so",
        "property \"day\" of entity \"Book\" has a value of type timestamp that cannot be read so",
        "property \"titel\" of entity \"Book\" is not a property of the policy",
      ]
    )
    #expect(errors.last??.diagnostics.first?.hint == "Did you mean \"title\"?")
    #expect(try book.text(forKey: "day") == "44-03-15 00:00:00+00 BC")
  }

  @Test
  func `a row that is made has its defaults and what is set`() throws {
    var work = DestinationInstance(of: source(["title": "Emma"]))

    #expect(try work.text(forKey: "title") == "none")
    try work.setValue(nil, forKey: "title")
    try work.setValue(.boolean(false), forKey: "flag")
    try work.setValue(.integer(3), forKey: "amount")
    try work.setValue(.double(0.1), forKey: "ratio")
    try work.setBytes([0, 255, 16], forKey: "data")
    try work.setText("[1]", forKey: "note")

    #expect(
      work.texts == [
        "f", nil, nil, "3", "0.1", nil, nil, nil, "\\x00ff10", "[1]", nil, nil,
      ]
    )
  }

  @Test(arguments: [
    ("small", AttributeValue.integer(40_000)), ("flag", .integer(1)), ("title", .integer(1)),
    ("short", .string("long")), ("data", .string("a")), ("day", .string("today")),
    ("ratio", .string("1")),
  ])
  func `a value that is not of the type cannot be set`(name: String, value: AttributeValue) throws {
    var work = DestinationInstance(of: source([:]))

    let error = #expect(throws: InstanceError.self) { try work.setValue(value, forKey: name) }

    #expect(error?.key == name)
    #expect(error?.entityName == "Work")
  }
}
