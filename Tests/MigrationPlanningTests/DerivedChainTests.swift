import Diagnostics
import ObjectModel
import SQLSyntax
import TestSupport
import Testing

@testable import MigrationPlanning

/// Derived attributes that read one another are computed in one another, within limits.
@Suite(.timeLimit(.minutes(30)))
struct DerivedChainTests {
  @Test
  func `attributes that double one another are refused before the SQL has doubled too often`()
    throws
  {
    let error = #expect(throws: ProjectionError.self) {
      try Self.projection(of: Self.chain(of: 26) { "\($0) + \($0)" })
    }

    let diagnostic = try #require(error?.faults.first?.diagnostic)
    #expect(diagnostic.message.hasSuffix("cannot be laid out"))
    #expect(diagnostic.detail?.hasSuffix("it is longer than about 64 kB.") == true)
    #expect(diagnostic.hint?.isEmpty == false)
  }

  @Test
  func `a long chain of attributes is refused from where it gets too long`() throws {
    let error = #expect(throws: ProjectionError.self) {
      try Self.projection(of: Self.chain(of: 300) { "\($0) + 1" })
    }

    #expect(error?.faults.count == 300 - 32)
    let detail = error?.faults.first?.diagnostic.detail
    #expect(detail?.hasSuffix("it is more than 32 derived attributes deep.") == true)
  }

  @Test
  func `one long constant counts as what it is`() throws {
    let text = String(repeating: "x", count: 1 << 16)
    let attribute = AttributeDescription(
      name: "a",
      type: .string,
      derivationExpression: "lowercase:('\(text)')"
    )

    let error = #expect(throws: ProjectionError.self) {
      try Self.projection(of: [attribute])
    }

    #expect(error?.faults.count == 1)
  }

  @Test
  func `what the limits allow is laid out`() throws {
    let long = try Self.projection(of: Self.chain(of: 32) { "\($0) + 1" })
    let wide = try Self.projection(of: Self.chain(of: 10) { "\($0) + \($0)" })

    #expect(long.schema.tables["a"]?.column("a32")?.generation != nil)
    #expect(wide.schema.tables["a"]?.column("a10")?.generation != nil)
  }

  @Test
  func `a value that an attribute cannot store is reported with a type that can`() throws {
    let attribute = AttributeDescription(
      name: "day",
      type: .calendarDate,
      derivationExpression: "now()"
    )

    let error = #expect(throws: ProjectionError.self) { try Self.projection(of: [attribute]) }

    let diagnostic = error?.faults.first?.diagnostic
    #expect(diagnostic?.detail == "It gives a timestamp, the attribute is of type date.")
    #expect(diagnostic?.hint == "Make the attribute timestamp, or change the expression.")
  }

  /// Attributes of which each reads the one before.
  private static func chain(
    of length: Int,
    _ expression: (String) -> String
  ) -> [AttributeDescription] {
    [AttributeDescription(name: "a0", type: .integer64)]
      + (1...length).map { number in
        AttributeDescription(
          name: "a\(number)",
          type: .integer64,
          derivationExpression: expression("a\(number - 1)")
        )
      }
  }

  private static func projection(of attributes: [AttributeDescription]) throws -> ModelProjection {
    try ModelProjection(
      ManagedObjectModel(entities: [EntityDescription(name: "A", attributes: attributes)]),
      schema: "s"
    )
  }
}
