import FoundationEssentials

/// Models whose second version rebuilds the table of orders by a mapping model.
struct CopyBundles {
  enum Bundle: String, CaseIterable {
    /// One attribute is computed, which costs next to nothing.
    case plain
    /// One attribute costs the processor more than all else that a row takes.
    case costly
    /// A name is divided in two, and a value is computed.
    case people
  }

  private let folder: URL

  init(in folder: URL) throws {
    self.folder = folder
    for bundle in Bundle.allCases {
      let path = folder.appending(path: "\(bundle.rawValue).remodel")
      try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
      let files =
        bundle == .people
        ? Self.people
        : [
          "1.yaml": Self.model(added: ""),
          "2.yaml": Self.model(added: "\n      total: \"numeric(14,2)\""),
          "1-2.mapping.yaml": Self.mapping(bundle),
        ]
      for (name, text) in files {
        try text.write(to: path.appending(path: name), atomically: true, encoding: .utf8)
      }
    }
  }

  func path(_ bundle: Bundle) -> String {
    folder.appending(path: "\(bundle.rawValue).remodel").path
  }

  private static let people = [
    "1.yaml": """
    remodel: 1
    entities:
      Person:
        attributes: { name: string, amount: "numeric(12,2)", quantity: integer32 }

    """,
    "2.yaml": """
    remodel: 1
    entities:
      Person:
        attributes:
          firstName: string
          lastName: string
          amount: "numeric(12,2)"
          quantity: integer32
          total: "numeric(14,2)"

    """,
    "1-2.mapping.yaml": """
    remodelMapping: 1
    source: "1"
    destination: "2"
    entities:
      - source: Person
        destination: Person
        attributes:
          firstName: split($source.name, " ", 0)
          lastName: regexReplace($source.name, "^[^ ]* ?", "")
          total: $source.amount * $source.quantity

    """,
  ]

  private static func model(added: String) -> String {
    """
    remodel: 1
    entities:
      Customer:
        attributes: { name: string }
        relationships:
          orders: { toMany: Order, inverse: customer, delete: cascade }
      Order:
        attributes:
          title: string
          note: string
          amount: "numeric(12,2)"
          madeAt: timestamp
          quantity: integer32\(added)
        relationships:
          customer: { to: Customer, inverse: orders }
        indexes:
          byTime: [madeAt]

    """
  }

  private static func mapping(_ bundle: Bundle) -> String {
    let total = "$source.amount * $source.quantity"
    let expression =
      switch bundle {
      case .plain, .people: total
      // No text matches, but that takes trying all ways to divide it.
      case .costly:
        "TERNARY($source.title MATCHES '(.*)(.*)(e.*)x', 0, \(total))"
      }
    return """
      remodelMapping: 1
      source: "1"
      destination: "2"
      entities:
        - source: Order
          destination: Order
          attributes:
            total: \(expression)

      """
  }
}
