/// A storage parameter of a table that every served version of PostgreSQL has, and that can be set while
/// others read and write.
package enum StorageParameter: String, Hashable, Sendable, CaseIterable {
  case fillfactor
  case toastTupleTarget = "toast_tuple_target"
  case parallelWorkers = "parallel_workers"
  case autovacuumEnabled = "autovacuum_enabled"
  case vacuumIndexCleanup = "vacuum_index_cleanup"
  case vacuumTruncate = "vacuum_truncate"
  case autovacuumVacuumThreshold = "autovacuum_vacuum_threshold"
  case autovacuumVacuumScaleFactor = "autovacuum_vacuum_scale_factor"
  case autovacuumVacuumInsertThreshold = "autovacuum_vacuum_insert_threshold"
  case autovacuumVacuumInsertScaleFactor = "autovacuum_vacuum_insert_scale_factor"
  case autovacuumAnalyzeThreshold = "autovacuum_analyze_threshold"
  case autovacuumAnalyzeScaleFactor = "autovacuum_analyze_scale_factor"
  case autovacuumVacuumCostDelay = "autovacuum_vacuum_cost_delay"
  case autovacuumVacuumCostLimit = "autovacuum_vacuum_cost_limit"
  case autovacuumFreezeMinAge = "autovacuum_freeze_min_age"
  case autovacuumFreezeMaxAge = "autovacuum_freeze_max_age"
  case autovacuumFreezeTableAge = "autovacuum_freeze_table_age"
  case autovacuumMultixactFreezeMinAge = "autovacuum_multixact_freeze_min_age"
  case autovacuumMultixactFreezeMaxAge = "autovacuum_multixact_freeze_max_age"
  case autovacuumMultixactFreezeTableAge = "autovacuum_multixact_freeze_table_age"
  case logAutovacuumMinDuration = "log_autovacuum_min_duration"

  /// The values of a parameter.
  private enum Values {
    case integers(ClosedRange<Int>)
    case numbers(ClosedRange<Double>)
    case words([String])
  }

  private var values: Values {
    switch self {
    case .fillfactor: .integers(10...100)
    case .toastTupleTarget: .integers(128...8160)
    case .parallelWorkers: .integers(0...1024)
    case .autovacuumEnabled, .vacuumTruncate: .words(["true", "false"])
    case .vacuumIndexCleanup: .words(["auto", "on", "off"])
    case .autovacuumVacuumThreshold, .autovacuumAnalyzeThreshold:
      .integers(0...Int(Int32.max))
    case .autovacuumVacuumInsertThreshold, .logAutovacuumMinDuration:
      .integers(-1...Int(Int32.max))
    case .autovacuumVacuumScaleFactor, .autovacuumVacuumInsertScaleFactor,
      .autovacuumAnalyzeScaleFactor, .autovacuumVacuumCostDelay:
      .numbers(0...100)
    case .autovacuumVacuumCostLimit: .integers(1...10_000)
    case .autovacuumFreezeMinAge, .autovacuumMultixactFreezeMinAge:
      .integers(0...1_000_000_000)
    case .autovacuumFreezeMaxAge: .integers(100_000...2_000_000_000)
    case .autovacuumMultixactFreezeMaxAge: .integers(10_000...2_000_000_000)
    case .autovacuumFreezeTableAge, .autovacuumMultixactFreezeTableAge:
      .integers(0...2_000_000_000)
    }
  }

  /// The name in model files: `autovacuumVacuumScaleFactor`.
  package var key: String {
    let words = rawValue.split(separator: "_")
    return words.dropFirst().reduce(words.first.map(String.init) ?? "") { key, word in
      key + word.prefix(1).uppercased() + word.dropFirst()
    }
  }

  /// The values that it takes, as the end of a sentence.
  package var domain: String {
    switch values {
    case .integers(let range): "an integer from \(range.lowerBound) to \(range.upperBound)"
    case .numbers(let range):
      "a number from \(Int(range.lowerBound)) to \(Int(range.upperBound))"
    case .words(let words): words.map { "\"\($0)\"" }.joined(separator: " or ")
    }
  }

  /// Returns a value that the server has taken, however it is spelled there, in the one form that we
  /// write it in; none if models do not have it.
  package func value(ofServer text: String) -> String? {
    switch values {
    case .integers:
      Double(text).flatMap { Int(exactly: $0.rounded(.toNearestOrEven)) }.flatMap { value("\($0)") }
    case .numbers: value(text)
    case .words(let words):
      words.first { word in
        let text = text.lowercased()
        return text == word
          || Self.spellings.contains { $0.contains(word) && $0.contains(text) }
      }
    }
  }

  /// The spellings that the server takes for yes, and those for no.
  private static let spellings: [Set<String>] = [
    ["true", "tru", "tr", "t", "yes", "ye", "y", "on", "1"],
    ["false", "fals", "fal", "fa", "f", "no", "n", "off", "of", "0"],
  ]

  /// Returns a value in the one form that we write it in; none if the parameter does not take it.
  package func value(_ text: String) -> String? {
    switch values {
    case .integers(let range):
      return Int(text).flatMap { range.contains($0) ? String($0) : nil }
    case .numbers(let range):
      guard let number = Double(text), range.contains(number) else { return nil }
      return number == number.rounded() ? String(Int(number)) : String(number)
    case .words(let words): return words.contains(text) ? text : nil
    }
  }
}
