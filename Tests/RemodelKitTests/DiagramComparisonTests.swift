import ModelMapping
import ObjectModel
import TestSupport
import Testing

@testable import RemodelKit

@Suite
struct DiagramComparisonTests {
  private static let before = ManagedObjectModel(
    entities: [
      EntityDescription(
        name: "Person",
        attributes: [
          AttributeDescription(name: "name", type: .string),
          AttributeDescription(name: "age", type: .integer16),
          AttributeDescription(name: "nick", type: .string),
        ],
        relationships: [
          RelationshipDescription(
            name: "books",
            destinationEntityName: "Book",
            inverseName: "owner",
            isToMany: true
          )
        ]
      ),
      EntityDescription(
        name: "Book",
        attributes: [AttributeDescription(name: "title", type: .string)],
        relationships: [
          RelationshipDescription(
            name: "owner",
            destinationEntityName: "Person",
            inverseName: "books"
          )
        ]
      ),
      EntityDescription(name: "Shelf"),
    ]
  )

  private static let after = ManagedObjectModel(
    entities: [
      EntityDescription(
        name: "Author",
        renamingIdentifier: "Person",
        attributes: [
          AttributeDescription(name: "fullName", type: .string, renamingIdentifier: "name"),
          AttributeDescription(name: "age", type: .integer32),
          AttributeDescription(name: "born", type: .calendarDate),
        ],
        relationships: [
          RelationshipDescription(
            name: "books",
            destinationEntityName: "Book",
            inverseName: "owner",
            isToMany: true
          )
        ]
      ),
      EntityDescription(
        name: "Book",
        attributes: [AttributeDescription(name: "title", type: .string)],
        relationships: [
          RelationshipDescription(
            name: "owner",
            destinationEntityName: "Author",
            inverseName: "books"
          )
        ]
      ),
      EntityDescription(name: "Room"),
    ]
  )

  private static var comparison: DiagramComparison {
    DiagramComparison(from: before, to: after, ModelDifference(from: before, to: after))
  }

  /// The lines of text of a box, with their signs, as a reader sees them.
  private static func rows(_ picture: DiagramPicture?, _ name: String) -> [String] {
    guard let box = picture?.boxes.first(where: { $0.box.name == name })?.box else { return [] }
    let head = "\(box.note?.mark.sign ?? " ") \(box.name)\(box.kind.map { " (\($0))" } ?? "")"
    return [head] + box.rows.map { "\($0.note?.mark.sign ?? " ") \($0.name): \($0.detail)" }
  }

