import Diagnostics
import ModelMapping
import TestSupport
import Testing

@testable import ModelLoading

@Suite
struct YAMLMappingTests {
  private static let sample = """
    remodelMapping: 1
    source: "1"
    destination: "2"
    sourceChecksum: v1:00ab
    before: CREATE TEMPORARY TABLE t AS SELECT 1
    entities:
      - source: User
        destination: User
      - name: Authors
        source: Book
        destination: Author
        where: authorName != NULL
        distinct: { keys: [authorName], conflict: last, order: [title, { by: pages, descending: true }] }
        attributes: { name: authorName, rank: -2, isAlive: true, note: null, greeting: "\\"Hello\\"" }
        relationships:
          books: { hole: say which }
        policy: { end: "DELETE FROM ${source.Book}" }
        dependsOn: [User]
        userInfo: { ticket: 12 }
      - source: Book
        destination: Page
        forEach: pages
        policy: BookToPage
      - destination: Shelf
      - source: Gone
    after:
      - |
        UPDATE ${destination.Author}
           SET ${destination.Author.name} = ''
      - SELECT 1
    """

  private func load(_ text: String) throws -> LoadedMapping {
    try MappingLoader.load(yaml: Array(text.utf8), name: "A", path: "A.mapping.yaml")
  }

  private func complaints(_ text: String) -> [String] {
    do {
      return try load(text).warnings.map(\.description)
    } catch {
      return (error as? MappingLoadingError)?.diagnostics.map(\.description) ?? ["\(error)"]
    }
  }

  private func model(_ entity: String) -> String {
    "remodelMapping: 1\nsource: 1\ndestination: 2\nentities:\n  - source: A\n    \(entity)\n"
  }

