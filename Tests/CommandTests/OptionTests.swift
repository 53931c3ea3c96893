import ArgumentParser
import PostgresClient
import RemodelKit
import Testing

@testable import RemodelCommands

@Suite
struct OptionTests {
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
    let options = try ConnectionOptions.parse([])

    #expect(try options.choice(CommandEnvironment(variables)) == .source(source))
  }

  @Test
  func `a check without arguments is what the parser makes of it`() throws {
    let call = String(describing: CheckCommand.withoutArguments)

    #expect(call == String(describing: try CheckCommand.parse([])))
    #expect(!call.contains("definition"))
  }

  @Test
  func `an option wins over the environment`() throws {
    let environment = CommandEnvironment([
      "DATABASE_URL": "b", "REMODEL_SCHEMA": "from_environment", "REMODEL_LOCK_TIMEOUT": "1s",
    ])
    var configuration = RemodelConfiguration()

    try SchemaOptions.parse(["--schema", "from option"]).apply(to: &configuration, environment)
    try LockOptions.parse([]).apply(to: &configuration, environment)

    #expect(
      try ConnectionOptions.parse(["--database", "a"]).choice(environment) == .source(.url("a"))
    )
    #expect(
      try ConnectionOptions.parse(["--scratch"]).choice(environment) == .scratch(keep: false)
    )
    #expect(configuration.schema == "from option")
    #expect(configuration.lockTimeout == .seconds(1))
  }

  @Test
  func `a role is that of the option, else of the variable, and none on a throwaway server`() throws
  {
    let environment = CommandEnvironment(["DATABASE_URL": "b", "REMODEL_ROLE": "of variable"])
    let url = ConnectionSource.url("b")

    #expect(
      try ConnectionOptions.parse(["--role", "of option"]).choice(environment)
        == .source(url.assuming("of option"))
    )
    #expect(
      try ConnectionOptions.parse([]).choice(environment) == .source(url.assuming("of variable"))
    )
    #expect(
      try ConnectionOptions.parse(["--scratch"]).choice(environment) == .scratch(keep: false)
    )
    let error = #expect(throws: UsageError.self) {
      try ConnectionOptions.parse(["--scratch", "--role", "a"]).choice(environment)
    }
    #expect(error?.fact == .conflict("--role", "--scratch"))
  }

  @Test(arguments: [[:], ["PGPASSWORD": "x"], ["DATABASE_URL": "", "PGHOST": ""]])
  func `nothing is guessed`(variables: [String: String]) throws {
    let options = try ConnectionOptions.parse([])

    let error = #expect(throws: UsageError.self) {
      try options.choice(CommandEnvironment(variables))
    }

    #expect(error?.fact == .noDatabase)
  }

  @Test
  func `hazards are denied but for those that are allowed`() throws {
    let environment = CommandEnvironment(["REMODEL_DENY": "deletes-data, rewrites-table"])
    var configuration = RemodelConfiguration()

    try PlanningOptions.parse(["--allow", "rewrites-table"]).apply(to: &configuration, environment)

    #expect(configuration.denials == [HazardDenial(.deletesData)])
  }
}
