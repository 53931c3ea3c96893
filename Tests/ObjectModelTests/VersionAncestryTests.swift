import ObjectModel
import Testing

@Suite
struct VersionAncestryTests {
  /// Creates the ancestry of versions, each by the letter of its content and those of its bases.
  private static func ancestry(
    _ versions: (content: Character, bases: String?)...
  )
    -> VersionAncestry
  {
    VersionAncestry(
      of: versions.enumerated().map { position, version in
        VersionAncestry.Version(
          name: "\(position + 1)",
          base: base(version.content),
          bases: (version.bases ?? "").map(base)
        )
      }
    )
  }

  /// Capital letters have the version hash of the small ones and another layout.
  private static func base(_ letter: Character) -> VersionBase {
    VersionBase(
      checksum: VersionHash(text: letter.lowercased()),
      layoutDigest: VersionHash(text: String(letter))
    )
  }

  @Test
  func `versions without bases are on one line`() {
    let ancestry = Self.ancestry(("a", nil), ("b", nil), ("c", nil))

    #expect(ancestry.parents == [[], [0], [1]])
    #expect(ancestry.forks == [])
  }

  @Test
  func `two versions of one base are a fork`() {
    for first in [nil, "a"] {
      let ancestry = Self.ancestry(("a", nil), ("b", first), ("c", "a"))

      #expect(ancestry.forks == [.init(first: 1, second: 2, base: 0)])
    }
  }

  @Test
  func `two versions of one base that is in no file are a fork`() {
    let ancestry = Self.ancestry(("b", "a"), ("c", "a"))

    #expect(ancestry.forks == [.init(first: 0, second: 1, base: nil)])
  }

  @Test
  func `a merge of both is none`() {
    let ancestry = Self.ancestry(("a", nil), ("b", "a"), ("c", "a"), ("d", "bc"), ("e", "d"))

    #expect(ancestry.forks == [])
    #expect(ancestry.line(from: 0, to: 4) == [1, 3, 4])
    #expect(ancestry.line(from: 2, to: 4) == [3, 4])
    #expect(ancestry.line(from: 1, to: 2) == nil)
    #expect(ancestry.line(to: 4) == [0, 1, 3, 4])
    #expect(ancestry.commonBase(of: 1, and: 2) == 0)
  }

  @Test
  func `the digest of the layout tells versions with one hash apart`() {
    let ancestry = Self.ancestry(("a", nil), ("A", "a"), ("b", "a"))

    #expect(ancestry.forks == [.init(first: 1, second: 2, base: 0)])
    #expect(Self.ancestry(("a", nil), ("A", "a"), ("b", "A")).forks == [])
  }

  @Test
  func `an edited base was the version before`() {
    let ancestry = Self.ancestry(("a", nil), ("b", "a"), ("c", "x"))

    #expect(ancestry.parents == [[], [0], [1]])
    #expect(ancestry.misplaced == [])
  }

  @Test
  func `a base that stands later is told`() {
    let ancestry = Self.ancestry(("a", nil), ("c", "b"), ("b", "a"))

    #expect(ancestry.misplaced == [1])
  }
}
