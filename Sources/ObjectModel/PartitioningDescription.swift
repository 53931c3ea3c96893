/// How the rows of a hierarchy are spread over the partitions of its table.
public struct PartitioningDescription: Hashable, Sendable {
  /// What decides which partition a row is in.
  public var method: Method
  /// How many partitions there are for values that are still to come; of a range only.
  public var ahead: Int
  /// The extent of the past that partitions are kept for, all of it if there is none; of a range only.
  public var retention: Interval?

  /// What decides which partition a row is in.
  public enum Method: Hashable, Sendable {
    /// The interval that the value of an attribute is in.
    case range(attribute: String, every: Interval)
    /// The value of an attribute, with a partition for each of some values; `nil` stands for all
    /// values of an enumeration.
    case list(attribute: String, values: [String]?)
    /// The hash of an attribute, or of the key if it is `nil`.
    case hash(attribute: String?, partitions: Int)
  }

  /// The extent of a partition.
  public enum Interval: Hashable, Sendable {
    /// So many units of time.
    case time(Int, Unit)
    /// So many whole numbers.
    case integers(Int)

    /// A unit of time.
    public enum Unit: String, Hashable, Sendable, Codable, CaseIterable {
      case hour, day, week, month, year
    }
  }

  /// How many partitions there are ahead where nothing else is said.
  package static let usualAhead = 3

  /// Creates a partitioning.
  ///
  /// - Parameters:
  ///   - method: What decides which partition a row is in.
  ///   - ahead: How many partitions there are for values that are still to come; 3 by default.
  ///   - retention: The extent of the past that partitions are kept for; all of it by default.
  public init(_ method: Method, ahead: Int? = nil, retention: Interval? = nil) {
    self.method = method
    self.ahead = ahead ?? Self.usualAhead
    self.retention = retention
  }
}

extension PartitioningDescription {
  /// The attribute that decides which partition a row is in; `nil` if the key does.
  package var attributeName: String? {
    get { method.key.attributeName }
    set {
      switch (method, newValue) {
      case (.range(_, let every), let name?): method = .range(attribute: name, every: every)
      case (.list(_, let values), let name?): method = .list(attribute: name, values: values)
      case (.hash(_, let partitions), let name):
        method = .hash(attribute: name, partitions: partitions)
      case (.range, nil), (.list, nil): break
      }
    }
  }
}

extension PartitioningDescription: CustomStringConvertible {
  /// The partitioning on one line, for people.
  public var description: String {
    var parts = [method.description]
    switch method {
    case .range(_, let every):
      parts += ["every: \(every)", "ahead: \(ahead)"]
      if let retention { parts.append("keep: \(retention)") }
    case .list(_, let values?): parts.append("values: \(ArgumentList.text(of: values))")
    case .list(_, nil), .hash: break
    }
    return parts.joined(separator: ", ")
  }
}

extension PartitioningDescription.Method: CustomStringConvertible {
  /// The method without its settings, as files spell it: `range(placed)`, `hash(_id, 16)`.
  public var description: String { key.description }

  /// The method without its settings.
  package var key: PartitionKey {
    switch self {
    case .range(let attribute, _): .range(attribute)
    case .list(let attribute, _): .list(attribute)
    case .hash(let attribute, let partitions): .hash(attribute, partitions)
    }
  }

  /// The extent of each partition of a range.
  package var every: PartitioningDescription.Interval? {
    if case .range(_, let every) = self { every } else { nil }
  }

  /// The values that have a partition each, where they are listed.
  package var values: [String]? {
    if case .list(_, let values) = self { values } else { nil }
  }

  /// Creates a method; `nil` if a setting is missing, or one is there that the method does not have.
  package init?(
    _ key: PartitionKey,
    every: PartitioningDescription.Interval?,
    values: [String]?
  ) {
    switch (key, every, values) {
    case (.range(let attribute), let every?, nil): self = .range(attribute: attribute, every: every)
    case (.list(let attribute), nil, _): self = .list(attribute: attribute, values: values)
    case (.hash(let attribute, let partitions), nil, nil):
      self = .hash(attribute: attribute, partitions: partitions)
    case (.range, _, _), (.list, .some, _), (.hash, _, _): return nil
    }
  }
}

