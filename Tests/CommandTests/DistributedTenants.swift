import PostgresClient
import SQLSyntax
import TestSupport
import Testing

@testable import RemodelCommands

/// Stores of tenants whose model declares how Citus distributes their tables.
enum DistributedTenants {
  /// Returns a model of orders of tenants, distributed or not.
  static func model(
    _ isDistributed: Bool,
    order: String = "",
    orderDistribution: String = "{ by: tenant }"
  ) -> String {
    func distribution(_ text: String) -> String {
      isDistributed ? "    distribution: \(text)\n" : ""
    }
    return """
      remodel: 1
      entities:
        Tenant:
      \(distribution("{ by: _id }"))\
          attributes: { name: string }
          relationships:
            customers: { toMany: Customer, inverse: tenant, delete: cascade }
            orders: { toMany: Order, inverse: tenant, delete: cascade }
        Country:
      \(distribution("reference"))\
          attributes: { code: string }
          relationships: { customers: { toMany: Customer, inverse: country, delete: deny } }
        Customer:
      \(distribution("{ by: tenant }"))\
          attributes: { name: string, number: integer64 }
          relationships:
            tenant: { to: Tenant, inverse: customers }
            country: { to: Country, inverse: customers }
            orders: { toMany: Order, inverse: customer, delete: cascade }
          unique: [[tenant, number]]
        Order:
      \(distribution(orderDistribution))\
          attributes: { note: string?, number: integer64\(order) }
          relationships:
            tenant: { to: Tenant, inverse: orders }
            customer: { to: Customer?, inverse: orders }
          indexes: { byNumber: [number] }
      """
  }

  static func withTenants(
    _ versions: String...,
    on cluster: CitusCluster = .singleNode,
    _ body: (_ options: [String], _ urls: [String]) async throws -> Void
  ) async throws {
    try await withBundle(versions[0], versions[1]) { folder in
      for (index, version) in versions.enumerated() {
        try write(version, to: "\(folder)/Library.remodel/\(index + 1).yaml")
      }
      try await cluster.withDatabase { urls in
        let options = ["--models", folder, "--database", urls[0]]
        let made = try await Tool.run(["migrate", "--to", "1"] + options)
        #expect(made.status == 0, "\(made)")
        try await execute(
          "INSERT INTO public.tenant (name) SELECT 't' || i FROM generate_series(1, 10) AS i",
          "INSERT INTO public.country (code) SELECT 'c' || i FROM generate_series(1, 5) AS i",
          """
          INSERT INTO public.customer (_id, tenant, country, name, number)
            SELECT i, i % 10 + 1, i % 5 + 1, 'n' || i, i FROM generate_series(1, 100) AS i
          """,
          """
          INSERT INTO public."order" (tenant, customer, note, number)
            SELECT i % 10 + 1, nullif(i % 100, 0), 'o' || i, i FROM generate_series(1, 1000) AS i
            WHERE i % 100 <> 0
          """,
          at: urls[0]
        )
        try await body(options, urls)
      }
    }
  }

  static func contents(at url: String) async throws -> [[String?]] {
    try await rows(
      of: """
        SELECT md5(string_agg(concat_ws('|', o._id, o.tenant, o.customer, o.note, o.number, c.name, c.country),
          ',' ORDER BY o._id)), count(*)
        FROM public."order" AS o JOIN public.customer AS c ON c.tenant = o.tenant AND c._id = o.customer
        """,
      at: url
    )
  }

  static func placements(at url: String) async throws -> [[String?]] {
    try await rows(
      of: """
        SELECT c.relname, partmethod, repmodel, dense_rank() OVER (ORDER BY colocationid),
          CASE partmethod WHEN 'h' THEN column_to_column_name(logicalrelid, partkey) END
        FROM pg_dist_partition JOIN pg_class AS c ON c.oid = logicalrelid
        WHERE c.relname IN ('tenant', 'country', 'customer', 'order') ORDER BY 1
        """,
      at: url
    )
  }

  static func expectClean(_ options: [String]) async throws {
    let verified = try await Tool.run(["verify", "--rows", "--format", "json"] + options)
    #expect(verified.status == 0, "\(verified)")
    #expect(verified["kinds"] == [], "\(verified)")
  }

  /// Tenants that have events, by tenant, and a change of these that is not one of places.
  static func events(_ event: String, more: String = "") -> String {
    """
    remodel: 1
    entities:
      Tenant:
        distribution: { by: _id }
        relationships: { events: { toMany: Event, inverse: tenant, delete: cascade } }
      \(event)
      \(more)
    """
  }

  static let event = """
    Event:
        distribution: { by: tenant }
        attributes: { note: string? }
        relationships: { tenant: { to: Tenant, inverse: events } }
    """

  static func withEvents(
    _ second: String,
    _ body: (_ options: [String], _ url: String) async throws -> Void
  ) async throws {
    try await withBundle(events(event), second) { folder in
      try await CitusCluster.singleNode.withDatabase { urls in
        let options = ["--models", folder, "--database", urls[0]]
        let made = try await Tool.run(["migrate", "--to", "1"] + options)
        #expect(made.status == 0, "\(made)")
        try await execute(
          "INSERT INTO public.tenant SELECT FROM generate_series(1, 5)",
          "INSERT INTO public.event (tenant, note) SELECT i % 5 + 1, 'e' || i FROM generate_series(1, 50) i",
          at: urls[0]
        )
        try await body(options, urls[0])
      }
    }
  }
}
