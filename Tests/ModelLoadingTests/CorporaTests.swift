import Diagnostics
import ModelLoading
import TestSupport
import Testing

/// Loads real models, which are no part of the repository: skipped where they are absent.
@Suite(.enabled(if: Corpora.isAvailable, "there are no real models on this machine"))
struct CorporaTests {
  @Test
  func `every version of every real model loads`() throws {
    let bundles = try Corpora.bundles.map { try ModelBundle(at: $0) }
    let clock = ContinuousClock()
    var warnings: [String: Int] = [:]
    var largest = (name: "", versions: 0, time: Duration.zero)

    for bundle in bundles {
      let time = try clock.measure {
        for version in bundle.versions {
          for warning in try bundle.load(version).warnings {
            warnings[warning.kind, default: 0] += 1
          }
        }
      }
      if time > largest.time { largest = (bundle.name, bundle.versions.count, time) }
      for warning in bundle.warnings { warnings[warning.kind, default: 0] += 1 }
    }

    let count = bundles.map(\.versions.count).reduce(0, +)
    print("\(count) versions in \(bundles.count) bundles")
    print("largest: \(largest.name), \(largest.versions) versions in \(largest.time)")
    for (kind, count) in warnings.sorted(by: { $0.key < $1.key }) { print("\(count) x \(kind)") }
    #expect(count == 435)
  }
}

extension Diagnostic {
  /// The message without the names in it.
  fileprivate var kind: String {
    message.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
      .map { $0.offset.isMultiple(of: 2) ? String($0.element) : "…" }
      .joined()
  }
}