/// What files say under `by`: a method of partitioning without its settings.
package enum PartitionKey: Hashable, Sendable {
  case range(String)
  case list(String)
  case hash(String?, Int)

  /// The attribute that decides which partition a row is in; `nil` if the key does.
  package var attributeName: String? {
    switch self {
    case .range(let name), .list(let name): name
    case .hash(let name, _): name
    }
  }

  /// The settings that the method has besides, by their keys in files.
  package var settings: [String] {
    switch self {
    case .range: ["every", "ahead", "keep"]
    case .list: ["values"]
    case .hash: []
    }
  }

  /// The spellings, for people.
  package static let spellings = ["range(attribute)", "list(attribute)", "hash(_id, 16)"]
}

extension PartitionKey: LosslessStringConvertible {
  private static let ownKey = DistributionDescription.ownKey

  /// The method as files spell it.
  package var description: String {
    switch self {
    case .range(let name): "range(\(ArgumentList.text(of: [name])))"
    case .list(let name): "list(\(ArgumentList.text(of: [name])))"
    case .hash(nil, let partitions): "hash(\(Self.ownKey), \(partitions))"
    case .hash(Self.ownKey?, let partitions):
      "hash(\(ArgumentList.quoted(Self.ownKey)), \(partitions))"
    case .hash(let name?, let partitions): "hash(\(ArgumentList.text(of: [name])), \(partitions))"
    }
  }

  /// Creates a method from its spelling, or returns `nil` if there is none.
  package init?(_ text: String) {
    let scalars = text.unicodeScalars
    guard scalars.last == ")", let open = scalars.firstIndex(of: "("),
      let list = ArgumentList(Substring(scalars[scalars.index(after: open)...].dropLast())),
      list.arguments.allSatisfy({ !$0.text.isEmpty })
    else { return nil }
    let arguments = list.arguments
    switch (String(scalars[..<open]), arguments.count) {
    case ("range", 1): self = .range(arguments[0].text)
    case ("list", 1): self = .list(arguments[0].text)
    case ("hash", 2):
      guard let partitions = Int(arguments[1].text) else { return nil }
      let isOwnKey = arguments[0] == .init(text: Self.ownKey, isQuoted: false)
      self = .hash(isOwnKey ? nil : arguments[0].text, partitions)
    case (_, _): return nil  // No method, or one with other arguments.
    }
  }
}

extension PartitioningDescription.Interval: LosslessStringConvertible {
  /// The interval as files spell it: `1 month`, `24 months`, `1000000`.
  public var description: String {
    switch self {
    case .time(1, let unit): "1 \(unit.rawValue)"
    case .time(let count, let unit): "\(count) \(unit.rawValue)s"
    case .integers(let count): "\(count)"
    }
  }

  /// Creates an interval from its spelling, or returns `nil` if there is none.
  public init?(_ text: String) {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    guard let digits = words.first, digits.utf8.first != UInt8(ascii: "0"),
      digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let count = Int(digits)
    else { return nil }
    if words.count == 1 {
      self = .integers(count)
    } else if words.count == 2,
      let unit = Unit.allCases.first(where: {
        words[1] == $0.rawValue || words[1] == $0.rawValue + "s"
      })
    {
      self = .time(count, unit)
    } else {
      return nil
    }
    guard isInBounds else { return nil }
  }

  /// A Boolean value that indicates whether a hundred such partitions can be counted.
  package var isInBounds: Bool {
    switch self {
    case .time(let count, _): (1...1_000_000).contains(count)
    case .integers(let count): (1...10_000_000_000_000_000).contains(count)
    }
  }

  /// Returns whether the interval is shorter than another one for certain; `nil` if one is a time and
  /// the other one is not.
  package func isShorter(than other: Self) -> Bool? {
    switch (self, other) {
    case (.integers(let count), .integers(let otherCount)): count < otherCount
    case (.time(let count, let unit), .time(let otherCount, let otherUnit)):
      Double(count) * unit.days.upperBound < Double(otherCount) * otherUnit.days.lowerBound
    case (.integers, .time), (.time, .integers): nil
    }
  }
}

extension PartitioningDescription.Interval.Unit {
  /// How many days it has at least, and at most.
  fileprivate var days: ClosedRange<Double> {
    switch self {
    case .hour: 1.0 / 24...1.0 / 24
    case .day: 1...1
    case .week: 7...7
    case .month: 28...31
    case .year: 365...366
    }
  }
}
