extension DistributionFault {
  // One switch, so that a new fault without words does not compile.
  func words(about part: String) -> Words {
    switch self {
    case .besidePartitions:
      Words(
        "\(part) has both partition and distribution",
        hint: "Declare one of the two."
      )
    case .besideSchema:
      Words(
        "\(part) has a distribution of its own, but the layout of the model distributes whole schemas",
        detail: "All tables of such a schema are on one node.",
        hint: "Declare one of the two."
      )
    case .shortNumbers(let type):
      Words(
        "\(part) is numbered by a sequence whose numbers are of type \(type), but its rows are on "
          + "several nodes",
        detail:
          "Each node takes numbers from a range of its own, which only 64 bits have room for.",
        hint: "Let the type be integer64, or bigint if it is that of the key."
      )

    case .unrecognizedProperty(let name, let suggestion):
      Words(
        "\(part) is distributed by \"\(name)\", which is no property of it",
        suggestion: suggestion
      )
    case .propertyBelowRoot(let name, let entity):
      Words(
        "\(part) is distributed by \"\(name)\", which entity \"\(entity)\" declares",
        detail: "Its column is null in the rows of other entities of the hierarchy.",
        hint: "Move it to the root of the hierarchy."
      )
    case .unusableProperty(let name, let reason):
      Words(
        "\(part) is distributed by \"\(name)\", which \(reason.words)",
        detail: reason.detail,
        hint: reason.hint
      )
    case .propertyOfOtherType(let name, let type):
      Words(
        "\(part) cannot be distributed by \"\(name)\", whose type is \(type)",
        hint: "Name an attribute that could be a key, or the key itself: by: _id."
      )

    case .unrecognizedEntity(let name, let suggestion):
      Words(
        "\(part) has colocateWith: \(name), which is no entity",
        suggestion: suggestion
      )
    case .colocatedBelowRoot(let name, let root):
      Words(
        "\(part) has colocateWith: \(name), which is stored in the table of entity \"\(root)\"",
        hint: "Write colocateWith: \(root)."
      )
    case .colocatedInCircle(let names):
      Words(
        "\(part) is colocated with itself",
        detail: names.count > 2
          ? "The entities are \(names.map { "\"\($0)\"" }.joined(separator: ", "))." : nil,
        hint: names.count > 2
          ? "Leave colocateWith out of one of them." : "Leave colocateWith out."
      )
    case .colocatedWithOther(let name, let other):
      Words(
        "\(part) has colocateWith: \(name), whose rows are not distributed",
        detail: other == nil
          ? "They are on the coordinator." : "They are on all nodes, beside those of any entity.",
        hint: other == nil
          ? "Distribute entity \"\(name)\" as well, or leave colocateWith out."
          : "Leave colocateWith out."
      )
    case .colocatedOfOtherType(let name, let type, let own):
      Words(
        "\(part) has colocateWith: \(name), which is distributed by values of type \(type), not \(own)",
        detail: "Only equal values of one type are on the same node.",
        hint: "Distribute both by values of one type, or leave colocateWith out."
      )

