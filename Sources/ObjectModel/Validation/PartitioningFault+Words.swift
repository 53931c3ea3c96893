extension PartitioningFault {
  // One switch, so that a new fault without words does not compile.
  func words(about part: String) -> Words {
    switch self {
    case .unrecognizedAttribute(let name, let suggestion):
      Words(
        "\(part) is partitioned by \"\(name)\", which is no attribute of it",
        suggestion: suggestion
      )
    case .attributeBelowRoot(let name, let entity):
      Words(
        "\(part) is partitioned by \"\(name)\", which entity \"\(entity)\" declares",
        detail: "Its column is null in the rows of other entities of the hierarchy.",
        hint: "Move the attribute to the root of the hierarchy."
      )
    case .unusableAttribute(let name, let reason):
      Words(
        "\(part) is partitioned by \"\(name)\", which is \(reason.words)",
        detail: reason.detail,
        hint: reason.hint
      )
    case .rangeOfOtherType(let name, let type, let every):
      Words(
        "\(part) cannot have a partition every \(every) of \"\(name)\", whose type is \(type)",
        hint: Self.hint(forRangeOf: type)
      )
    case .listOfOtherType(let name, let type):
      Words(
        "\(part) cannot list values of \"\(name)\", whose type is \(type)",
        hint: "Name an attribute whose type is an enumeration, a text or an integer."
      )
    case .hashOfOtherType(let name, let type):
      Words(
        "\(part) cannot be partitioned by the hash of \"\(name)\", whose type is \(type)",
        hint: "Name an attribute that could be a key, or the key itself: hash(_id, 16)."
      )

    case .intervalOutOfBounds(let key, let interval):
      Words("\(key) of \(part) is \(interval)", detail: Self.bounds)
    case .retentionOfOtherKind(let keep, let every):
      Words(
        "\(part) keeps partitions for \(keep), but has one every \(every)",
        detail: "Both have to be times, or both whole numbers."
      )
    case .shortRetention(let keep, let every):
      Words(
        "\(part) keeps partitions for \(keep), but has one every \(every)",
        detail: "The rows of a partition would be removed while others are still inserted.",
        hint: "Keep them for \(every) at least."
      )
    case .aheadOutOfBounds(let count):
      Words("ahead of \(part) is \(count), not a number from 1 to 100")
    case .settingOfOtherMethod(let key, let method):
      Words("\(part) has \(key), but is partitioned by \(method)", detail: method.detail)

    case .missingValues(let name, let type):
      Words(
        "\(part) lists no values of \"\(name)\", whose type is \(type)",
        detail: "Only an enumeration has values to begin with.",
        hint: "Write values: [a, b]."
      )
    case .noValues: Words("\(part) has a list of no values to partition by")
    case .repeatedValue(let value):
      Words("\(part) lists \"\(value)\" twice to partition by")
    case .valueOfOtherType(let value, let type):
      Words("\(part) lists \"\(value)\" to partition by, which is not of type \(type)")
    case .tooManyValues(let count):
      Words("\(part) lists \(count) values to partition by", detail: "1000 is the limit.")
    case .countOutOfBounds(let count):
      Words(
        "\(part) has \(count) partitions by hash",
        hint: "Name a number from 2 to 1024."
      )

    case .uniqueAcrossPartitions(let attribute?):
      Words(
        "\(part) has to contain \"\(attribute)\", by which the table is partitioned",
        detail: "PostgreSQL keeps values unique inside of each partition only.",
        hint: "Add \"\(attribute)\" to it, or partition by an attribute that it contains."
      )
    case .uniqueAcrossPartitions(nil):
      Words(
        "\(part) cannot hold in a table that is partitioned by its key",
        detail:
          "PostgreSQL keeps values unique inside of each partition only, and no constraint of a "
          + "model contains the key.",
        hint: "Partition by an attribute that it contains."
      )
    case .reference(let entity, let attribute):
      Words(
        "\(part) has a foreign key to entity \"\(entity)\", which is partitioned by \"\(attribute)\"",
        detail: "No foreign key can refer to _id alone, because the primary key of such a table "
          + "contains \"\(attribute)\" as well.",
        hint: "Partition by hash(_id, 16), or keep the identifier of the other end as an attribute."
      )
    case .uniqueLink(let method):
      Words(
        "\(part) is one-to-one, so its foreign key has to be unique in a table that is partitioned by "
          + "\(method)",
        detail: "PostgreSQL keeps values unique inside of each partition only.",
        hint: "Make its inverse to-many."
      )
    }
  }

  private static let bounds =
    "Times have from 1 to 1000000 units, and intervals of whole numbers from 1 to 10000000000000000."

  private static func hint(forRangeOf type: AttributeType) -> String {
    switch type.rangeUnit {
    case .instants: "Write every: 1 month."
    case .days: "Write every: 1 month; a date has no hours."
    case .integers: "Write every: 1000000."
    case nil: "Name an attribute whose type is date, timestamp or an integer."
    }
  }
}

extension PartitioningFault.Unusable {
  fileprivate var words: String {
    switch self {
    case .transient: "transient"
    case .optional: "optional"
    case .composite: "a composite"
    case .computed: "computed by the database"
    }
  }

  fileprivate var detail: String {
    switch self {
    case .transient: "It has no column."
    case .optional: "It is part of the primary key, which has a value in every row."
    case .composite: "It has several columns."
    case .computed: "A row has to have its value before it is in a partition."
    }
  }

  fileprivate var hint: String? {
    switch self {
    case .optional: "Take the question mark away."
    case .transient, .composite, .computed: nil
    }
  }
}

extension PartitionKey {
  /// The settings that there are besides, in a sentence.
  package var detail: String {
    settings.isEmpty
      ? "It has no settings."
      : "It has \(settings.map { "\"\($0)\"" }.joined(separator: ", "))."
  }
}
