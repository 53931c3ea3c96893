import PostgresClient
import SQLSyntax
import Subprocess
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

#if canImport(System)
import System
#else
import SystemPackage
#endif

/// A database for each setting, from which those are copied that attacks are tried in.
struct AttackedServer: Sendable {
  private let url: String
  private let bundle: String
  /// The same versions, with a mapping model between them.
  private let copyingBundle: String
  /// A version with another column, and the mapping model that computes it.
  private let fillingBundle: String

  /// Makes the databases, gives them to a function, and drops them.
  static func with<Result>(
    _ settings: Set<Attack.Setting>,
    _ body: (AttackedServer) async throws -> Result
  ) async throws -> Result {
    try await TestServer.withDatabase { url in
      try await withBundle(versions) { bundle in
        try await withBundle(versions, mappings: ["1-2": mapping]) { copyingBundle in
          try await withBundle(
            [versions[0], fillingVersion],
            mappings: ["1-2": fillingMapping]
          ) { fillingBundle in
            let server = AttackedServer(
              url: url,
              bundle: bundle,
              copyingBundle: copyingBundle,
              fillingBundle: fillingBundle
            )
            try server.makeRoles()
            for setting in settings { try await server.make(setting) }
            let result = try await body(server)
            for setting in settings { try server.drop(server.template(setting)) }
            return result
          }
        }
      }
    }
  }

  // MARK: - Making

  private func makeRoles() throws {
    let connection = try PostgresConnection.session(to: .url(url))
    for role in [Role.mallory, .owner, .member, .reader] {
      do {
        try connection.execute("CREATE ROLE \(role.identifier) LOGIN")
      } catch {
        guard error.sqlState == "42710" else { throw error }
      }
    }
    try connection.execute("GRANT \(Role.owner.identifier) TO \(Role.member.identifier)")
  }

  private func make(_ setting: Attack.Setting) async throws {
    let name = template(setting)
    let place = try copy("template0", to: name)
    let connection = try PostgresConnection.session(to: .url(place))
    try connection.execute(
      """
      GRANT USAGE, CREATE ON SCHEMA public TO \(Role.owner.identifier);
      CREATE SCHEMA mallory AUTHORIZATION \(Role.mallory.identifier);
      SET ROLE \(Role.mallory.identifier);
      \(Self.canary);
      RESET ROLE
      """
    )
    switch setting {
    case .empty: break
    case .behind, .copying, .prepared, .filling:
      _ = try await run(["migrate", "--to", "1"], at: place, as: .superuserAsOwner)
      try connection.execute("INSERT INTO public.book (title) VALUES (NULL), ('b')")
      guard let end = setting.end else { break }
      let verb = setting == .copying ? Verb.online : .filled
      let cut = try await run(
        verb.arguments(models: models(of: setting, for: verb), file: "", digest: ""),
        at: place,
        as: .superuserAsOwner,
        environment: ["REMODEL_FAILPOINT": "\(end):1:kill9"]
      )
      // The failpoint kills it: else there is no job to attack.
      guard cut.code == nil else { throw Uncut(error: cut.error) }
      guard setting != .copying else { break }
      try connection.execute("GRANT TRIGGER ON public.book TO \(Role.mallory.identifier)")
    case .tenant:
      try connection.execute("CREATE SCHEMA tenant AUTHORIZATION \(Role.mallory.identifier)")
      _ = try await run(["migrate", "--to", "1", "--schema", "tenant"], at: place, as: .superuser)
      try connection.execute("INSERT INTO tenant.book (title) VALUES (NULL), ('b')")
    }
  }

  private struct Uncut: Error {
    let error: String
  }

  /// Functions of the attacker that record when they run with the rights of others: the server
  /// counts calls of the first one whatever the end of the transaction is.
  private static let canary: SQLFragment = """
    GRANT USAGE ON SCHEMA mallory TO PUBLIC;
    CREATE FUNCTION mallory.fired() RETURNS void LANGUAGE plpgsql AS 'BEGIN END';
    CREATE FUNCTION mallory.canary() RETURNS boolean LANGUAGE plpgsql AS $$
      BEGIN IF current_user <> 'attack_mallory' THEN PERFORM mallory.fired(); END IF; RETURN true; END$$;
    CREATE FUNCTION mallory.canary_of(anything text) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
      BEGIN RETURN mallory.canary(); END$$;
    CREATE FUNCTION mallory.canary_trigger() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM mallory.canary(); RETURN NEW; END$$;
    CREATE FUNCTION mallory.canary_event() RETURNS event_trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM mallory.canary(); END$$;
    CREATE FUNCTION mallory.same(a text, b text) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
      BEGIN RETURN mallory.canary(); END$$;
    CREATE OPERATOR mallory.=== (FUNCTION = mallory.same, LEFTARG = text, RIGHTARG = text);
    CREATE DOMAIN mallory.number AS integer CHECK (mallory.canary_of(VALUE::text))
    """

