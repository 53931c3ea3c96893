import Diagnostics
import ObjectModel

/// The storage settings of a model.
extension YAMLModelReader {
  /// Returns a key: a type alone, or a mapping.
  mutating func key(_ node: YAMLNode) -> KeyDescription? {
    guard case .mapping = node.content else {
      return keyType(node).map { KeyDescription($0) }
    }
    let fields = fields(of: node, keys: YAMLKeys.key, in: "the key")
    let type = fields["type"].map { keyType($0) } ?? .bigint
    return type.map {
      KeyDescription(
        $0,
        columnName: text(fields["column"], what: "column"),
        generation: fields["generated"].flatMap { generation($0) }
      )
    }
  }

  private mutating func keyType(_ node: YAMLNode) -> KeyDescription.KeyType? {
    guard let text = text(node, what: "key") else { return nil }
    if let type = KeyDescription.KeyType(text) { return type }
    let words = ["bigint", "uuid"] + AttributeType.spellings
    error(
      "unrecognized key type \"\(text)\"",
      detail: "The types are \"bigint\", \"uuid\" and those of attributes.",
      hint: suggestion(for: text, among: words).map { "Did you mean \"\($0)\"?" },
      at: node.offset
    )
    return nil
  }

  private mutating func generation(_ node: YAMLNode) -> KeyDescription.Generation? {
    guard let text = text(node, what: "generated") else { return nil }
    if let generation = KeyDescription.Generation(text) { return generation }
    error(
      "unrecognized value \"\(text)\" of generated",
      detail: StorageWords.generations,
      at: node.offset
    )
    return nil
  }

  static let numberings = AttributeDescription.Numbering.allCases.map {
    (word: $0.rawValue, value: $0)
  }

  mutating func checks(_ node: YAMLNode?) -> [CheckDescription] {
    entries(of: node, what: "checks").compactMap { entry in
      text(entry.value, what: "check \"\(entry.key)\"").map {
        CheckDescription(name: entry.key, expression: $0)
      }
    }
  }

  mutating func storage(_ node: YAMLNode?, of place: String) -> [String: String] {
    guard let node, !node.isNull else { return [:] }
    let fields = fields(of: node, keys: YAMLKeys.storage, in: "the storage of \(place)")
    var storage: [String: String] = [:]
    for parameter in StorageParameter.allCases {
      guard let field = fields[parameter.key], let text = text(field, what: parameter.key) else {
        continue
      }
      storage[parameter.rawValue] = parameter.value(text)
      if parameter.value(text) == nil {
        error("\(parameter.key) is \"\(text)\", not \(parameter.domain)", at: field.offset)
      }
    }
    return storage
  }

  mutating func layout(_ node: YAMLNode?) -> LayoutDescription {
    let usual = LayoutDescription()
    guard let node else { return usual }
    let fields = fields(of: node, keys: YAMLKeys.layout, in: "the layout")
    return LayoutDescription(
      constraints: choice(
        fields["constraints"],
        what: "constraints",
        among: StorageWords.constraints
      ) ?? usual.constraints,
      indexNames: choice(
        fields["indexNames"],
        what: "indexNames",
        among: StorageWords.indexNames
      ) ?? usual.indexNames,
      distribution: choice(
        fields["distribution"],
        what: "distribution",
        among: StorageWords.layoutDistributions
      ) ?? usual.distribution
    )
  }

  mutating func names(_ node: YAMLNode?) -> [String: String] {
    var names: [String: String] = [:]
    for entry in entries(of: node, what: "names") {
      names[entry.key] = text(entry.value, what: "name of \"\(entry.key)\"")
    }
    return names
  }

  mutating func reference(_ node: YAMLNode, of place: String) -> ReferenceDescription? {
    let fields = fields(of: node, keys: YAMLKeys.reference, in: "the reference of \(place)")
    let actions = StorageWords.actions
    let reference = ReferenceDescription(
      onDelete: choice(fields["delete"], what: "delete", among: actions),
      onUpdate: choice(fields["update"], what: "update", among: actions),
      deferrability: choice(
        fields["deferrable"],
        what: "deferrable",
        among: StorageWords.deferrabilities
      ),
      isIndexed: boolean(fields["index"], what: "index") ?? true
    )
    return reference.unlessOrdinary
  }
}

/// The words for settings of foreign keys, keys, partitions and distributions.
enum StorageWords {
  static let actions = ReferenceDescription.Action.allCases.map { (word: $0.rawValue, value: $0) }

  static let constraints = LayoutDescription.Constraints.allCases.map {
    (word: $0.rawValue, value: $0)
  }

  static let indexNames = LayoutDescription.IndexNames.allCases.map {
    (word: $0.rawValue, value: $0)
  }

  static let layoutDistributions = LayoutDescription.Distribution.allCases.map {
    (word: $0.rawValue, value: $0)
  }

  static let deferrabilities: [(word: String, value: ReferenceDescription.Deferrability)] = [
    ("no", .notDeferrable), ("immediate", .immediate), ("deferred", .deferred),
  ]

  static let partitionings =
    "The values are "
    + PartitionKey.spellings.map { "\"\($0)\"" }.joined(separator: ", ")
    + "; _id stands for the key."

  static let distributions =
    "It is \"\(DistributionDescription.Kind.reference.rawValue)\", or has \"by\", the name of an "
    + "attribute or a relationship; _id stands for the key."

  static let distributionSettings =
    "It is \"\(DistributionDescription.Kind.reference.rawValue)\", or the name of an attribute or a "
    + "relationship; _id stands for the key."

  static let every = "It is the extent of each partition, such as 1 month, or 1000000 for integers."

  static let intervals =
    "It is a number of "
    + PartitioningDescription.Interval.Unit.allCases.map { "\($0)s" }.joined(separator: ", ")
    + ", such as 1 month, or a whole number."

  static let generations =
    "The values are "
    + KeyDescription.Generation.words.map { "\"\($0.word)\", " }.joined()
    + "and sql(\"expression\")."
}
