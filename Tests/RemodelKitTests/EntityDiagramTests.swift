import FoundationEssentials
import RemodelKit
import Subprocess
import TestSupport
import Testing

@Suite
struct EntityDiagramTests {
  @Test
  func `a diagram shows what entities inherit, have and lead to`() {
    let diagram = EntityDiagram(of: Self.shop)

    expectGolden(diagram.mermaid, named: "diagram.mmd")
    expectGolden(diagram.dot, named: "diagram.dot")
  }

  @Test(arguments: ["library", "shop", "hostile", "empty"])
  func `Mermaid's text has only lines that Mermaid knows`(name: String) throws {
    let text = EntityDiagram(of: try #require(Self.models[name])).mermaid

    #expect(MermaidGrammar.complaints(about: text).isEmpty)
  }

  @Test
  func `the grammar finds what is wrong`() {
    let faulty = [
      "classDiagram\n  class E0[\"a\"b\"]\n",
      "classDiagram\n  class E0[\"a\"] {\n    x: y{}\n  }\n",
      "classDiagram\n  E0 --> \"1\" E1 : a\n", "graph\n", "classDiagram\n  class E0[\"a\"] {\n",
      "classDiagram\n  class E0[\"a\"]\n  E0 *-- E0 : a;b\n",
    ]
    for text in faulty { #expect(!MermaidGrammar.complaints(about: text).isEmpty, "\(text)") }
  }

  @Test
  func `random models have diagrams that Mermaid knows`() {
    for seed in 1...100 {
      var generator = ModelGenerator(seed: UInt64(seed))
      let text = EntityDiagram(of: generator.model()).mermaid
      #expect(MermaidGrammar.complaints(about: text).isEmpty, "seed \(seed)")
    }
  }

  @Test(
    .enabled(if: EntityDiagramTests.graphviz != nil, "Graphviz is not on this machine"),
    arguments: ["library", "shop", "hostile", "empty"]
  )
  func `Graphviz reads the text of Graphviz`(name: String) async throws {
    let text = EntityDiagram(of: try #require(Self.models[name])).dot
    let path = try #require(Self.graphviz)

    let result = try await run(
      .name(path),
      arguments: ["-Tcanon"],
      input: .string(text),
      output: .discarded,
      error: .string(limit: 1 << 16)
    )

    #expect(result.terminationStatus.isSuccess)
    #expect(result.standardError == "")
  }

  // MARK: - Samples

  static let graphviz: String? = {
    let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
    let isThere = folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/dot") }
    return isThere ? "dot" : nil
  }()

  private static let models = [
    "library": Samples.library, "shop": shop, "hostile": hostile,
    "empty": ManagedObjectModel(entities: []),
  ]

  private static let hostile: ManagedObjectModel = {
    let names = [
      "a\"b", "a<b>&amp;", "}; end", "[x]", "a\\n", "日本 ä", "😀", "#35;", "`x`", "~T~", "%% note",
      "class A", "<<abstract>>", "a\nb", "*", "a:b", "\\", "e\u{301}",
      "\"\u{301}", "<\u{301}b", "a\\\u{200D}", "]\u{FE0F}", ";\u{301}", "a\r\nb",
    ]
    return ManagedObjectModel(
      entities: names.enumerated().map { index, name in
        EntityDescription(
          name: name,
          superentityName: index == 0 ? nil : names[index - 1],
          attributes: [
            AttributeDescription(name: name, type: .enumeration([name, "b"])),
            AttributeDescription(name: "in \(name)", type: .composite(name)),
          ],
          relationships: [
            RelationshipDescription(name: "to \(name)", destinationEntityName: names[0])
          ]
        )
      },
      composites: [
        CompositeDescription(
          name: names[0],
          elements: [AttributeDescription(name: "\"", type: .sql("\""))]
        )
      ]
    )
  }()

  private static let shop = ManagedObjectModel(
    entities: [
      EntityDescription(
        name: "Item",
        isAbstract: true,
        attributes: [
          AttributeDescription(name: "title", type: .string, isOptional: false),
          AttributeDescription(name: "price", type: .numeric(precision: 8, scale: 2)),
          AttributeDescription(name: "size", type: .composite("Size")),
        ],
        relationships: [
          RelationshipDescription(
            name: "tags",
            destinationEntityName: "Tag",
            inverseName: "items",
            isToMany: true,
            isOrdered: true
          )
        ]
      ),
      EntityDescription(
        name: "Book",
        superentityName: "Item",
        attributes: [AttributeDescription(name: "shout", type: .string, isTransient: true)],
        relationships: [
          RelationshipDescription(
            name: "author",
            destinationEntityName: "Author",
            inverseName: "books",
            isOptional: false
          ),
          RelationshipDescription(
            name: "sequel",
            destinationEntityName: "Book",
            inverseName: "prequel"
          ),
          RelationshipDescription(
            name: "prequel",
            destinationEntityName: "Book",
            inverseName: "sequel"
          ),
        ]
      ),
      EntityDescription(
        name: "Author",
        relationships: [
          RelationshipDescription(
            name: "books",
            destinationEntityName: "Book",
            inverseName: "author",
            isToMany: true,
            minimumCount: 1,
            maximumCount: 9,
            isOptional: false
          ),
          RelationshipDescription(
            name: "friends",
            destinationEntityName: "Author",
            inverseName: "friends",
            isToMany: true
          ),
        ]
      ),
      EntityDescription(
        name: "Tag",
        relationships: [
          RelationshipDescription(
            name: "items",
            destinationEntityName: "Item",
            inverseName: "tags",
            isToMany: true
          ),
          RelationshipDescription(name: "parent", destinationEntityName: "Tag"),
        ]
      ),
    ],
    composites: [
      CompositeDescription(
        name: "Size",
        elements: [AttributeDescription(name: "width", type: .float, isOptional: false)]
      )
    ]
  )
}

/// The part of Mermaid's class diagrams that is in use here, with all of its restrictions on texts.
private enum MermaidGrammar {
  static func complaints(about text: String) -> [String] {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    var complaints: [String] = []
    if lines.removeFirst() != "classDiagram" { complaints.append("no class diagram") }
    if lines.popLast() != "" { complaints.append("no end of line at the end") }
    var classes: Set<String> = []
    var isInside = false
    for line in lines {
      if isInside {
        if line == "  }" {
          isInside = false
        } else if line.wholeMatch(of: #/    <<[a-z]+>>/#) == nil,
          withoutCodes(line).wholeMatch(of: #/    [\p{L}\p{M}\p{N}_ :,?.\[\]]+/#) == nil
        {
          complaints.append(line)
        }
      } else if let match = withoutCodes(line).wholeMatch(
        of: #/  class ([EC]\d+)\["[\p{L}\p{M}\p{N}_ ]*"\]( \{)?/#
      ) {
        classes.insert(String(match.1))
        isInside = match.2 != nil
      } else if let match = withoutCodes(line).wholeMatch(
        of:
          #/  ([EC]\d+) (?:"[\d.*]+" )?(?:<\|--|\*--|-->|--) (?:"[\d.*]+" )?([EC]\d+)(?: : [\p{L}\p{M}\p{N}_ /]+)?/#
      ), classes.contains(String(match.1)), classes.contains(String(match.2)) {
        continue
      } else {
        complaints.append(line)
      }
    }
    return complaints + (isInside ? ["a class does not end"] : [])
  }

  /// Returns a line with a letter for each character that stands as its number.
  private static func withoutCodes(_ line: String) -> String {
    line.replacing(/#\d+;/, with: "x")
  }
}
