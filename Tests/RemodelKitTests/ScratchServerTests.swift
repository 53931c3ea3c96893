import PostgresClient
import RemodelKit
import SQLSyntax
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct ScratchServerTests {
  @Test
  func `a server answers, and leaves nothing`() async throws {
    let directory = try await ScratchServer.withServer(binaries: TestServer.binaries) { server in
      let session = try await PostgresSession.connect(to: .url(server.url))
      let settings = try await session.run { connection in
        try connection.query(
          "SELECT current_setting('listen_addresses') AS addresses, current_user AS role"
        )
        .rows
      }

      #expect(settings == [["", "postgres"]])
      return server.directory
    }

    #expect(!FileManager.default.fileExists(atPath: directory))
  }

  @Test
  func `a server does not see what its caller keeps in the environment`() async {
    // In a process of its own: others read the environment meanwhile.
    await #expect(processExitsWith: .success) {
      setenv("REMODEL_TEST_PASSWORD", "secret", 1)
      try await ScratchServer.withServer(binaries: TestServer.binaries) { server in
        let session = try await PostgresSession.connect(to: .url(server.url))

        let lines = try await session.run { connection in
          try connection.execute(
            "CREATE TABLE public.variable (text text); COPY public.variable FROM PROGRAM 'env'"
          )
          return try connection.query("SELECT text FROM public.variable").compactMap { $0["text"] }
        }

        #expect(lines.contains { $0.hasPrefix("PATH=") })
        #expect(!lines.contains { $0.contains("secret") })
        #expect(!lines.contains { $0.hasPrefix("REMODEL_") })
      }
    }
  }

  @Test
  func `a server is removed when its user fails`() async throws {
    var directory = ""

    await #expect(throws: CancellationError.self) {
      try await ScratchServer.withServer(binaries: TestServer.binaries) { server in
        directory = server.directory
        #expect(FileManager.default.fileExists(atPath: directory))
        throw CancellationError()
      }
    }

    #expect(!directory.isEmpty)
    #expect(!FileManager.default.fileExists(atPath: directory))
  }

  @Test
  func `a server is removed when its process is killed`() async throws {
    let result = await #expect(
      processExitsWith: .signal(SIGKILL),
      observing: [\.standardOutputContent]
    ) {
      let server = try await ScratchServer.start(binaries: TestServer.binaries)
      print("directory:\(server.directory)")
      fflush(nil)
      kill(getpid(), SIGKILL)
    }
    let output = String(decoding: try #require(result).standardOutputContent, as: UTF8.self)
    let line = output.split(separator: "\n").first { $0.hasPrefix("directory:/") }
    let directory = String(try #require(line).dropFirst("directory:".count))

    #expect(await isGone(directory))
  }

  @Test
  func `a kept server outlives its process until it is stopped`() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
      try await ScratchServer.withServer(binaries: TestServer.binaries, keep: true) { server in
        print("server:\(server.url) \(server.directory) \(server.stopCommand)")
      }
      fflush(nil)
    }
    let output = String(decoding: try #require(result).standardOutputContent, as: UTF8.self)
    let line = try #require(output.split(separator: "\n").first { $0.hasPrefix("server:") })
    let fields = line.dropFirst("server:".count).split(separator: " ").map(String.init)
    let process = try #require(fields.last.flatMap { Int32($0) })

    let session = try await PostgresSession.connect(to: .url(fields[0]))
    #expect(try await session.run { try $0.query("SELECT 1").value } == "1")
    #expect(fields[2] == "kill")
    kill(process, SIGTERM)
    #expect(await isGone(fields[1]))
  }

  @Test
  func `a folder without a server is refused`() async throws {
    let error = await #expect(throws: ScratchError.self) {
      try await ScratchServer.start(binaries: "/nonexistent")
    }

    #expect(error == .noServerAt("/nonexistent"))
  }

  @Test
  func `what a failing server says is reported`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "remodel-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    for name in ["initdb", "postgres"] {
      let script = "echo \"disk is on fire\"\nexit 1\n"
      try await TestProgram.write(script, to: folder.appending(path: name).path)
    }

    let error = await #expect(throws: ScratchError.self) {
      try await ScratchServer.start(binaries: folder.path)
    }

    #expect(error == .serverFailed(reason: "initdb failed", log: "disk is on fire"))
  }

  private func isGone(_ directory: String) async -> Bool {
    let deadline = ContinuousClock.now + .seconds(300)
    while FileManager.default.fileExists(atPath: directory) {
      guard ContinuousClock.now < deadline else { return false }
      try? await Task.sleep(for: .milliseconds(50))
    }
    return true
  }
}
