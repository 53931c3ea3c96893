import MigrationPlanning
import ObjectModel
import Testing

/// Which way leads where, of versions that are only names and hashes.
@Suite
struct MigrationPathTests {
  private let versions = ["1", "2", "3", "4"].map { Self.version($0) }

  private static func version(_ name: String, layout: String = "") -> VersionIdentity {
    VersionIdentity(
      name: name,
      checksum: VersionHash(text: "v1:\(name)"),
      layoutDigest: VersionHash(text: "v1:\(name)\(layout)")
    )
  }

  private func path(
    from recorded: VersionIdentity,
    visited: [VersionIdentity] = [],
    to target: Int,
    isExplicit: Bool = false,
    isDirect: Bool = false,
    naturalPosition: Int? = nil
  ) throws(MigrationPath.Refusal) -> [Int] {
    try MigrationPath(
      from: recorded,
      visited: visited + [recorded],
      over: versions,
      to: target,
      isExplicit: isExplicit,
      isDirect: isDirect,
      naturalPosition: naturalPosition
    ).hops.map(\.end)
  }

  @Test
  func `the path includes every version between`() throws {
    #expect(try path(from: versions[0], to: 3) == [1, 2, 3])
  }

  @Test
  func `the direct path skips them`() throws {
    #expect(try path(from: versions[0], to: 3, isDirect: true) == [3])
  }

  @Test
  func `at the target there is nothing to do`() throws {
    #expect(try path(from: versions[3], to: 3) == [])
  }

  @Test
  func `a target with another layout is applied`() throws {
    #expect(try path(from: Self.version("4", layout: "old"), to: 3) == [3])
  }

  @Test
  func `nothing is reverted by itself`() throws {
    #expect(throws: MigrationPath.Refusal.newer(recorded: "3")) {
      try path(from: versions[2], to: 1)
    }
    #expect(try path(from: versions[2], to: 0, isExplicit: true) == [1, 0])
  }

  @Test
  func `a version that was reverted is not migrated to again by itself`() throws {
    #expect(throws: MigrationPath.Refusal.wentBack(recorded: "1")) {
      try path(from: versions[0], visited: [versions[3]], to: 3)
    }
    let way = try path(from: versions[0], visited: [versions[3]], to: 3, isExplicit: true)
    #expect(way == [1, 2, 3])
  }

  @Test
  func `an edited version is named`() {
    #expect(throws: MigrationPath.Refusal.edited("2")) {
      try path(from: Self.version("2", layout: "old"), to: 3)
    }
  }

  @Test
  func `a version without file is placed by its name`() throws {
    let lost = Self.version("2b")
    #expect(try path(from: lost, to: 3, naturalPosition: 2) == [2, 3])
    #expect(throws: MigrationPath.Refusal.newer(recorded: "2b")) {
      try path(from: lost, to: 1, naturalPosition: 2)
    }
  }

  @Test
  func `a version without a file follows those that the database has had`() throws {
    let lost = Self.version("lost")
    #expect(try path(from: lost, visited: [versions[1]], to: 3) == [2, 3])
  }

  @Test
  func `a version of unknown order counts as later`() {
    #expect(throws: MigrationPath.Refusal.newer(recorded: "Books")) {
      try path(from: Self.version("Books"), to: 3)
    }
  }
}
