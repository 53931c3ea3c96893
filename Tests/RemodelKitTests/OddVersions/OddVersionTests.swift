import FoundationEssentials
import RemodelKit
import TestSupport
import Testing

/// Histories that are easily misread, from their versions to the last one and back.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct OddVersionTests {
  @Test(arguments: RandomCases.one(in: 3, of: OddHistory.renamings))
  func `values stay with what was renamed, whatever the way`(history: OddHistory) async throws {
    try await withBundle(history.versions) { path in
      for way in Self.ways(history.versions.count) {
        let stretch = Stretch(path: path, name: history.testDescription, versions: way)
        let jump = try await stretch.compare(judge: nil)
        #expect(jump.retained == 0, "\(stretch.description)")
      }
    }
  }

  @Test(arguments: RandomCases.one(in: 3, of: OddHistory.identical))
  func `versions laid out alike differ in the metadata alone`(history: OddHistory) async throws {
    try await withBundle(history.versions) { path in
      for way in Self.ways(history.versions.count) {
        let stretch = Stretch(path: path, name: history.testDescription, versions: way)
        let jump = try await stretch.compare(judge: nil)
        #expect((jump.steps, jump.statements) == (1, 0), "\(stretch.description)")
      }
    }
  }

  @Test
  func `the three generations of Xcode's indexes are the same index`() async throws {
    let attribute = { (extra: String) in
      "<attribute name=\"plate\" optional=\"YES\" attributeType=\"String\"\(extra)/>"
    }
    try await withXcodeBundle([
      attribute(" indexed=\"YES\""),
      attribute("")
        + "<compoundIndexes><compoundIndex><index value=\"plate\"/></compoundIndex></compoundIndexes>",
      attribute("")
        + "<fetchIndex name=\"byPlate\"><fetchIndexElement property=\"plate\" type=\"Binary\" "
        + "order=\"ascending\"/></fetchIndex>",
    ]) { path in
      for way in Self.ways(3) {
        let stretch = Stretch(path: path, name: "Cars", versions: way)
        let jump = try await stretch.compare(judge: nil)
        #expect((jump.steps, jump.statements) == (1, 0), "\(stretch.description)")
      }
    }
  }

  @Test
  func `without a current version the last one is migrated to, with a warning`() async throws {
    let attribute = "<attribute name=\"plate\" optional=\"YES\" attributeType=\"String\"/>"
    try await withXcodeBundle([attribute, attribute.replacing("plate", with: "sign")]) { path in
      try await TestServer.withDatabase { url in
        let report = try await Remodel(RemodelConfiguration(modelsPath: path)).migrate(.url(url))

        #expect(report.target.name == "2")
        #expect(report.warnings.map(\.severity) == [.warning])
      }
    }
  }

  @Test
  func `a reverting path is folded, and taken only on request`() async throws {
    let versions = [
      "entities: { Car: { attributes: { plate: string } } }",
      "entities: { Car: { attributes: { plate: string, seats: integer16? } } }",
      "entities: { Car: { attributes: { sign: { type: string, renamingIdentifier: plate } } } }",
    ].map { "remodel: 1\n\($0)" }
    try await withBundle(versions) { path in
      let remodel = Remodel(RemodelConfiguration(modelsPath: path))
      try await TestServer.withDatabase { url in
        let database = StretchDatabase(remodel, url)
        try await database.create("3")
        let values = try await database.rows(of: "3")

        let back = try await database.migrateAtOnce(to: "1", of: "back")

        #expect(back.map(\.passedVersions) == [["2"]])
        #expect(try await database.rows(of: "1") == values)
        let error = await #expect(throws: RemodelError.self) {
          try await remodel.migrate(.url(url))
        }
        #expect(error?.fact == .wentBack(recorded: "1", target: "3"))
        #expect(try await remodel.migrate(.url(url), to: "3").steps.count == 1)
        #expect(try await database.rows(of: "3") == values)
      }
    }
  }

  @Test
  func `a configuration migrates alone, and no other one is let in`() async throws {
    let versions = [
      "entities: { Car: { attributes: { plate: string } }, Log: {} }",
      "entities: { Car: { attributes: { plate: string, seats: integer16? } }, Note: {} }",
    ].map { "remodel: 1\n\($0)\nconfigurations: { Main: [Car] }" }
    try await withBundle(versions) { path in
      let remodel = Remodel(RemodelConfiguration(modelsPath: path, configurationName: "Main"))
      try await TestServer.withDatabase { url in
        _ = try await remodel.migrate(.url(url), to: "1")
        let plan = try await remodel.plan(.url(url)).plan
        #expect(plan.steps.flatMap(\.statements).count == 1)
        #expect(try await remodel.migrate(.url(url)).outcome == .migrated)

        let whole = Remodel(RemodelConfiguration(modelsPath: path))
        let error = await #expect(throws: ExecutionError.self) {
          try await whole.migrate(.url(url))
        }

        #expect(error?.fact == .otherConfiguration(recorded: "Main", requested: nil))
        #expect(try await remodel.migrate(.url(url)).outcome == .unchanged)
      }
    }
  }

  /// The way from the first version over those between to the last one, and back, and some of those from later
  /// versions, or all of them where there is time for it.
  private static func ways(_ count: Int) -> [[String]] {
    let ways = (1..<count).flatMap { first in
      let way = (first...count).map(String.init)
      return [way, way.reversed()]
    }
    return ways.prefix(2) + RandomCases.one(in: 2, of: Array(ways.dropFirst(2)))
  }

  /// Gives a bundle of Xcode's to a function and removes it afterwards.
  ///
  /// Each version has an entity "Car" of other contents; none is marked as the current one.
  private func withXcodeBundle(
    _ contents: [String],
    _ body: (String) async throws -> Void
  ) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "odd-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let bundle = folder.appending(path: "Cars.xcdatamodeld")
    for (index, content) in contents.enumerated() {
      let version = bundle.appending(path: "\(index + 1).xcdatamodel")
      try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
      let text = "<model><entity name=\"Car\">\(content)</entity></model>"
      try Data(text.utf8).write(to: version.appending(path: "contents"))
    }
    try await body(bundle.path)
  }
}