    case .uniqueAcrossNodes(let property?):
      Words(
        "\(part) has to contain \"\(property)\", by which Citus distributes the table",
        detail: Self.uniqueness,
        hint: "Add \"\(property)\" to it, or distribute by a property that it contains."
      )
    case .uniqueAcrossNodes(nil):
      Words(
        "\(part) cannot hold in a table that Citus distributes by its key",
        detail: "\(Self.uniqueness) No constraint of a model contains the key.",
        hint: "Distribute by a property that it contains, or not at all: distribution: reference."
      )
    case .uniqueLink(let property):
      Words(
        "\(part) is one-to-one, so its foreign key has to be unique in a table that Citus distributes by "
          + Self.phrase(property),
        detail: Self.uniqueness,
        hint: "Make its inverse to-many."
      )
    case .joinTable(let entity):
      Words(
        "\(part) has a join table, whose foreign key to entity \"\(entity)\" cannot be enforced",
        detail:
          "The rows of entity \"\(entity)\" are distributed, and those of the join table are not.",
        hint: "Make it an entity of its own, with a to-one relationship to each end."
      )
    case .referenceToRows(let entity, let source):
      Words(
        "\(part) has a foreign key to entity \"\(entity)\", which would not be enforced on all nodes",
        detail: source == nil
          ? "The rows of entity \"\(entity)\" are distributed, and its own are on the coordinator."
          : "The rows of entity \"\(entity)\" are distributed, and its own are on all nodes.",
        hint: "Distribute its own entity as well, by the same, or \(Self.attribute)."
      )
    case .referenceToCoordinator(let entity):
      Words(
        "\(part) has a foreign key to entity \"\(entity)\", whose rows are on the coordinator alone",
        detail: "Its own are distributed, and other nodes cannot look them up.",
        hint: "Declare entity \"\(entity)\" with distribution: reference."
      )
    case .referenceApart(let entity):
      Words(
        "\(part) has a foreign key to entity \"\(entity)\", whose rows are on other nodes",
        detail: "Nothing says that rows of the two with equal values are on the same node.",
        hint: "Distribute both by the same, one of them with colocateWith, or \(Self.attribute)."
      )
    case .referenceAcross(let entity, let property, let own, let isOwn):
      Words(
        "\(part) has a foreign key to entity \"\(entity)\", which is distributed by "
          + Self.phrase(property),
        detail: "Its own row is on the node of \(Self.phrase(own)), which may be another one.",
        hint: Self.hint(forReferenceTo: property, isOwn) + ", or \(Self.attribute)."
      )
    case .action(let event, let action, let limit, let source):
      Words(
        "\(part) has a foreign key with the action \(action.rawValue) on \(event.rawValue), which Citus "
          + "refuses",
        detail: limit.detail,
        hint: limit.hint(for: event, source)
      )
    }
  }

  private static let uniqueness = "Citus keeps values unique on each node only."

  private static let attribute = "keep the identifier of the other end as an attribute"

  private static func phrase(_ property: String?) -> String {
    property.map { "\"\($0)\"" } ?? "its key"
  }

  private static func hint(forReferenceTo property: String?, _ isOwn: Bool) -> String {
    switch (property, isOwn) {
    case (_, true): "Distribute by a property that both rows have the same value of"
    case (let property?, false):
      "Distribute its own entity by what has the values of \"\(property)\""
    case (nil, false): "Distribute its own entity by this relationship"
    }
  }
}

extension DistributionFault.Unusable {
  fileprivate var words: String {
    switch self {
    case .nameOfKey: "stands for the key"
    case .transient: "is transient"
    case .optional: "is optional"
    case .composite: "is a composite"
    case .computed: "is computed by the database"
    case .toMany: "is to-many"
    case .keptElsewhere: "is kept by the other end"
    }
  }

  fileprivate var detail: String {
    switch self {
    case .nameOfKey: "No file can name a property that is called so."
    case .transient: "It has no column."
    case .optional: "It is part of the primary key, which has a value in every row."
    case .composite: "It has several columns."
    case .computed: "A row has to have its value before it is on a node."
    case .toMany: "A row has one value that decides which node it is on."
    case .keptElsewhere(let inverse):
      inverse.map { "The column is that of its inverse \"\($0)\"." }
        ?? "It has no column in the table."
    }
  }

  fileprivate var hint: String? {
    switch self {
    case .nameOfKey: "Give the property another name."
    case .optional: "Take the question mark away."
    case .transient, .composite, .computed, .toMany, .keptElsewhere: nil
    }
  }
}

extension DistributionFault.Limit {
  fileprivate var detail: String {
    switch self {
    case .distributionColumn:
      "The foreign key contains the distribution column, which stays what it is."
    case .coordinator(let entity):
      "The rows of entity \"\(entity)\" are on the coordinator, and change none on other nodes."
    }
  }

  fileprivate func hint(
    for event: DistributionFault.Event,
    _ source: DistributionFault.Source
  ) -> String {
    let (rules, actions) =
      switch self {
      case .distributionColumn: ("deny or cascade", "noAction, restrict or cascade")
      case .coordinator: ("deny", "noAction or restrict")
      }
    return switch (event, source) {
    case (.update, _): "Leave update out of its reference."
    case (.delete, .reference): "Write delete: \(actions) in its reference."
    case (.delete, .inverse(let name, let entity)):
      "Let the delete rule of relationship \"\(name)\" of entity \"\(entity)\" be \(rules)."
    case (.delete, .noInverse):
      "Give it an inverse whose delete rule is \(rules), or write reference: { delete: noAction }."
    }
  }
}
