import ArgumentParser
import RemodelKit

/// The verb `remodel interface`.
enum InterfaceVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "interface",
    abstract: "Print how a release finds its version in a database that serves several.",
    discussion: """
      A database that serves versions has a schema of views for each of them. Without --url, interface \
      prints the options of a session for the current version of the models, as PGOPTIONS takes them. If \
      the database serves no versions, it prints nothing: releases use the tables.
      """
  )
  static let options: [CommandOption] = [url, applicationName]
  static let sections: [any OptionSection.Type] = [
    ConnectionOptions.self, SchemaOptions.self, ModelOptions.self,
  ]

  private static let url = CommandOption(
    "url",
    .flag,
    "Print the URL of the database with these options."
  )

  private static let applicationName = CommandOption(
    "application-name",
    .flag,
    "Print the end of the name of its application, by which retire sees that the version is in use."
  )

  static func result(_ call: Call) async throws -> VerbResult {
    let printsName = call.options.has(applicationName)
    if printsName, call.options.has(url) {
      throw UsageError(.conflict(url.typed, applicationName.typed))
    }
    let printsURL = call.options.has(url)
    return try await call.withStore { remodel, database in
      let interface = try await remodel.interface(database)
      return VerbResult(
        InterfaceReport(
          interface: interface,
          database: printsURL ? database : nil,
          showsName: printsName
        )
      )
    }
  }
}

/// The verb `remodel retire`.
enum RetireVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "retire",
    abstract: "Serve a version no longer, once no release is on it.",
    discussion: """
      Without --force, retire exits with code 5 while sessions use the version, and names them. Rows stay \
      as they are. Constraints that were postponed for the version are added; if rows violate one, nothing \
      changes, and retire exits with code 9.
      """
  )
  static let options: [CommandOption] = [
    version, CommandOption("force", .flag, "Retire it even if sessions use it."),
  ]
  static let sections: [any OptionSection.Type] = [
    ConnectionOptions.self, SchemaOptions.self, ModelOptions.self, LockOptions.self,
  ]

  private static let version = CommandOption("version", .requiredOperand, "The version to retire.")

  static func result(_ call: Call) async throws -> VerbResult {
    let options = call.options
    let version = options[version] ?? ""
    let isForced = options.given["force"]?.isEmpty == false
    return try await call.withStore { remodel, database in
      try await remodel.retire(version, of: database, isForced: isForced)
      return VerbResult(RetirementReport(version: version))
    }
  }
}

/// The result of `interface`.
struct InterfaceReport: Report {
  let interface: ReleaseInterface?
  /// The database whose URL is asked for; `nil` if the options are.
  let database: ConnectionSource?
  /// Whether the name of the application is asked for.
  let showsName: Bool

  var json: JSONObject {
    [
      "version": interface?.version.name,
      "schema": interface?.schema,
      "options": interface?.sessionOptions,
      "url": url,
    ]
  }

  private var url: String? {
    guard let interface else { return nil }
    return database?.text(withOptions: interface.sessionOptions, applicationMark: interface.schema)
  }

  var blocks: [Block] {
    if let text = url ?? (showsName ? interface?.schema : interface?.sessionOptions) {
      Block.line(text)
    }
  }
}

/// The result of `retire`.
struct RetirementReport: Report {
  let version: String

  var json: JSONObject { ["version": version] }

  var blocks: [Block] { "retired: \(versionName(version)) is not served any more" }
}
