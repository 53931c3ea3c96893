import PostgresClient
import SQLSyntax
import TestSupport
import Testing

@testable import RemodelCommands

/// What Remodel does not do to distributed tables, and says before anything runs; they need the extension.
@Suite(
  .tags(.server),
  .enabled("Citus is not installed") { try await CitusCluster.isInstalled() },
  .timeLimit(.minutes(30))
)
struct DistributionRefusalTests {
  @Test
  func `a column that decides where rows are keeps its type`() async throws {
    let first = DistributedTenants.events(
      DistributedTenants.event,
      more: "Visit: { distribution: { by: region }, attributes: { region: integer32 } }"
    )
    let second = first.replacing("region: integer32", with: "region: integer64")
    try await DistributedTenants.withEvents(first) { options, url in
      let migrated = try await Tool.run(["migrate"] + options)
      #expect(migrated.status == 0, "\(migrated)")
      try write(second, to: "\(options[1])/Library.remodel/3.yaml")
      for verb in ["plan", "migrate"] {
        let refused = try await Tool.run([verb] + options)
        #expect(refused.status == 7, "\(refused)")
        #expect(refused.error.contains("cannot get another type or default"), "\(refused)")
      }
    }
  }

  @Test
  func `rows that were written to nodes are not left behind unasked`() async throws {
    let mapping = """
      remodelMapping: 1
      source: "1"
      destination: "2"
      entities:
        - { source: Event, destination: Event, attributes: { note: uppercase($source.note) } }
      """
    try await DistributedTenants.withEvents(DistributedTenants.events(DistributedTenants.event)) {
      options,
      url in
      try write(mapping, to: "\(options[1])/a.mapping.yaml")
      let migrated = try await Tool.run(["migrate", "--strategy", "locked"] + options)
      #expect(migrated.status == 0, "\(migrated)")
      try await execute("UPDATE public.event SET note = 'later' WHERE _id = 1", at: url)
      let refused = try await Tool.run(["revert"] + options)
      #expect(refused.status == 7, "\(refused)")
      #expect(refused.error.contains("no longer known which rows were written"), "\(refused)")
      let later = try await rows(of: "SELECT note FROM public.event WHERE _id = 1", at: url)
      #expect(later == [["later"]])
    }
  }

  @Test
  func `rows of one tenant that refer to another one's are asked for before`() async throws {
    try await DistributedTenants.withTenants(
      DistributedTenants.model(false),
      DistributedTenants.model(true)
    ) { options, urls in
      try await execute(
        "UPDATE public.\"order\" SET customer = customer % 99 + 1 WHERE _id = 7",
        at: urls[0]
      )
      let refused = try await Tool.run(["migrate"] + options)
      #expect(refused.status == 9, "\(refused)")
      #expect(refused.error.contains("have the same value of \"tenant\""), "\(refused)")
      #expect(refused.error.contains("Keys: 7"), "\(refused)")
    }
  }

  @Test
  func `numbers that a node has given are not given again`() async throws {
    try await DistributedTenants.withTenants(
      DistributedTenants.model(false),
      DistributedTenants.model(true)
    ) { options, urls in
      try await execute(
        "UPDATE public.\"order\" SET _id = 281474976710657 WHERE _id = 7",
        at: urls[0]
      )
      let refused = try await Tool.run(["migrate"] + options)
      #expect(refused.status == 9, "\(refused)")
      #expect(refused.error.contains("nodes would give the same ones again"), "\(refused)")
    }
  }

  @Test
  func `a database without Citus distributes nothing`() async throws {
    try await withBundle(DistributedTenants.model(true)) { folder in
      try await TestServer.withDatabase { url in
        let outcome = try await Tool.run(["migrate", "--models", folder, "--database", url])
        #expect(outcome.status == 7, "\(outcome)")
        #expect(outcome.error.contains("the database does not have Citus"), "\(outcome)")
        #expect(outcome.error.contains("CREATE EXTENSION citus"), "\(outcome)")
      }
    }
  }

  @Test
  func `what people have added to a table is said before it is distributed`() async throws {
    let (first, second) = (DistributedTenants.model(false), DistributedTenants.model(true))
    try await DistributedTenants.withTenants(first, second) { options, urls in
      try await execute(
        "CREATE FUNCTION public.note() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'",
        """
        CREATE TRIGGER noting BEFORE INSERT ON public."order"
          FOR EACH ROW EXECUTE FUNCTION public.note()
        """,
        "CREATE UNIQUE INDEX own ON public.customer (name)",
        "CREATE UNIQUE INDEX fitting ON public.customer (tenant, name)",
        at: urls[0]
      )
      for verb in ["plan", "migrate"] {
        let refused = try await Tool.run([verb] + options)
        #expect(refused.status == 7, "\(refused)")
        #expect(refused.error.contains("cannot have trigger \"noting\""), "\(refused)")
        #expect(refused.error.contains("\"own\" cannot keep values unique"), "\(refused)")
        #expect(!refused.error.contains("fitting"), "\(refused)")
      }
    }
  }
}
