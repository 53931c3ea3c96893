import ArgumentParser
import RemodelKit

/// Which stores are meant, where there are many.
enum TargetOptions: OptionSection {
  static let title = "Many stores"
  static let options: [CommandOption] = [.targets, .eachSchema, .parallel, .first, .stopAfter]
}

extension CommandOption {
  static let targets = CommandOption(
    "targets",
    .value("file"),
    "Do it for each database of this file, which has a connection URL on each line; - is standard "
      + "input.",
    completion: .file()
  )
  static let eachSchema = CommandOption(
    "each-schema",
    .list("pattern"),
    "Do it for each existing schema that matches the pattern, such as tenant_*. Can be repeated, "
      + "or list several separated by commas."
  )
  static let parallel = CommandOption(
    "parallel",
    .value("number"),
    "How many of them at a time, each with a session of its own.",
    variable: "REMODEL_PARALLEL",
    default: "1"
  )
}

extension CommandOption {
  static let first = CommandOption(
    "first",
    .value("number"),
    "Do it for so many of them only, in the order of the file and of the schemas' names.",
    default: "all"
  )
  static let stopAfter = CommandOption(
    "stop-after",
    .value("number"),
    "Begin no other one after so many failures.",
    default: "none"
  )
}

extension OptionValues {
  /// The option for many stores; `nil` for a single store.
  var targetOption: CommandOption? {
    [.targets, .eachSchema].first(where: has)
  }

  /// Returns the stores that are meant; none if it is the one of the other options.
  func targets() throws -> MigrationTargets? {
    guard let option = targetOption else {
      if let other = [CommandOption.parallel, .first, .stopAfter].first(where: has) {
        throw UsageError(
          .missing(
            "the list of stores for \(other.typed)",
            hint: "Use --targets or --each-schema."
          )
        )
      }
      return nil
    }
    if let other = throwawayOption ?? (has(.targets) && has(.database) ? .database : nil) {
      throw UsageError(.conflict(option.typed, other.typed))
    }
    guard !has(.eachSchema) || !has(.schema) else {
      throw UsageError(.conflict("--each-schema", "--schema"))
    }
    return MigrationTargets(
      try targetDatabases(),
      eachSchema: try schemaPatterns(),
      parallel: try setting(.parallel)?.sessionCount() ?? 1,
      first: try setting(.first)?.positiveNumber(),
      stopAfter: try setting(.stopAfter)?.positiveNumber()
    )
  }

  private func targetDatabases() throws -> [MigrationTarget] {
    if let targets = self[.targets] {
      let role = try assumedRole()
      return try TargetsFile.read(targets).map { target in
        var target = target
        target.database.role = role
        return target
      }
    }
    guard case .source(let database) = try database() else { return [] }
    // Of one database, its schemas have names enough.
    return [MigrationTarget(database, name: "")]
  }

  private func schemaPatterns() throws(UsageError) -> [SchemaPattern] {
    var patterns: [SchemaPattern] = []
    for setting in settings(.eachSchema) {
      for part in setting.text.split(separator: ",", omittingEmptySubsequences: false) {
        guard !part.isEmpty else {
          throw setting.unusable(
            "a pattern of names",
            hint: "Write tenant_*, or several: eu_*,us_*."
          )
        }
        patterns.append(SchemaPattern(String(part)))
      }
    }
    return patterns
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
