import FoundationEssentials

/// What `pgbench` has written about every transaction.
struct LoadLog {
  /// When transactions ended, in seconds since 1970, and how many seconds they took.
  private var transactions: [(end: Double, seconds: Double)] = []
  /// How many did not come to their end.
  private(set) var failures = 0

  /// Reads all logs in a folder.
  init(in folder: URL, prefix: String) throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    for name in names where name.hasPrefix(prefix) {
      let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
      for line in text.utf8.split(separator: UInt8(ascii: "\n")) { read(line) }
    }
  }

  /// Client, number, microseconds, script, seconds since 1970 and microseconds of the end.
  private mutating func read(_ line: Substring.UTF8View.SubSequence) {
    let fields = line.split(separator: UInt8(ascii: " "))
    // The last line may have been cut off.
    guard fields.count >= 6 else { return }
    guard let time = Self.number(fields[2]), let second = Self.number(fields[4]),
      let fraction = Self.number(fields[5])
    else {
      failures += 1
      return
    }
    transactions.append((second + fraction / 1e6, time / 1e6))
  }

  private static func number(_ field: Substring.UTF8View.SubSequence) -> Double? {
    Substring(field).wholeNumber.map(Double.init)
  }

  /// Transactions a second between two moments.
  func throughput(_ range: Range<Double>) -> Double {
    let count = transactions.reduce(0) { $0 + (range.contains($1.end) ? 1 : 0) }
    return Double(count) / (range.upperBound - range.lowerBound)
  }

  /// What transactions that ended between two moments took, the longest last.
  func waits(_ range: Range<Double>) -> [Double] {
    transactions.filter { range.contains($0.end) }.map(\.seconds).sorted()
  }
}

extension Substring {
  fileprivate var wholeNumber: Int? { Int(self) }
}
