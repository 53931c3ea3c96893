internal import FoundationEssentials
package import ModelLoading

/// Two versions of a real model that follow one another.
package struct VersionPair: Sendable, CustomStringConvertible {
  /// The bundle with the versions.
  package let bundle: ModelBundle
  /// The place of the later version in the bundle.
  package let position: Int

  /// Both versions.
  package var versions: (source: ModelVersion, destination: ModelVersion) {
    (bundle.versions[position - 1], bundle.versions[position])
  }

  /// The name for reports.
  package var name: String {
    "\(bundle.name), \(versions.source.name) to \(versions.destination.name)"
  }

  package var description: String { name }

  /// Returns the pairs of all real models on this machine.
  package static func all() throws -> [VersionPair] {
    try Corpora.bundles.flatMap { path in
      let bundle = try ModelBundle(at: path)
      return bundle.versions.indices.dropFirst().map { VersionPair(bundle: bundle, position: $0) }
    }
  }
}

extension [VersionPair] {
  /// Returns a seeded sample; all of them if `REMODEL_CASES` is `all`.
  package func sample() -> [VersionPair] {
    guard !RandomCases.isEverything else { return self }
    var random = SeededGenerator(seed: RandomCases.sampleSeed)
    return Array(shuffled(using: &random).prefix(RandomCases.count(orElse: 6) * 3))
  }
}
