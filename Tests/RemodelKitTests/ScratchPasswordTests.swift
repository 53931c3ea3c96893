import PostgresClient
import TestSupport
import Testing

@testable import RemodelKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A throwaway server in which code of others runs.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct ScratchPasswordTests {
  @Test
  func `nobody logs in without the password, and the folder is closed to others`() async throws {
    let binaries =
      if let path = TestServer.binaries {
        try ServerBinaries(at: path)
      } else {
        try await ServerBinaries.find()
      }
    let superuser = ScratchSuperuser(name: "keeper", password: ScratchSuperuser.randomPassword())
    let server = try await ScratchServer.start(
      binaries,
      settings: [:],
      superuser: superuser,
      keep: false
    )

    try await server.use { server in
      let folder = try FileManager.default.attributesOfItem(atPath: server.directory)
      #expect(folder[.posixPermissions] as? Int == 0o700)
      #expect(!FileManager.default.fileExists(atPath: "\(server.directory)/password"))
      await #expect(throws: PostgresError.self) {
        try await PostgresSession.connect(to: .url(server.url))
      }
      let url = server.url + "&password=" + (superuser.password ?? "")
      let session = try await PostgresSession.connect(to: .url(url))
      try await session.run { connection in
        try connection.execute("CREATE ROLE other LOGIN PASSWORD 'known'")
        let methods = try connection.query("SELECT DISTINCT auth_method FROM pg_hba_file_rules")
        #expect(methods.rows == [["scram-sha-256"]])
      }
      // Who knows one password is not let in as another.
      await #expect(throws: PostgresError.self) {
        try await PostgresSession.connect(to: .url(server.url + "&password=known"))
      }
    }
  }
}
