import ArgumentParser
import RemodelKit

/// Which database is meant.
struct ConnectionOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "The database's connection URL. (REMODEL_DATABASE_URL, then DATABASE_URL, then libpq's PG* "
        + "variables)",
      valueName: "url"
    )
  )
  var database: String?

  @Flag(name: .long, help: "Use a throwaway server of its own, removed at the end.")
  var scratch = false

  @Flag(name: .long, help: "Use a throwaway server and leave it running; prints its URL.")
  var keepScratch = false

  @Option(
    name: .long,
    help: ArgumentHelp(
      "How long to wait for the server to accept connections. (REMODEL_WAIT; default: 0s)",
      valueName: "duration"
    )
  )
  var wait: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The role to work as after the login, by SET ROLE. (REMODEL_ROLE)",
      valueName: "name"
    )
  )
  var role: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "A role whose tables and functions may run with the rights of this session, besides its own; may "
        + "be repeated. (REMODEL_TRUST_OWNER, several separated by commas)",
      valueName: "role"
    )
  )
  var trustOwner: [String] = []

  /// The database that is meant.
  enum Choice: Hashable, Sendable {
    case source(ConnectionSource)
    case scratch(keep: Bool)
  }

  /// Sets the variables that files give, as far as the call asks for them.
  func readSecrets(_ isDatabaseNamed: Bool = false) throws {
    guard !scratch, !keepScratch else { return }
    try SecretFiles.setVariables(withURLs: database == nil && !isDatabaseNamed)
  }

  /// A Boolean value that indicates whether the call itself names a database.
  var isGiven: Bool { database != nil || scratch || keepScratch }

  /// Returns the database that is meant.
  func choice(_ environment: CommandEnvironment) throws(UsageError) -> Choice {
    if scratch || keepScratch {
      guard database == nil else {
        throw UsageError(.conflict("--database", scratch ? "--scratch" : "--keep-scratch"))
      }
      // A variable is for the database that others name; the throwaway server has one role alone.
      guard role == nil else {
        throw UsageError(.conflict("--role", scratch ? "--scratch" : "--keep-scratch"))
      }
      return .scratch(keep: keepScratch)
    }
    let role = try assumedRole(environment)
    if let url = database ?? environment["REMODEL_DATABASE_URL"] ?? environment["DATABASE_URL"] {
      return .source(.url(url).assuming(role))
    }
    guard Self.variables.contains(where: { environment[$0] != nil }) else {
      throw UsageError(.noDatabase)
    }
    return .source(.environment.assuming(role))
  }

  /// Returns the role that sessions take on after their login; none if it is that of the login.
  func assumedRole(_ environment: CommandEnvironment) throws(UsageError) -> SQLIdentifier? {
    guard let setting = environment.setting(role, "--role", "REMODEL_ROLE") else { return nil }
    // The server takes this word for the login, quoted or not.
    guard setting.text != "none" else { throw setting.unusable("a role") }
    return try setting.identifier()
  }

  /// Adds these options to a configuration.
  func apply(
    to configuration: inout RemodelConfiguration,
    _ environment: CommandEnvironment
  ) throws(UsageError) {
    if let setting = environment.setting(wait, "--wait", "REMODEL_WAIT") {
      configuration.wait = try setting.duration()
    }
    configuration.trustedOwners = try trustedOwners(environment)
  }

  /// Returns the roles that are trusted besides that of the session.
  private func trustedOwners(
    _ environment: CommandEnvironment
  ) throws(UsageError) -> Set<SQLIdentifier> {
    var settings = trustOwner.map { Setting(source: .option("--trust-owner"), text: $0) }
    if settings.isEmpty, let texts = environment["REMODEL_TRUST_OWNER"] {
      settings = texts.split(separator: ",")
        .map { Setting(source: .variable("REMODEL_TRUST_OWNER"), text: String($0)) }
    }
    var owners: Set<SQLIdentifier> = []
    for setting in settings { owners.insert(try setting.identifier()) }
    return owners
  }

  /// libpq's variables that say which database is meant; the others say how to connect to it.
  private static let variables = [
    "PGHOST", "PGHOSTADDR", "PGPORT", "PGDATABASE", "PGUSER", "PGSERVICE", "PGSERVICEFILE",
  ]
}
