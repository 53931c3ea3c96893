import ArgumentParser
import PostgresClient
import RemodelKit
import Testing

@testable import RemodelCommands

/// The options of the store in the calls that a call prints.
@Suite
struct StoreOptionsTests {
  private func options<V: Verb>(
    _ verb: V.Type,
    _ arguments: [String],
    _ environment: [String: String] = [:]
  ) throws -> StoreOptions {
    StoreOptions(try Command<V>.parse(arguments).values(CommandEnvironment(environment)))
  }

  @Test
  func `a call has the options of the store, those of variables included`() throws {
    let options = try options(
      StatusVerb.self,
      ["--database", "postgresql://me@db/shop", "--schema", "it's", "--wait", "1s"],
      [
        "REMODEL_MODELS": "a:b c", "REMODEL_METADATA_SCHEMA": "-m", "REMODEL_SCHEMA": "other",
        "DATABASE_URL": "postgresql://other",
      ]
    )

    #expect(
      options.completing("remodel migrate --to 2") == """
        remodel migrate --database 'postgresql://me@db/shop' --schema 'it'\\''s' \
        --metadata-schema=-m --models a --models 'b c' --to 2
        """
    )
    #expect(
      options.completing("remodel mapping new 1 'a  b'")
        == "remodel mapping new --models a --models 'b c' 1 'a  b'"
    )
    #expect(options.completing("remodel migrate --schema x")?.contains("it's") == false)
    #expect(options.completing("remodel job") == "remodel job")
    #expect(StoreOptions().completing("remodel finish") == "remodel finish")
  }

  @Test(arguments: [
    "postgresql://me:Sekret_7@db:5433/shop?sslmode=require",
    "postgresql://me@db/shop?password=Sekret_7", "postgresql://me@db/shop?passw%6Frd=Sekret%5F7",
    "host=db user=me password=Sekret_7 dbname='a shop'",
    "host=db user=me password='Sekret_7 \\' x' dbname=shop sslpassword=Sekret_7",
  ])
  func `a URL is repeated without its secrets`(url: String) throws {
    let text = try #require(ConnectionSource.url(url).textWithoutSecrets)
    let call = try options(StatusVerb.self, ["--database", url]).completing("remodel finish")

    #expect(!text.contains("ekret"), "\(text)")
    #expect(ConnectionSource.url(text).place == ConnectionSource.url(url).place)
    #expect(ConnectionSource.url(text).textWithoutSecrets == text)
    #expect(call == "remodel finish --database \(text.quotedForShell)")
  }

  @Test
  func `one store of many is named, and no call is completed for many`() throws {
    let schemas = try options(
      StatusVerb.self,
      ["--database", "postgresql://db/shop", "--each-schema", "t_*"],
      ["REMODEL_SCHEMA": "other"]
    )
    let target = MigrationTarget(.url("postgresql://me:pw@db/x"), schema: "t_1")

    #expect(schemas.completing("remodel finish") == nil)
    #expect(
      schemas.of(target).completing("remodel finish")
        == "remodel finish --database 'postgresql://db/shop' --schema t_1"
    )
    let text = try #require(target.database.textWithoutSecrets)
    let databases = try options(MigrateVerb.self, ["--targets", "file"])
    #expect(databases.of("t_1").completing("remodel finish") == nil)
    #expect(
      databases.of(target).completing("remodel finish")
        == "remodel finish --schema t_1 --database \(text.quotedForShell)"
    )
  }

  @Test
  func `advice is completed, wherever the error is thrown`() throws {
    let options = try options(StatusVerb.self, ["--schema", "s", "--models", "m"])
    let diagnostic = Diagnostic(
      "copy job 1 is paused",
      detail: "It waits until \"remodel job resume 1\" is called.",
      hint: "Use \"remodel job resume 1\" and run again, or \"remodel job cancel 1\"."
    )

    let completed = StoreOptions.$current.withValue(options) { diagnostic.completed }

    #expect(
      completed.detail
        == "It waits until \"remodel job resume --schema s --models m 1\" is called."
    )
    #expect(
      completed.hint == """
        Use "remodel job resume --schema s --models m 1" and run again, or \
        "remodel job cancel --schema s --models m 1".
        """
    )
    #expect(diagnostic.completed == diagnostic)
  }
}
