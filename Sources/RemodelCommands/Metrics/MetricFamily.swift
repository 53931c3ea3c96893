import SQLSyntax

/// Numbers of one kind, in Prometheus' text format.
struct MetricFamily: Hashable, Sendable {
  /// How a number moves.
  enum Kind: String, Hashable, Sendable {
    case gauge
    case counter
  }

  struct Sample: Hashable, Sendable {
    let labels: [Label]
    let value: Double
  }

  struct Label: Hashable, Sendable {
    let name: String
    let value: String
  }

  let name: String
  let kind: Kind
  let help: String
  private(set) var samples: [Sample] = []

  init(_ name: String, _ kind: Kind, _ help: String) {
    self.name = name
    self.kind = kind
    self.help = help
  }

  /// Adds a number; none if it is unknown.
  mutating func add(_ value: Double?, _ labels: [Label] = []) {
    guard let value else { return }
    samples.append(Sample(labels: labels, value: value))
  }

  /// The lines of the family; none without numbers.
  var text: String {
    guard !samples.isEmpty else { return "" }
    let head = "# HELP \(name) \(Self.escaped(help))\n# TYPE \(name) \(kind.rawValue)\n"
    return samples.reduce(into: head) { text, sample in
      let labels = sample.labels.map { label in
        "\(label.name)=\"\(Self.escaped(label.value).replacingScalars("\"", with: "\\\""))\""
      }
      let list = labels.isEmpty ? "" : "{\(labels.joined(separator: ","))}"
      text += "\(name)\(list) \(Self.number(sample.value))\n"
    }
  }

  private static func escaped(_ text: String) -> String {
    text.replacingScalars("\\", with: "\\\\").replacingScalars("\n", with: "\\n")
  }

  private static func number(_ value: Double) -> String {
    if let whole = Int(exactly: value) { return "\(whole)" }
    if value.isNaN { return "NaN" }
    if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
    return "\(value)"
  }
}
