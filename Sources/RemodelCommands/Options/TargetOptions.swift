import ArgumentParser
import RemodelKit

/// Which stores are meant, where there are many.
struct TargetOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "Do it for each database of this file, which has a connection URL on each line; - is standard "
        + "input.",
      valueName: "file"
    ),
    completion: .file()
  )
  var targets: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Do it for each existing schema of such a name, tenant_* for one; several are separated by "
        + "commas or given one by one.",
      valueName: "pattern"
    )
  )
  var eachSchema: [String] = []

  @Option(
    name: .long,
    help: ArgumentHelp(
      "How many of them at a time, each with a session of its own. (REMODEL_PARALLEL; default: 1)",
      valueName: "number"
    )
  )
  var parallel: String?

  /// The most sessions that make sense on any server.
  private static let mostParallel = 64

  /// The option that says that there are many; none if there is one store.
  var givenOption: String? {
    targets != nil ? "--targets" : eachSchema.isEmpty ? nil : "--each-schema"
  }

  /// Returns the stores that are meant; none if it is the one of the other options.
  func targets(
    _ environment: CommandEnvironment,
    _ connection: ConnectionOptions,
    _ schema: SchemaOptions
  ) throws -> MigrationTargets? {
    guard let option = givenOption else {
      guard parallel == nil else {
        throw UsageError(
          .missing("what there is more than one of", hint: "Use --targets or --each-schema.")
        )
      }
      return nil
    }
    if let other = connection.throwawayOption ?? (targets == nil ? nil : connection.databaseOption)
    {
      throw UsageError(.conflict(option, other))
    }
    guard eachSchema.isEmpty || schema.schema == nil else {
      throw UsageError(.conflict("--each-schema", "--schema"))
    }
    return MigrationTargets(
      try databases(environment, connection),
      eachSchema: try patterns(),
      parallel: try number(environment)
    )
  }

  private func databases(
    _ environment: CommandEnvironment,
    _ connection: ConnectionOptions
  ) throws -> [MigrationTarget] {
    if let targets {
      let role = try connection.assumedRole(environment)
      return try TargetsFile.read(targets).map { target in
        var target = target
        target.database.role = role
        return target
      }
    }
    guard case .source(let database) = try connection.choice(environment) else { return [] }
    // Of one database, its schemas have names enough.
    return [MigrationTarget(database, name: "")]
  }

  private func patterns() throws(UsageError) -> [SchemaPattern] {
    var patterns: [SchemaPattern] = []
    for text in eachSchema {
      for part in text.split(separator: ",", omittingEmptySubsequences: false) {
        guard !part.isEmpty else {
          throw Setting(source: .option("--each-schema"), text: text)
            .unusable("a pattern of names", hint: "Write tenant_*, or several: eu_*,us_*.")
        }
        patterns.append(SchemaPattern(String(part)))
      }
    }
    return patterns
  }

  private func number(_ environment: CommandEnvironment) throws(UsageError) -> Int {
    guard let setting = environment.setting(parallel, "--parallel", "REMODEL_PARALLEL") else {
      return 1
    }
    guard let number = Int(setting.text), (1...Self.mostParallel).contains(number) else {
      throw setting.unusable("a number from 1 to \(Self.mostParallel)")
    }
    return number
  }
}

extension ConnectionOptions {
  fileprivate var databaseOption: String? { database == nil ? nil : "--database" }

  fileprivate var throwawayOption: String? {
    keepScratch ? "--keep-scratch" : scratch ? "--scratch" : nil
  }
}

/// The file of `--targets`.
enum TargetsFile {
  /// Reads a file, or standard input.
  ///
  /// - Parameter path: The file, or `-`.
  /// - Returns: The databases.
  /// - Throws: That it cannot be read, or every faulty line.
  static func read(_ path: String) throws -> [MigrationTarget] {
    let isInput = path == "-"
    let bytes: [UInt8]
    do {
      bytes = try isInput ? TextFile.standardInput.read() : ModelFile.read(path)
    } catch let error as ModelFileError {
      throw UsageError(.unreadableFile(error.diagnostic))
    }
    return try TargetList.targets(
      in: String(decoding: bytes, as: UTF8.self),
      path: isInput ? "standard input" : path
    )
  }
}
