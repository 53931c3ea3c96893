import FoundationEssentials
import RemodelKit
import TestSupport
import Testing

/// Whatever Xcode compiles opens, with warnings, or is refused in one sentence.
@Suite(.timeLimit(.minutes(30)))
struct XcodeOddityTests {
  @Test(arguments: XcodeOddity.all)
  func `what is odd has a place and a reading`(oddity: XcodeOddity) throws {
    try withBundle(of: oddity) { path in
      let remodel = Remodel(RemodelConfiguration(modelsPath: path))
      switch oddity.outcome {
      case .opens(let texts):
        let warnings = try remodel.validate()
        expect(warnings, toHave: texts)
        #expect(warnings.allSatisfy { $0.severity == .warning && $0.location?.line != nil })
        let strict = { try remodel.validate(isStrict: true) }
        if texts.isEmpty {
          #expect(throws: Never.self) { try strict() }
        } else {
          let error = #expect(throws: ModelLoadingError.self) { try strict() }
          #expect(error?.diagnostics.allSatisfy { $0.severity == .error } == true)
        }
      case .refused(let text):
        let error = #expect(throws: ModelLoadingError.self) { try remodel.validate() }
        let errors = error?.diagnostics.filter { $0.severity == .error } ?? []
        expect(errors, toHave: [text])
        #expect(errors.first?.location?.line != nil)
      }
    }
  }

  @Test(
    .tags(.server),
    .enabled(if: TestServer.isAvailable),
    arguments: RandomCases.one(in: 3, of: XcodeOddity.all.filter(\.isAccepted))
  )
  func `what is odd becomes a database, and is told once`(oddity: XcodeOddity) async throws {
    try await withBundle(of: oddity) { path in
      try await TestServer.withDatabase { url in
        let remodel = Remodel(RemodelConfiguration(modelsPath: path))

        let report = try await remodel.migrate(.url(url))

        #expect(report.outcome == .created)
        // What a column is called instead is told where a model is checked, not at each migration.
        let told = try remodel.validate().filter { !$0.message.contains("is called") }
        #expect(report.warnings == told)
        #expect(try await remodel.migrate(.url(url)).outcome == .unchanged)
        let verification = try await remodel.verify(.url(url))
        #expect(verification.drift.isEmpty)
      }
    }
  }

  @Test(.tags(.server), .enabled(if: TestServer.isAvailable))
  func `relationships out of a configuration are no part of its store`() async throws {
    let oddity = try #require(
      XcodeOddity.all.first { $0.description == "an inverse in another configuration" }
    )
    try await withBundle(of: oddity) { path in
      for name in ["Local", "Cloud"] {
        try await TestServer.withDatabase { url in
          let remodel = Remodel(RemodelConfiguration(modelsPath: path, configurationName: name))

          let report = try await remodel.migrate(.url(url))

          expect(report.warnings, toHave: ["leads out of configuration \"\(name)\""])
          #expect(report.warnings.first?.location?.line != nil)
          #expect(try await remodel.verify(.url(url)).drift.isEmpty)
        }
      }
    }
  }

  @Test(.tags(.server), .enabled(if: TestServer.isAvailable))
  func `an old version that is not valid blocks only paths over it`() async throws {
    let texts = [
      XcodeOddity.withA(""), "<entity name=\"A\"><attribute name=\"x\"/></entity>",
      XcodeOddity.withA(#"<attribute name="y" optional="YES" attributeType="Date"/>"#),
    ]
    try await withXcodeBundle(texts.map { "<model>\($0)</model>" }) { path in
      let remodel = Remodel(RemodelConfiguration(modelsPath: path))
      try await TestServer.withDatabase { url in
        #expect(try await remodel.migrate(.url(url)).target.name == "3")
        #expect(try await remodel.migrate(.url(url)).outcome == .unchanged)
        #expect(try await remodel.check(.url(url)).isCurrent)
        _ = try await remodel.status(.url(url))
      }
      try await TestServer.withDatabase { url in
        _ = try await remodel.migrate(.url(url), to: "1")
        let error = await #expect(throws: ModelLoadingError.self) {
          try await remodel.migrate(.url(url))
        }
        #expect(error?.diagnostics.first?.message.contains("has no type") == true)
        let direct = Remodel(RemodelConfiguration(modelsPath: path, isDirect: true))
        #expect(try await direct.migrate(.url(url)).target.name == "3")
      }
    }
  }

  private func expect(
    _ diagnostics: [Diagnostic],
    toHave texts: [String],
    sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) {
    let lines = diagnostics.map(\.description)
    #expect(lines.count == texts.count, "\(lines)", sourceLocation: sourceLocation)
    for (line, text) in zip(lines, texts) {
      #expect(line.contains(text), sourceLocation: sourceLocation)
    }
  }

  private func withBundle(of oddity: XcodeOddity, _ body: (String) throws -> Void) throws {
    let folder = try XcodeFolder([oddity.xml])
    defer { folder.remove() }
    try body(folder.path)
  }

  private func withBundle(
    of oddity: XcodeOddity,
    _ body: (String) async throws -> Void
  ) async throws {
    try await withXcodeBundle([oddity.xml], body)
  }

  private func withXcodeBundle(
    _ versions: [String],
    _ body: (String) async throws -> Void
  ) async throws {
    let folder = try XcodeFolder(versions)
    defer { folder.remove() }
    try await body(folder.path)
  }
}

/// A bundle of Xcode's whose versions are called 1, 2, …; the last one is current.
private struct XcodeFolder {
  let path: String

  init(_ versions: [String]) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "odd-\(UUID().uuidString)")
    path = folder.appending(path: "Odd.xcdatamodeld").path
    for (index, text) in versions.enumerated() {
      let version = "\(path)/\(index + 1).xcdatamodel"
      try FileManager.default.createDirectory(atPath: version, withIntermediateDirectories: true)
      try Data(text.utf8).write(to: URL(filePath: "\(version)/contents"))
    }
    let current = """
      <plist version="1.0"><dict><key>_XCCurrentVersionName</key>\
      <string>\(versions.count).xcdatamodel</string></dict></plist>
      """
    try Data(current.utf8).write(to: URL(filePath: "\(path)/.xccurrentversion"))
  }

  func remove() {
    try? FileManager.default.removeItem(at: URL(filePath: path).deletingLastPathComponent())
  }
}
