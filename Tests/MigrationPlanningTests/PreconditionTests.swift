import ModelMapping
import ObjectModel
import PostgresClient
import SQLSyntax
import TestSupport
import Testing

@testable import MigrationPlanning

/// What the queries count is what the statements would stumble over.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct PreconditionTests {
  @Test(arguments: [
    Conversion(.integer32, .integer16, fits: ["32767", "-32768"], misfits: ["32768", "-32769"]),
    Conversion(
      .integer64,
      .double,
      fits: ["9007199254740992", "1152921504606846976"],
      misfits: ["9007199254740993", "9223372036854775807"]
    ),
    Conversion(.integer32, .float, fits: ["16777216", "33554432"], misfits: ["16777217"]),
    Conversion(
      .integer64,
      .float,
      fits: ["16777216"],
      misfits: ["9007199254740993", "9223372036854775807"]
    ),
    Conversion(
      .double,
      .integer32,
      fits: ["-3", "2147483647"],
      misfits: ["1.5", "2147483648", "NaN", "Infinity"]
    ),
    Conversion(
      .double,
      .integer64,
      fits: ["9007199254740992", "-9223372036854775808"],
      misfits: ["9223372036854775808", "1000000000000000.5", "-Infinity"]
    ),
    Conversion(
      .double,
      .decimal,
      fits: ["0.1", "1.5", "NaN", "Infinity"],
      misfits: ["0.30000000000000004"]
    ),
    Conversion(.float, .decimal, fits: ["0.1", "1.5"], misfits: ["16777217.5", "1.2345678"]),
    Conversion(.double, .float, fits: ["1.5", "NaN"], misfits: ["0.1", "1e300", "1e-300"]),
    Conversion(
      .decimal,
      .double,
      fits: ["0.1", "NaN", "Infinity"],
      misfits: ["1e309", "1e-400", "0.12345678901234567890"]
    ),
    Conversion(.decimal, .float, fits: ["0.1", "2.5"], misfits: ["0.12345678", "1e39", "1e-50"]),
    Conversion(
      .decimal,
      .numeric(precision: 5, scale: 2),
      fits: ["999.99", "0"],
      misfits: ["1000", "0.001"]
    ),
    Conversion(
      .double,
      .numeric(precision: 5, scale: 2),
      fits: ["999.5"],
      misfits: ["0.30000000000000004", "1000"]
    ),
    Conversion(.numeric(precision: 5, scale: 0), .integer16, fits: ["32767"], misfits: ["99999"]),
    Conversion(.numeric(precision: 5, scale: 2), .integer16, fits: ["7"], misfits: ["7.5"]),
    Conversion(.string, .varchar(3), fits: ["abc", "äöü"], misfits: ["abcd"]),
  ])
  func `values that do not fit are counted, and only those`(_ conversion: Conversion) async throws {
    try await TestServer.withDatabase { url in
      let connection = try PostgresConnection(to: .url(url))
      try connection.prepareSession()
      let source = try PlannedVersion(conversion.model(of: conversion.before))
      let destination = try PlannedVersion(conversion.model(of: conversion.after), named: "2")
      let step = try MigrationPlanner().step(
        from: source,
        to: destination,
        by: CompleteMapping(from: source.projection.model, to: destination.projection.model)
      )
      try connection.execute("CREATE SCHEMA s")
      for statement in try MigrationPlanner().step(creating: source).statements {
        try connection.execute(statement.sql)
      }
      let type = try #require(conversion.before.columnType)
      for value in conversion.fits + conversion.misfits {
        try connection.execute("INSERT INTO s.a (x) VALUES (\(SQLLiteral.typed(value, type)))")
      }
      try connection.execute("INSERT INTO s.a (x) VALUES (NULL)")

      let query = try #require(step.preconditions.first?.query)
      let result = try connection.query(query)

      let offenders = (0..<conversion.misfits.count).map { String(conversion.fits.count + $0 + 1) }
      #expect(result.first?["keys"] == offenders.joined(separator: ", "))
      try connection.execute(
        "DELETE FROM s.a WHERE _id > \(SQLLiteral.integer(Int64(conversion.fits.count)))"
      )
      for statement in step.statements { try connection.execute(statement.sql) }
    }
  }

  @Test
  func `nulls that are filled with one value are duplicates`() async throws {
    try await TestServer.withDatabase { url in
      let connection = try PostgresConnection(to: .url(url))
      try connection.prepareSession()
      let pairs: [(AttributeType, AttributeType, AttributeValue)] = [
        (.integer16, .integer64, .integer(70_000)), (.boolean, .integer16, .integer(5)),
        (.varchar(3), .string, .string("longer")), (.float, .double, .double(0.1)),
        (.uuid, .uuid, .uuid("00000000-0000-0000-0000-000000000001")),
        (.decimal, .integer32, .integer(1)), (.date, .date, .date(0)),
      ]
      for (before, after, value) in pairs {
        let source = Samples.model(
          "A",
          AttributeDescription(name: "x", type: before),
          uniqueness: [["x"]]
        )
        let destination = Samples.model(
          "A",
          AttributeDescription(name: "x", type: after, isOptional: false, defaultValue: value),
          uniqueness: [["x"]]
        )
        let step = try MigrationPlannerTests.step(from: source, to: destination)
        try connection.execute("DROP SCHEMA IF EXISTS s CASCADE; CREATE SCHEMA s")
        for statement in try MigrationPlanner().step(creating: PlannedVersion(source)).statements {
          try connection.execute(statement.sql)
        }

        try connection.execute("INSERT INTO s.a (x) VALUES (NULL)")
        let one = try step.preconditions.map { try connection.query($0.query).first?["count"] }
        try connection.execute("INSERT INTO s.a (x) VALUES (NULL)")
        let two = try step.preconditions.map { try connection.query($0.query).first?["count"] }

        #expect(one.allSatisfy { $0 == "0" })
        #expect(two.contains("2"), "\(before) to \(after)")
      }
    }
  }
}

/// A change of an attribute's type, with values.
struct Conversion: CustomTestStringConvertible, Sendable {
  let before: AttributeType
  let after: AttributeType
  let fits: [String]
  let misfits: [String]

  init(_ before: AttributeType, _ after: AttributeType, fits: [String], misfits: [String]) {
    self.before = before
    self.after = after
    self.fits = fits
    self.misfits = misfits
  }

  var testDescription: String { "\(before) to \(after)" }

  func model(of type: AttributeType) -> ManagedObjectModel {
    Samples.model("A", AttributeDescription(name: "x", type: type))
  }
}
