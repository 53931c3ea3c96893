/// A value that is to be written as YAML.
enum YAMLValue {
  case text(String)
  /// A number or a Boolean value, which is not put into quotes.
  case constant(String)
  /// A text of several lines, which stands as it is where it can.
  case lines(String)
  case list([YAMLValue])
  /// Keys with values, on one line where they fit.
  case fields([YAMLField])
  /// Names with values, each on lines of its own.
  case section([YAMLField])

  var isEmpty: Bool {
    switch self {
    case .text, .constant, .lines: false
    case .list(let items): items.isEmpty
    case .fields(let entries), .section(let entries): entries.isEmpty
    }
  }

  /// Returns the texts as a list.
  static func texts(_ texts: [String]) -> YAMLValue { .list(texts.map(YAMLValue.text)) }

  /// Returns the texts by key, the keys in order.
  static func texts(_ texts: [String: String]) -> YAMLValue {
    .fields(
      texts.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        .map { YAMLField($0.key, .text($0.value)) }
    )
  }
}

/// A key that is to be written with its value.
struct YAMLField {
  let key: String
  let value: YAMLValue

  init(_ key: String, _ value: YAMLValue) {
    self.key = key
    self.value = value
  }
}

/// Collects keys with values, and leaves out empty ones.
struct YAMLFields {
  private(set) var entries: [YAMLField] = []

  mutating func add(_ key: String, _ text: String?) {
    if let text { entries.append(YAMLField(key, .text(text))) }
  }

  mutating func add(_ key: String, constant: String?) {
    if let constant { entries.append(YAMLField(key, .constant(constant))) }
  }

  mutating func add(_ key: String, ifSet flag: Bool) {
    if flag { entries.append(YAMLField(key, .constant("true"))) }
  }

  mutating func add(_ key: String, _ value: YAMLValue) {
    if !value.isEmpty { entries.append(YAMLField(key, value)) }
  }
}
