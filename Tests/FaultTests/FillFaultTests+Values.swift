import RemodelKit
import TestSupport
import Testing

/// What rows without a value do to a fill, and to the writers of such rows.
extension FillFaultTests {
  @Test(arguments: ["filled.after_commit", "nulls.after_commit"])
  func `a row without a required value is named, and its like can still be written`(
    place: String
  ) async throws {
    try await withValues { bundle, url in
      let hasWritten = Flag()
      let writing = Failpoints { name, _ in
        guard name == place, hasWritten.set() else { return }
        let other = try PostgresConnection(to: .url(url))
        try other.execute("UPDATE public.sale SET seller = NULL WHERE _id = 7")
      }

      await expectMissingValue { try await remodel(bundle, writing).migrate(.url(url)) }

      try expectFreeWriters(url)
      _ = try await remodel(bundle).migrate(.url(url))
      #expect(try await remodel(bundle).check(.url(url)).isCurrent)
      #expect(try remains(url) == [])
    }
  }

  @Test(arguments: ["withdraw.before_commit", "prove.before_commit", "promise.after_commit"])
  func `a promise that cannot be kept is taken back by a rerun`(place: String) async throws {
    try await withValues { bundle, url in
      let (hasWritten, isDead) = (Flag(), Flag())
      let writing = Failpoints { name, _ in
        if name == "nulls.after_commit", hasWritten.set() {
          let other = try PostgresConnection(to: .url(url))
          try other.execute("UPDATE public.sale SET seller = NULL WHERE _id = 7")
        }
        if name == place { isDead.set() }
        if isDead.isSet { throw Dead() }
      }
      await #expect(throws: (any Error).self) {
        try await remodel(bundle, writing).migrate(.url(url))
      }

      await expectMissingValue { try await remodel(bundle).migrate(.url(url)) }

      try expectFreeWriters(url)
      _ = try await remodel(bundle).migrate(.url(url))
      #expect(try remains(url) == [])
    }
  }

  @Test
  func `what cannot be computed after its range was compared stops a rerun`() async throws {
    try await withFilledBundle { bundle in
      try await TestServer.withDatabase { url in
        try await prepare(bundle, url)
        await #expect(throws: (any Error).self) {
          try await remodel(bundle, dying(at: "compared.after_commit")).migrate(.url(url))
        }
        let connection = try PostgresConnection(to: .url(url))
        try connection.execute("UPDATE public.sale SET divisor = 0 WHERE _id = 1")

        await #expect(throws: (any Error).self) { try await remodel(bundle).migrate(.url(url)) }

        #expect(try await remodel(bundle).status(.url(url)).version?.name == "1")
        try connection.execute("UPDATE public.sale SET divisor = 2 WHERE _id = 1")
        _ = try await remodel(bundle).migrate(.url(url))
        let row = try connection.query("SELECT share FROM public.sale WHERE _id = 1").first
        #expect(row?["share"] == "0.5")
      }
    }
  }

  @Test
  func `a value that cannot be computed takes no other with it`() async throws {
    try await withValues { bundle, url in
      await #expect(throws: (any Error).self) {
        try await remodel(bundle, dying(at: "filled.after_commit")).migrate(.url(url))
      }
      let connection = try PostgresConnection(to: .url(url))
      try connection.execute("UPDATE public.sale SET divisor = 0, amount = 11 WHERE _id = 7")

      let row = try connection.query(
        """
        SELECT remodel_temporary_share, remodel_temporary_twice FROM public.sale WHERE _id = 7
        """
      )

      #expect(row.rows == [[nil, "22"]])
    }
  }

  @Test
  func `a session that reads constants otherwise writes the same values`() async throws {
    try await withValues { bundle, url in
      await #expect(throws: (any Error).self) {
        try await remodel(bundle, dying(at: "filled.after_commit")).migrate(.url(url))
      }
      let connection = try PostgresConnection(to: .url(url))
      try connection.execute("SET standard_conforming_strings = off")

      try connection.execute("UPDATE public.sale SET seller = 'Zoe' WHERE _id = 7")

      let row = try connection.query("SELECT remodel_temporary_path FROM public.sale WHERE _id = 7")
      #expect(row.rows == [["a\\b"]])
      _ = try await remodel(bundle).migrate(.url(url))
    }
  }

  @Test(arguments: [("chunk.after_commit", false), ("prove.begin", true)])
  func `a fill without a connection tells of writes that may be refused`(
    place: String,
    isPromised: Bool
  ) async throws {
    try await withFilledBundle { bundle in
      try await TestServer.withDatabase { url in
        try await prepare(bundle, url)
        let isLost = Flag()
        let ending = Failpoints { name, connection in
          if name == place { isLost.set() }
          if isLost.isSet { try Self.end(connection.backendPID, url) }
        }

        let error = await #expect(throws: (any Error).self) {
          try await remodel(bundle, ending).migrate(.url(url))
        }

        #expect(isLost.isSet)
        #expect(error.map { "\($0)".contains("may refuse writes") } == isPromised)
      }
    }
  }

  // MARK: - Values

  func expectMissingValue<Result>(_ body: () async throws -> Result) async {
    let error = await #expect(throws: (any Error).self) { _ = try await body() }
    let words = error.map { "\($0)" } ?? ""
    #expect(words.contains("rows of table \"sale\" have no value for column \"label\""), "\(words)")
    #expect(words.contains("Keys: 7."), "\(words)")
  }

  /// Checks that the server accepts nulls where the application may write them, and removes them.
  func expectFreeWriters(_ url: String) throws {
    let constraints = try remains(url).filter { $0.hasPrefix("constraint") }
    #expect(constraints == [])
    let connection = try PostgresConnection(to: .url(url))
    try connection.execute(
      """
      UPDATE public.sale SET seller = NULL WHERE _id = 8;
      UPDATE public.sale SET seller = 'Zoe' WHERE seller IS NULL
      """
    )
  }

  func withValues(
    _ body: (_ bundle: String, _ url: String) async throws -> Void
  )
    async throws
  {
    let attributes = "amount: integer32, divisor: integer32?, seller: string?"
    let versions = ["", ", label: string, share: double?, twice: integer64?, path: string?"].map {
      added in
      """
      remodel: 1
      entities:
        Sale: { attributes: { \(attributes)\(added) } }
      """
    }
    let mapping = """
      remodelMapping: 1
      source: "1"
      destination: "2"
      entities:
        - source: Sale
          destination: Sale
          attributes:
            label: uppercase($source.seller)
            share: $source.amount * 1.0 / $source.divisor
            twice: $source.amount * 2
            path: 'coalesce(nullIf($source.seller, "Zoe"), "a\\\\b")'
      """
    try await withBundle(versions, mappings: ["1-2": mapping]) { bundle in
      try await TestServer.withDatabase { url in
        try await prepare(bundle, url)
        try await body(bundle, url)
      }
    }
  }
}
