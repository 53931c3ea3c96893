internal import FoundationEssentials

/// The folders of real models, if they are on this machine.
package enum Corpora {
  /// The folder that holds them: `REMODEL_CORPORA`, or `../shared/corpora` of the repository.
  package static let root: String = {
    let environment = ProcessInfo.processInfo.environment
    let repository = URL(filePath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    return environment["REMODEL_CORPORA"]
      ?? repository.deletingLastPathComponent().appending(path: "shared/corpora").path
  }()

  /// A Boolean value that indicates whether there are any.
  package static var isAvailable: Bool { !bundles.isEmpty }

  /// The outermost bundles, in order.
  package static let bundles: [String] = {
    let paths = (try? FileManager.default.subpathsOfDirectory(atPath: root)) ?? []
    // Of some bundles only the property list was kept, so look for versions.
    let versions = paths.filter { $0.hasSuffix(".xcdatamodel/contents") }
      .map { $0.split(separator: "/").dropLast() }
    let bundles = versions.map { version in
      version.dropLast().last?.hasSuffix(".xcdatamodeld") == true ? version.dropLast() : version
    }
    return Set(bundles.map { "\(root)/\($0.joined(separator: "/"))" }).sorted()
  }()

  /// Xcode's mapping models, in order.
  package static let mappingModels: [String] = {
    let paths = (try? FileManager.default.subpathsOfDirectory(atPath: root)) ?? []
    return paths.filter { $0.hasSuffix(".xcmappingmodel") }.map { "\(root)/\($0)" }.sorted()
  }()
}