  @Test
  func `what differs has a sign on the side that has it`() {
    let comparison = Self.comparison

    #expect(
      Self.rows(comparison.before, "Person") == [
        "→ Person (now Author)", "→ name → fullName: string?", "~ age: integer16?",
        "− nick: string?", "  books: 0..* Book",
      ]
    )
    #expect(
      Self.rows(comparison.after, "Author") == [
        "→ Author (was Person)", "→ fullName ← name: string?", "~ age: integer32?",
        "+ born: date?", "  books: 0..* Book",
      ]
    )
    #expect(Self.rows(comparison.before, "Shelf") == ["− Shelf"])
    #expect(Self.rows(comparison.after, "Shelf").isEmpty)
    #expect(Self.rows(comparison.after, "Room") == ["+ Room"])
    #expect(
      Self.rows(comparison.after, "Book") == ["  Book", "  title: string?", "  owner: 0..1 Author"]
    )
  }

  @Test
  func `what is the same stands at the same place`() throws {
    let comparison = Self.comparison
    let before = try #require(comparison.before)
    let after = try #require(comparison.after)
    func place(_ picture: DiagramPicture, _ name: String) -> LayeredLayout.Place? {
      picture.boxes.first { $0.box.name == name }?.place
    }

    #expect(place(before, "Book") == place(after, "Book"))
    #expect(place(before, "Person") == place(after, "Author"))
    #expect(before.width == after.width)
    #expect(before.height == after.height)
    #expect(place(before, "Shelf") != place(after, "Room"))
  }

  @Test
  func `what differs of an entity itself is a line of its own`() {
    func model(_ unique: [[String]], isAbstract: Bool) -> ManagedObjectModel {
      ManagedObjectModel(
        entities: [
          EntityDescription(
            name: "Book",
            isAbstract: isAbstract,
            attributes: [AttributeDescription(name: "title", type: .string)],
            uniquenessConstraints: unique
          )
        ]
      )
    }
    let (before, after) = (model([], isAbstract: false), model([["title"]], isAbstract: true))

    let comparison = DiagramComparison(
      from: before,
      to: after,
      ModelDifference(from: before, to: after)
    )

    #expect(
      Self.rows(comparison.before, "Book") == ["~ Book", "  title: string?", "~ abstract: no: "]
    )
    #expect(
      Self.rows(comparison.after, "Book") == [
        "~ Book (abstract)", "  title: string?", "~ abstract: yes: ", "+ unique title: ",
      ]
    )
  }

  @Test
  func `pictures fit a golden file`() throws {
    let comparison = Self.comparison
    let before = try #require(comparison.before(named: "before"))

    expectGolden(before.markup.text, named: "before.svg")
    let after = try #require(comparison.after(named: "after"))
    expectGolden(after.markup.text, named: "after.svg")
    expectGolden(EntityDiagram(of: Self.after).svg, named: "diagram.svg")
  }

  @Test
  func `of a large model there is what differs and what that leads to`() throws {
    func model(_ changed: Bool) -> ManagedObjectModel {
      ManagedObjectModel(
        entities: (0..<40).map { index in
          EntityDescription(
            name: "Entity\(index)",
            attributes: [
              AttributeDescription(name: "a", type: .string),
              AttributeDescription(name: "b", type: .string),
              AttributeDescription(
                name: "c",
                type: changed && index == 20 ? .integer64 : .integer32
              ),
            ],
            relationships: [
              RelationshipDescription(
                name: "next",
                destinationEntityName: "Entity\((index + 1) % 40)"
              )
            ]
          )
        }
      )
    }
    let difference = ModelDifference(from: model(false), to: model(true))

    let comparison = DiagramComparison(from: model(false), to: model(true), difference)

    #expect(comparison.shownCount == 3)
    #expect(comparison.totalCount == 40)
    #expect(
      Self.rows(comparison.after, "Entity20") == [
        "~ Entity20", "~ c: integer64?", "  3 more, unchanged: ",
      ]
    )
    #expect(Self.rows(comparison.after, "Entity19") == ["  Entity19"])
    #expect(comparison.whole?.boxes.count == 40)
  }

  @Test
  func `labels of enumerations have a line on the side that has them`() {
    func model(_ labels: String...) -> ManagedObjectModel {
      ManagedObjectModel(entities: [
        EntityDescription(
          name: "Order",
          attributes: [AttributeDescription(name: "state", type: .enumeration(labels))]
        )
      ])
    }
    let (before, after) = (model("open", "lost"), model("open", "back"))

    let comparison = DiagramComparison(
      from: before,
      to: after,
      ModelDifference(from: before, to: after)
    )

    #expect(Self.rows(comparison.before, "Order").contains("− lost: label"))
    #expect(Self.rows(comparison.after, "Order").contains("+ back: label"))
    #expect(!Self.rows(comparison.after, "Order").contains { $0.contains("lost: label") })
  }

  @Test(arguments: [59, 61, 400])
  func `where too many entities differ there is no picture`(count: Int) {
    func model(_ type: AttributeType) -> ManagedObjectModel {
      ManagedObjectModel(
        entities: (0..<count).map { index in
          EntityDescription(
            name: "Entity\(index)",
            attributes: [AttributeDescription(name: "a", type: type)]
          )
        }
      )
    }
    let (before, after) = (model(.integer32), model(.integer64))

    let comparison = DiagramComparison(
      from: before,
      to: after,
      ModelDifference(from: before, to: after)
    )

    #expect((comparison.after != nil) == (count <= 60))
    #expect(comparison.shownCount == (count <= 60 ? count : 0))
    #expect(comparison.totalCount == count)
  }

  @Test
  func `without a version before there is one picture without signs`() {
    let comparison = DiagramComparison(
      from: nil,
      to: Self.after,
      ModelDifference(from: Self.after, to: Self.after)
    )

    #expect(comparison.before == nil)
    #expect(comparison.after?.boxes.allSatisfy { $0.box.note == nil } == true)
  }

  @Test
  func `no text is wider than its box, and none reaches another`() {
    for seed in 1...100 as ClosedRange<UInt64> {
      var generator = ModelGenerator(seed: seed)
      let diagram = EntityDiagram(of: generator.model())
      let picture = DiagramPicture(diagram, DiagramMarks(), title: "", preferredWidth: 700)
      for placed in picture.boxes {
        for row in placed.box.rows {
          let width =
            DiagramText.width(row.name, unit: DiagramText.rowUnit)
            + DiagramText.width(row.detail, unit: DiagramText.rowUnit)
          #expect(
            PictureBox.indentation + width + PictureBox.padding <= placed.place.width,
            "seed \(seed)"
          )
        }
      }
    }
  }

  @Test
  func `pictures of random models are well-formed`() throws {
    for seed in 1...60 as ClosedRange<UInt64> {
      var generator = ModelGenerator(seed: seed)
      let first = generator.model()
      let second = generator.model()
      let comparison = DiagramComparison(
        from: first,
        to: second,
        ModelDifference(from: first, to: second)
      )
      for picture in [comparison.before, comparison.after].compactMap(\.self) {
        let tree = try MarkupTree(picture.inline("x").text)
        #expect(tree.elements(ofClass: "box").count == picture.boxes.count)
        #expect(tree.elements(ofClass: "line").count == picture.lines.count)
      }
      #expect(throws: Never.self) { try MarkupTree(EntityDiagram(of: first).svg) }
    }
  }
}