  private func template(_ setting: Attack.Setting) -> SQLIdentifier {
    SQLIdentifier("\(databaseName)_\(setting.rawValue)")
  }

  private var databaseName: String {
    String(url.prefix { $0 != "?" }.split(separator: "/").last ?? "")
  }

  private func copy(_ template: SQLIdentifier, to name: SQLIdentifier) throws -> String {
    let connection = try PostgresConnection.session(to: .url(url))
    try connection.execute("CREATE DATABASE \(name) TEMPLATE \(template)")
    try connection.execute("ALTER DATABASE \(name) SET track_functions = 'all'")
    try connection.execute(
      """
      GRANT CREATE ON DATABASE \(name) TO \(Role.mallory.identifier), \(Role.owner.identifier)
      """
    )
    return url.replacing("/\(databaseName)?", with: "/\(name.name)?")
  }

  private func drop(_ name: SQLIdentifier) throws {
    try PostgresConnection.session(to: .url(url))
      .execute("DROP DATABASE IF EXISTS \(name) WITH (FORCE)")
  }

  // MARK: - Attacking

  /// Calls a function with an attacked database.
  ///
  /// - Parameters:
  ///   - attack: The attack.
  ///   - verb: The verb to prepare before the attack, if there is one.
  ///   - victim: The role that calls the verb.
  ///   - body: A function that gets the database and the prepared files.
  /// - Returns: The function's result.
  /// - Throws: The function's error.
  func withDatabase<Result>(
    of attack: Attack,
    for verb: Verb? = nil,
    _ victim: Role = .owner,
    _ body: (_ place: String, _ preparation: Preparation) async throws -> Result
  ) async throws -> Result {
    let name = SQLIdentifier("\(databaseName)_\(UInt32.random(in: 0...UInt32.max))")
    let place = try copy(template(attack.setting), to: name)
    let preparation = Preparation(name: name.name)
    defer { try? FileManager.default.removeItem(at: preparation.folder) }
    do {
      try preparation.makeFolder()
      if let verb, verb.isPrepared { try await prepare(verb, attack, preparation, place, victim) }
      let statements = preparation.filling(attack.statements)
      let result: Result
      if verb != nil, let seconds = attack.openSeconds {
        // The transaction is known to be open by its session: the server shows it only for so long.
        let isOpen = Flag()
        async let end: Void = onThread {
          defer { isOpen.set() }
          let attacker = try PostgresConnection(to: .url(login(attack.author, at: place)))
          try attacker.execute("BEGIN")
          try attacker.execute(SQLFragment(written: statements, columns: []))
          isOpen.set()
          try attacker.execute("SELECT pg_sleep(\(seconds))")
          try attacker.execute("COMMIT")
        }
        try await isOpen.wait()
        result = try await body(place, preparation)
        try await end
      } else {
        try leave(statements, at: place, as: attack.author)
        result = try await body(place, preparation)
      }
      try drop(name)
      return result
    } catch {
      try? drop(name)
      throw error
    }
  }

  /// What is on the machine for a database with an attack in it.
  struct Preparation: Sendable {
    let name: String

    var folder: URL { FileManager.default.temporaryDirectory.appending(path: "attack-\(name)") }

    /// The file that the attacker would have the machine make.
    var canary: String { folder.appending(path: "canary").path }

    /// The plan that was made before the attack.
    var plan: String { folder.appending(path: "plan").path }

    /// The digest of that plan.
    var digest: String {
      let text = (try? String(contentsOfFile: plan, encoding: .utf8)) ?? ""
      return text.firstMatch(of: /"digest": *"([^"]+)"/).map { String($0.output.1) } ?? ""
    }

    /// Returns the statements of an attack with the names of this database.
    func filling(_ statements: String) -> String {
      statements.replacing("@DATABASE@", with: name).replacing("@CANARY@", with: canary)
    }

