import ArgumentParser
import RemodelKit

/// The group of verbs `remodel mark`.
struct MarkCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mark",
    abstract: "Mark a database.",
    subcommands: [Command<MarkDevelopmentVerb>.self]
  )
}

/// The verb `remodel mark development`.
enum MarkDevelopmentVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "development",
    abstract: "Mark a database as one for development, on which versions can be edited.",
    discussion: """
      On a database for development, migrate --draft applies the edits of a version while it is being \
      written. Do not mark a database whose rows are needed.
      """
  )
  static let options = [remove]
  static let sections: [any OptionSection.Type] = [
    ConnectionOptions.self, SchemaOptions.self, ModelOptions.self,
  ]

  private static let remove = CommandOption("remove", .flag, "Remove the mark.")

  static func result(_ call: Call) async throws -> VerbResult {
    let isDevelopment = !call.options.has(remove)
    return try await call.withStore { remodel, database in
      VerbResult(try await remodel.mark(database, asDevelopment: isDevelopment))
    }
  }
}

extension MarkReport: Report {
  var json: JSONObject {
    ["development": isDevelopment, "changed": isChanged]
  }

  var blocks: [Block] {
    let not = isDevelopment ? "" : "not "
    let already = isChanged ? "" : " already"
    "the database is \(not)marked as one for development\(already)"
  }
}
