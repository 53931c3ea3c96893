import RemodelKit

/// Which database is meant.
enum ConnectionOptions: OptionSection {
  static let title = "Database"
  static let options: [CommandOption] = [
    .database, .scratch, .keepScratch,
    CommandOption(
      "wait",
      .value("duration"),
      "How long to wait for the server to accept connections.",
      variable: "REMODEL_WAIT",
      default: "0s"
    ) { $1.wait = try $0.duration() },
    .role,
    CommandOption(
      "trust-owner",
      .list("role"),
      "A role whose tables and functions may run with the rights of this session, besides its own; may "
        + "be repeated.",
      variable: "REMODEL_TRUST_OWNER",
      form: ", several separated by commas"
    ) { $1.trustedOwners.insert(try $0.identifier()) },
  ]

  /// The database that is meant.
  enum Choice: Hashable, Sendable {
    case source(ConnectionSource)
    case scratch(keep: Bool)
  }

  /// libpq's variables that select a database; the others only affect the connection.
  fileprivate static let variables = [
    "PGHOST", "PGHOSTADDR", "PGPORT", "PGDATABASE", "PGUSER", "PGSERVICE", "PGSERVICEFILE",
  ]
}

extension CommandOption {
  static let database = CommandOption(
    "database",
    .value("url"),
    "The database's connection URL. (REMODEL_DATABASE_URL, then DATABASE_URL, then libpq's PG* "
      + "variables)"
  )
  static let scratch = CommandOption(
    "scratch",
    .flag,
    "Use a throwaway server of its own, removed at the end."
  )
  static let keepScratch = CommandOption(
    "keep-scratch",
    .flag,
    "Use a throwaway server and leave it running; prints its URL."
  )
  static let role = CommandOption(
    "role",
    .value("name"),
    "The role to work as after the login, by SET ROLE.",
    variable: "REMODEL_ROLE"
  )
}

extension OptionValues {
  /// The option that asks for a throwaway server; none if there is one already.
  var throwawayOption: CommandOption? {
    has(.scratch) ? .scratch : has(.keepScratch) ? .keepScratch : nil
  }

  /// A Boolean value that indicates whether the call itself names a database.
  var isDatabaseGiven: Bool { has(.database) || throwawayOption != nil }

  /// Sets the variables that files give, as far as the call asks for them.
  func readSecrets() throws {
    guard throwawayOption == nil else { return }
    try SecretFiles.setVariables(withURLs: !has(.database) && !has(.targets))
  }

  /// Returns the database that is meant.
  func database() throws(UsageError) -> ConnectionOptions.Choice {
    if let throwaway = throwawayOption {
      // A variable is for the database that others name; the throwaway server has one role alone.
      for option in [CommandOption.database, .role] where has(option) {
        throw UsageError(.conflict(option.typed, throwaway.typed))
      }
      return .scratch(keep: has(.keepScratch))
    }
    let role = try assumedRole()
    if let url = self[.database] ?? environment["REMODEL_DATABASE_URL"]
      ?? environment["DATABASE_URL"]
    {
      return .source(.url(url).assuming(role))
    }
    guard ConnectionOptions.variables.contains(where: { environment[$0] != nil }) else {
      throw UsageError(.noDatabase)
    }
    return .source(.environment.assuming(role))
  }

  /// Returns the role that sessions take on after their login; none if it is that of the login.
  func assumedRole() throws(UsageError) -> SQLIdentifier? {
    guard let setting = setting(.role) else { return nil }
    // The server takes this word for the login, quoted or not.
    guard setting.text != "none" else { throw setting.unusable("a role") }
    return try setting.identifier()
  }
}
