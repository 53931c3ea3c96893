/// Times of several runs, in seconds.
struct Measurement {
  private let sorted: [Double]

  init(_ seconds: [Double]) {
    sorted = seconds.sorted()
  }

  var median: Double { sorted.isEmpty ? .nan : sorted[sorted.count / 2] }
  var least: Double { sorted.first ?? .nan }
  var most: Double { sorted.last ?? .nan }

  /// The median with the range, in milliseconds.
  var summary: String {
    "\(Self.milliseconds(median)) ms [\(Self.milliseconds(least)) - \(Self.milliseconds(most))]"
  }

  /// The median with the range, of values that are ratios.
  var ratios: String {
    "\(Self.ratio(median)) [\(Self.ratio(least)) - \(Self.ratio(most))]"
  }

  static func milliseconds(_ seconds: Double) -> String {
    let hundredths = Int((seconds * 100_000).rounded())
    let fraction = hundredths % 100
    return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction)"
  }

  static func ratio(_ value: Double) -> String {
    let hundredths = Int((value * 100).rounded())
    let fraction = hundredths % 100
    return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction)"
  }
}

/// Returns how long a function takes, in seconds.
func seconds(_ body: () throws -> Void) rethrows -> Double {
  let clock = ContinuousClock()
  let duration = try clock.measure(body)
  return Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
}

/// Returns how long a function takes, in seconds.
func seconds(_ body: () async throws -> Void) async rethrows -> Double {
  let clock = ContinuousClock()
  let begin = clock.now
  try await body()
  let duration = begin.duration(to: clock.now)
  return Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
}