    /// Makes the folder, to which the server may write, too.
    fileprivate func makeFolder() throws {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path)
    }
  }

  /// Makes a plan as the victim, or as the owner where the victim could make none.
  private func prepare(
    _ verb: Verb,
    _ attack: Attack,
    _ preparation: Preparation,
    _ place: String,
    _ victim: Role
  ) async throws {
    let isOfOwner = attack.setting != .tenant && [.superuser, .reader].contains(victim)
    let format = verb == .psql ? "sql" : "json"
    var arguments = ["plan", "--format", format, "--output", preparation.plan]
    if attack.setting == .tenant { arguments += ["--schema", "tenant"] }
    _ = try await run(arguments, at: place, as: isOfOwner ? .owner : victim)
  }

  /// Runs statements of an attack, in a session that has its own settings.
  func leave(_ statements: String, at place: String, as role: Role) throws {
    try PostgresConnection(to: .url(login(role, at: place)))
      .execute(SQLFragment(written: statements, columns: []))
  }

  /// How often code of the attacker's has run with the rights of others.
  func fired(at place: String) async throws -> Int {
    let name = String(place.prefix { $0 != "?" }.split(separator: "/").last ?? "")
    if FileManager.default.fileExists(atPath: Preparation(name: name).canary) { return 1 }
    let connection = try PostgresConnection.session(to: .url(place))
    // A session reports its counts at its end, a little after that of its client.
    let others: SQLFragment = """
      SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() \
      AND pid <> pg_backend_pid() AND backend_type = 'client backend'
      """
    while try connection.query(others).value != "0" { try await Task.sleep(for: .milliseconds(5)) }
    return try connection.query(
      "SELECT coalesce(sum(calls), 0) AS calls FROM pg_stat_user_functions WHERE funcname = 'fired'"
    ).first?.integer("calls") ?? 0
  }

  /// Runs a verb in a database with an attack in it.
  ///
  /// - Returns: The exit code, and what it wrote to standard error.
  func run(
    _ verb: Verb,
    _ attack: Attack,
    _ preparation: Preparation,
    at place: String,
    as role: Role
  ) async throws -> (code: Int32?, error: String) {
    if verb == .psql {
      let options = ["--no-psqlrc", "--quiet", "--set", "ON_ERROR_STOP=1"]
      return try await run(
        .name("psql"),
        options + ["--dbname", login(role, at: place), "--file", preparation.plan]
      )
    }
    let copy = preparation.folder.appending(path: "copy").path
    var arguments = verb.arguments(
      models: models(of: attack.setting, for: verb),
      file: verb == .planFile ? preparation.plan : copy,
      digest: preparation.digest
    )
    if attack.setting == .tenant { arguments += ["--schema", "tenant"] }
    return try await run(arguments, at: place, as: role)
  }

  private func models(of setting: Attack.Setting, for verb: Verb) -> String {
    switch setting {
    case .empty, .behind, .tenant: verb.isOfCopies ? copyingBundle : bundle
    case .copying: copyingBundle
    case .prepared, .filling: fillingBundle
    }
  }

  private func run(
    _ arguments: [String],
    at place: String,
    as role: Role,
    environment: [Environment.Key: String?] = [:]
  ) async throws -> (code: Int32?, error: String) {
    var arguments = arguments + ["--database", login(role, at: place)]
    if !arguments.contains("--models") { arguments += ["--models", bundle] }
    if role == .superuserAsOwner { arguments += ["--role", Role.owner.identifier.name] }
    return try await run(.path(FilePath(Self.tool)), arguments, environment: environment)
  }

  private func run(
    _ program: Executable,
    _ arguments: [String],
    environment: [Environment.Key: String?] = [:]
  ) async throws -> (code: Int32?, error: String) {
    let result = try await Subprocess.run(
      program,
      arguments: Arguments(arguments),
      environment: .inherit.updating(environment),
      output: .discarded,
      error: .string(limit: 1_000_000)
    )
    guard case .exited(let code) = result.terminationStatus else {
      return (nil, result.standardError)
    }
    return (code, result.standardError)
  }

  private func login(_ role: Role, at place: String) -> String {
    switch role {
    case .superuser, .superuserAsOwner: place
    case .mallory, .owner, .member, .reader:
      place.replacing("user=postgres", with: "user=\(role.identifier.name)")
    }
  }

  /// Where the executable is: beside the tests.
  private static let tool: String = {
    let bundle = CommandLine.arguments.first { $0.contains(".xctest") } ?? CommandLine.arguments[0]
    var folder = bundle.split(separator: "/", omittingEmptySubsequences: false)[...]
    while let last = folder.popLast(), !last.hasSuffix(".xctest"), folder.count > 1 {}
    return (folder + ["remodel"]).joined(separator: "/")
  }()
}

extension Role {
  /// The role of the server.
  var identifier: SQLIdentifier {
    switch self {
    case .mallory: "attack_mallory"
    case .owner, .superuserAsOwner: "attack_owner"
    case .member: "attack_member"
    case .reader: "attack_reader"
    case .superuser: "postgres"
    }
  }
}
