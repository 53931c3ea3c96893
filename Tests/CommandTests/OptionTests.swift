import ArgumentParser
import PostgresClient
import RemodelKit
import Testing

@testable import RemodelCommands

@Suite
struct OptionTests {
  /// Returns what a call of `migrate` says.
  private func values(
    _ arguments: String...,
    environment: [String: String]
  ) throws -> OptionValues {
    try Command<MigrateVerb>.parse(arguments).values(CommandEnvironment(environment))
  }

  @Test(arguments: [
    (["REMODEL_DATABASE_URL": "a", "DATABASE_URL": "b", "PGHOST": "c"], ConnectionSource.url("a")),
    (["REMODEL_DATABASE_URL": "", "DATABASE_URL": "b", "PGHOST": "c"], .url("b")),
    (["DATABASE_URL": "", "PGHOST": "c"], .environment),
    (["PGSERVICE": "c"], .environment),
    (["PGDATABASE": "c"], .environment),
  ])
  func `the most specific variable names the database`(
    variables: [String: String],
    source: ConnectionSource
  ) throws {
    #expect(try values(environment: variables).database() == .source(source))
  }

  @Test
  func `a check without arguments is what the parser makes of it`() throws {
    let parsed = try Command<CheckVerb>.parse([]).values(CommandEnvironment([:]))

    #expect(parsed.given.values.joined().isEmpty)
    #expect(!parsed.given.isEmpty)
    #expect(Command<CheckVerb>().values(CommandEnvironment([:])).given.isEmpty)
  }

  @Test
  func `an option wins over the environment`() throws {
    let environment = [
      "DATABASE_URL": "b", "REMODEL_SCHEMA": "from_environment", "REMODEL_LOCK_TIMEOUT": "1s",
    ]

    let named = try values(
      "--schema",
      "from option",
      "--database",
      "a",
      environment: environment
    )
    let scratch = try values("--scratch", environment: environment)
    let configuration = try named.configuration()

    #expect(try named.database() == .source(.url("a")))
    #expect(try scratch.database() == .scratch(keep: false))
    #expect(configuration.schema == "from option")
    #expect(configuration.lockTimeout == .seconds(1))
  }

  @Test
  func `a role is that of the option, else of the variable, and none on a throwaway server`() throws
  {
    let environment = ["DATABASE_URL": "b", "REMODEL_ROLE": "of variable"]
    let url = ConnectionSource.url("b")

    let given = try values("--role", "of option", environment: environment)
    let unsaid = try values(environment: environment)
    let scratch = try values("--scratch", environment: environment)
    #expect(try given.database() == .source(url.assuming("of option")))
    #expect(try unsaid.database() == .source(url.assuming("of variable")))
    #expect(try scratch.database() == .scratch(keep: false))
    let both = try values("--scratch", "--role", "a", environment: environment)
    let error = #expect(throws: UsageError.self) { try both.database() }
    #expect(error?.fact == .conflict("--role", "--scratch"))
  }

  @Test(arguments: [[:], ["PGPASSWORD": "x"], ["DATABASE_URL": "", "PGHOST": ""]])
  func `nothing is guessed`(variables: [String: String]) throws {
    let options = try values(environment: variables)

    let error = #expect(throws: UsageError.self) { try options.database() }

    #expect(error?.fact == .noDatabase)
  }

  @Test
  func `hazards are denied but for those that are allowed`() throws {
    let configuration = try values(
      "--allow",
      "rewrites-table",
      environment: ["REMODEL_DENY": "deletes-data, rewrites-table"]
    ).configuration()

    #expect(configuration.denials == [HazardDenial(.deletesData)])
  }
}
