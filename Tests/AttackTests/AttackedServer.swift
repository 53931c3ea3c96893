import PostgresClient
import SQLSyntax
import Subprocess
import TestSupport

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

  private static let versions = [
    """
    remodel: 1
    entities:
      Book:
        attributes: { title: string?, note: string? }
    """,
    """
    remodel: 1
    entities:
      Book:
        attributes: { title: { type: string, default: untitled }, note: string? }
    """,
  ]

  /// Makes the databases, gives them to a function, and drops them.
  static func with<Result>(
    _ settings: Set<Attack.Setting>,
    _ body: (AttackedServer) async throws -> Result
  ) async throws -> Result {
    try await TestServer.withDatabase { url in
      try await withBundle(versions) { bundle in
        let server = AttackedServer(url: url, bundle: bundle)
        try server.makeRoles()
        for setting in settings { try await server.make(setting) }
        let result = try await body(server)
        for setting in settings { try server.drop(server.template(setting)) }
        return result
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
    case .behind:
      _ = try await run(["migrate", "--to", "1"], at: place, as: .superuserAsOwner)
      try connection.execute("INSERT INTO public.book (title) VALUES (NULL), ('b')")
    case .tenant:
      try connection.execute("CREATE SCHEMA tenant AUTHORIZATION \(Role.mallory.identifier)")
      _ = try await run(["migrate", "--to", "1", "--schema", "tenant"], at: place, as: .superuser)
      try connection.execute("INSERT INTO tenant.book (title) VALUES (NULL), ('b')")
    }
  }

  /// Functions of the attacker's that note when they run with the rights of others: how often the server
  /// has called the first one is counted whatever becomes of the transaction.
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

  /// Gives a database with an attack in it to a function.
  func withDatabase<Result>(
    of attack: Attack,
    _ body: (_ place: String) async throws -> Result
  ) async throws -> Result {
    let name = SQLIdentifier("\(databaseName)_\(UInt32.random(in: 0...UInt32.max))")
    let place = try copy(template(attack.setting), to: name)
    do {
      try leave(attack.statements, at: place, as: attack.author)
      let result = try await body(place)
      try drop(name)
      return result
    } catch {
      try? drop(name)
      throw error
    }
  }

  /// Runs statements of an attack, in a session that has its own settings.
  func leave(_ statements: String, at place: String, as role: Role) throws {
    try PostgresConnection(to: .url(login(role, at: place)))
      .execute(SQLFragment(written: statements, columns: []))
  }

  /// How often code of the attacker's has run with the rights of others.
  func fired(at place: String) async throws -> Int {
    let connection = try PostgresConnection.session(to: .url(place))
    // A session hands its counts over at its end, which comes a little after that of its client.
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
    at place: String,
    as role: Role
  ) async throws -> (code: Int32?, error: String) {
    let copy = FileManager.default.temporaryDirectory.appending(path: "export-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: copy) }
    var arguments = verb.arguments(models: bundle, copy: copy.path)
    if attack.setting == .tenant { arguments += ["--schema", "tenant"] }
    return try await run(arguments, at: place, as: role, hasModels: true)
  }

  private func run(
    _ arguments: [String],
    at place: String,
    as role: Role,
    hasModels: Bool = false
  ) async throws -> (code: Int32?, error: String) {
    var arguments = arguments + ["--database", login(role, at: place)]
    if !hasModels { arguments += ["--models", bundle] }
    if role == .superuserAsOwner { arguments += ["--role", Role.owner.identifier.name] }
    let result = try await Subprocess.run(
      .path(FilePath(Self.tool)),
      arguments: Arguments(arguments),
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
