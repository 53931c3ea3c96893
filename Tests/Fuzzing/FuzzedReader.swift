/// A reader that is fuzzed.
enum FuzzedReader: String, CaseIterable {
  case xcodeModel
  case yamlModel
  /// `.xccurrentversion` of an `.xcdatamodeld` folder.
  case currentVersion
  /// `versions` of a `.remodel` folder.
  case versionOrder
  case yamlMapping
  /// A mapping model of Xcode's, with the archives in it.
  case xcodeMapping
  case expression
  case predicate
  /// SQL of a mapping file, with its placeholders.
  case sqlTemplate
  /// A plan for `migrate --plan`.
  case plan
  /// A model as the metadata schema keeps it.
  case modelArchive

  /// How many of a thousand inputs it gets.
  var share: Int {
    switch self {
    case .xcodeModel: 170
    case .yamlModel: 220
    case .yamlMapping: 200
    case .xcodeMapping: 100
    case .expression: 90
    case .predicate: 80
    case .plan: 60
    case .modelArchive: 30
    case .currentVersion: 20
    case .versionOrder: 10
    case .sqlTemplate: 20
    }
  }

  /// A number that distinguishes the seeds of readers.
  var salt: UInt64 { rawValue.utf8.reduce(0) { $0 &* 257 &+ UInt64($1) } }
}
