import ModelLoading
import ObjectModel
import Testing

@Suite
struct VersionBaseTests {
  private static let model = ManagedObjectModel(entities: [EntityDescription(name: "A")])

  private static let other = ManagedObjectModel(
    entities: [
      EntityDescription(name: "A", attributes: [AttributeDescription(name: "x", type: .string)])
    ]
  )

  private static let bases = [model, other].map { VersionBase($0.versionHashes()) }

  @Test(arguments: 0...2)
  func `a file says what its version was made from`(count: Int) throws {
    let bases = Array(Self.bases.prefix(count))

    let text = try ModelForm.yaml.text(of: Self.other, named: "2", madeFrom: bases)

    #expect(try ModelLoader.load(yaml: Array(text.utf8), path: "2").bases == bases)
  }

  @Test
  func `a copy of a file has other bases and the same comments`() throws {
    let text = """
      # The shop.
      remodel: 1 # the format
      base:
        - \(Self.bases[0].checksum)
        - \(Self.bases[1].checksum)
      identifier: "2"
      entities:
        # Nothing yet.
        A: {}

      """

    let copy = YAMLBases.text(text, madeFrom: [Self.bases[1]])

    let hashes = Self.other.versionHashes()
    let checksum = hashes.checksum
    let layout = hashes.layoutDigest
    #expect(
      copy == """
        # The shop.
        remodel: 1 # the format
        base: \(checksum)
        baseLayout: \(layout)
        identifier: "2"
        entities:
          # Nothing yet.
          A: {}

        """
    )
  }

  @Test
  func `a file on one line has no line for a base`() {
    let text = "{ remodel: 1, entities: { A: {} } }"

    #expect(YAMLBases.text(text, madeFrom: [Self.bases[0]]) == nil)
  }

  @Test
  func `there is a digest for each base or none`() {
    let text = "remodel: 1\nbase: \(Self.bases[0].checksum)\nbaseLayout: []\nentities: {}\n"

    #expect(throws: ModelLoadingError.self) {
      try ModelLoader.load(yaml: Array(text.utf8), path: "2")
    }
  }
}