  @Test
  func `every key is read`() throws {
    let loaded = try load(Self.sample)

    let mappings = loaded.mappingModel.entityMappings
    #expect(loaded.source == MappedVersion(name: "1", checksum: "v1:00ab"))
    #expect(loaded.destination == MappedVersion(name: "2"))
    #expect(mappings.map(\.name) == ["UserToUser", "Authors", "BookToPage", "Shelf", "Gone"])
    #expect(mappings.map(\.type) == [.transform, .transform, .custom, .add, .remove])
    let authors = mappings[1]
    #expect(authors.condition == (try Predicate(parsing: "authorName != NULL")))
    #expect(authors.distinct?.keys == [.keyPath(KeyPathExpression(["authorName"]))])
    #expect(authors.distinct?.conflict == .last)
    #expect(authors.distinct?.order.map(\.isDescending) == [false, true])
    #expect(
      authors.attributeMappings == [
        PropertyMapping(
          name: "name",
          valueExpression: .expression(.keyPath(KeyPathExpression(["authorName"])))
        ),
        PropertyMapping(
          name: "rank",
          valueExpression: .expression(.negation(.constant(.number("2"))))
        ),
        PropertyMapping(name: "isAlive", valueExpression: .expression(.constant(.boolean(true)))),
        PropertyMapping(name: "note", valueExpression: .expression(.constant(.null))),
        PropertyMapping(
          name: "greeting",
          valueExpression: .expression(.constant(.string("Hello")))
        ),
      ]
    )
    #expect(
      loaded.holes
        == [MappingHole(.relationshipMapping(entityMapping: 1, 0), reason: "say which")]
    )
    #expect(authors.policy.statements[.end]?.placeholders == [.sourceEntity("Book")])
    #expect(authors.dependsOn == ["User"])
    #expect(authors.userInfo == ["ticket": "12"])
    #expect(mappings[2].forEach == "pages")
    #expect(mappings[2].policyClassName == "BookToPage")
    #expect(loaded.mappingModel.before.count == 1)
    #expect(loaded.mappingModel.after.count == 2)
  }

  @Test
  func `what is written reads back the same`() throws {
    let loaded = try load(Self.sample)

    let text = loaded.yaml()
    let copy = try load(text)

    expectGolden(text, named: "mapping.yaml")
    #expect(copy.mappingModel == loaded.mappingModel)
    #expect(copy.holes == loaded.holes)
    #expect(copy.source == loaded.source)
    #expect(copy.destination == loaded.destination)
    #expect(copy.yaml() == text)
  }

  @Test
  func `a quote that an accent follows is written as a quote`() throws {
    let loaded = try load(model(#"attributes: { kind: 'TERNARY(a < 0, "''\#u{308}", "b")' }"#))

    let copy = try load(loaded.yaml())

    #expect(copy.mappingModel == loaded.mappingModel)
  }

  @Test
  func `places of parts are known`() throws {
    let locations = try load(Self.sample).locations

    #expect(
      locations.location(of: .attributeMapping(entityMapping: 1, 1))
        == SourceLocation(path: "A.mapping.yaml", line: 14, column: 37)
    )
    #expect(
      locations.location(of: .stage(entityMapping: 2, .begin))
        == locations.location(of: .policy(entityMapping: 2))
    )
  }

  @Test(arguments: [
    Fault(
      "a: 1",
      "A.mapping.yaml:1:1: error: file is not a mapping model: it has no key \"remodelMapping\"",
      "HINT:  Start the file with \"remodelMapping: 1\"."
    ),
    Fault(
      "remodelMapping: 2",
      "A.mapping.yaml:1:17: error: unsupported format version \"2\"",
      "DETAIL:  This release reads version 1."
    ),
    Fault(
      "remodelMapping: 1\nsource: 1\nentities: []",
      "A.mapping.yaml:1:1: error: mapping model has no key \"destination\"",
      "HINT:  Name the version after it."
    ),
    Fault(
      "remodelMapping: 1\nsource: 1\ndestination: 2\nentities:\n  - sourc: A",
      "A.mapping.yaml:5:5: error: unrecognized key \"sourc\" in entity mapping 1",
      "HINT:  Did you mean \"source\"?"
    ),
    Fault(
      "remodelMapping: 1\nsource: 1\ndestination: 2\nentities:\n  - attributes: { a: { hol: x } }",
      "A.mapping.yaml:5:24: error: unrecognized key \"hol\" in attribute \"a\"",
      "HINT:  Did you mean \"hole\"?"
    ),
    Fault(
      "remodelMapping: 1\nsource: 1\ndestination: 2\nentities:\n  - attributes: { a: [b] }",
      "A.mapping.yaml:5:22: error: attribute \"a\" has to be an expression",
      "HINT:  Write an expression, or { hole: \"what is missing\" }."
    ),
    Fault(
      "remodelMapping: 1\nsource: 1\ndestination: 2\nentities:\n  - attributes:\n      a:",
      "A.mapping.yaml:6:9: error: attribute \"a\" has no value",
      "HINT:  Write an expression, or null for no value."
    ),
    Fault(
      "remodelMapping: 1\nsource: 1\ndestination: 2\nentities:\n  - distinct:\n      keys:\n",
      "A.mapping.yaml:6:12: error: keys lists nothing"
    ),
    Fault(
      "remodelMapping: 1\nsource: 1\ndestination: 2\nentities:\n  - distinct: { keys: [], conflict: frist }",
      "A.mapping.yaml:5:23: error: keys lists nothing",
      "A.mapping.yaml:5:37: error: unrecognized value \"frist\" of conflict",
      "DETAIL:  The values are \"first\", \"last\", \"error\".",
      "HINT:  Did you mean \"first\"?"
    ),
    Fault(
      "remodelMapping: 1\nsource: 1\ndestination: 2\nentities: []\nbefore: |\n  SELECT 1\n    FROM ${sorce.A}",
      "A.mapping.yaml:7:10: error: placeholder \"${sorce.A}\" in before stands for nothing",
      "HINT:  There are ${source.Entity}, ${source.Entity.property}, ${destination.Entity}, "
        + "${destination.Entity.property} and ${chunk}."
    ),
  ])
  func `faults are reported with their locations`(fault: Fault) {
    #expect(complaints(fault.text).joined(separator: "\n") == fault.complaint)
  }

  /// Each expression has its fault at its `§`, which is a name too many.
  @Test(arguments: [
    "attributes: { x: title § }",
    "attributes: { x: $source.title § }",
    "attributes: { x: 'FUNCTION($manager, \"destinationInstancesForEntityMappingNamed:sourceInstances:\", \"A\", $source) §' }",
    "attributes: { x: \"\\\"é\\\\\\\" \\u00e9\\\" §\" }",
    "attributes: { x: 'title + ''it\\''s'' §' }",
    "attributes:\n      x: title +\n        pages  §",
    "attributes:\n      x: |\n        title\n          + é §",
    "attributes:\n      x: >-\n        title\n        + 1\n\n        §",
    "attributes:\n      x: \"title \\\n        + 1 §\"",
    "where: 'title == ''a'' §'",
    "distinct: [title, 'a  §']",
    "distinct: { keys: [a], order: [{ by: b § }] }",
  ])
  func `a fault in an expression has its place in the value`(entity: String) throws {
    let marked = model(entity)
    let text = marked.replacing("§", with: "q")
    let prefix = try #require(marked.split(separator: "§").first)
    let line = prefix.count { $0 == "\n" } + 1
    let column =
      (prefix.split(separator: "\n", omittingEmptySubsequences: false).last ?? "")
      .utf8.count + 1

    let first = complaints(text).first ?? ""

    #expect(first.hasPrefix("A.mapping.yaml:\(line):\(column): error: "), "\(first)")
  }
}
