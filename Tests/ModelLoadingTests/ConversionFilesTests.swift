import Diagnostics
import FoundationEssentials
import ModelLoading
import Testing

/// What a conversion leaves in the folder.
@Suite
struct ConversionFilesTests {
  private static let model = "remodel: 1\nentities: { A: { attributes: { x: string } } }\n"

  @Test
  func `a list of versions that is there already does not outlive what it was about`() throws {
    try withTemporaryFolder { folder in
      try write(Self.bundle(["1", "2"], order: nil), in: "\(folder)/M.remodel")
      try write(Self.bundle(["1", "2"], order: "* 1\n2\n"), in: "\(folder)/N.remodel")
      let conversion = try ModelConversion(
        of: ModelBundle(at: "\(folder)/M.remodel"),
        to: "\(folder)/N.remodel"
      )

      try conversion.write(replacing: true)

      let copy = try ModelBundle(at: "\(folder)/N.remodel")
      #expect(copy.versions.map(\.name) == ["1", "2"])
      #expect(copy.currentVersion.name == "2")
    }
  }

  @Test(arguments: ["a#1", " a", "a ", "a\nb", "a\r", "\t"])
  func `a name that the list of versions cannot say is refused`(name: String) throws {
    try withTemporaryFolder { folder in
      let model = "<model><entity name=\"A\"/></model>"
      let names = [name, "b", "z"].sorted()
      let files = names.map { ("\($0).xcdatamodel/contents", model) }
      try write(Dictionary(uniqueKeysWithValues: files), in: "\(folder)/M.xcdatamodeld")
      let current = """
        <plist version="1.0"><dict><key>_XCCurrentVersionName</key>\
        <string>b.xcdatamodel</string></dict></plist>
        """
      try write([".xccurrentversion": current], in: "\(folder)/M.xcdatamodeld")
      let bundle = try ModelBundle(at: "\(folder)/M.xcdatamodeld")

      let error = #expect(throws: ModelConversionError.self) {
        try ModelConversion(of: bundle, to: "\(folder)/M.remodel")
      }

      #expect(bundle.currentVersion.name == "b")
      #expect(error?.fact == .unlistable(versions: [name]))
      #expect(error?.diagnostics.first?.hint == "Rename the files of these versions.")
      #expect(!FileManager.default.fileExists(atPath: "\(folder)/M.remodel"))
    }
  }

  @Test
  func `such a name is no trouble where no list is needed`() throws {
    try withTemporaryFolder { folder in
      try write(Self.bundle(["a#1", "a#2"], order: nil), in: "\(folder)/M.remodel")

      let conversion = try ModelConversion(
        of: ModelBundle(at: "\(folder)/M.remodel"),
        to: "\(folder)/N.remodel"
      )
      try conversion.write(replacing: false)

      #expect(try ModelBundle(at: "\(folder)/N.remodel").currentVersion.name == "a#2")
    }
  }

  @Test
  func `files beside the ones that are written stay as they are`() throws {
    try withTemporaryFolder { folder in
      try write(Self.bundle(["1"], order: nil), in: "\(folder)/M.remodel")
      try write(["out.yaml.writing": "mine"], in: folder)
      let bundle = try ModelBundle(at: "\(folder)/M.remodel")

      try ModelConversion(of: bundle, to: "\(folder)/out.yaml").write(replacing: false)

      #expect(try String(contentsOfFile: "\(folder)/out.yaml.writing", encoding: .utf8) == "mine")
      let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      #expect(names.sorted() == ["M.remodel", "out.yaml", "out.yaml.writing"])
    }
  }

  @Test
  func `nothing is left behind of what could not be written`() throws {
    try withTemporaryFolder { folder in
      try write(Self.bundle(["1"], order: nil), in: "\(folder)/M.remodel")
      try write(["out.yaml/inside": "mine", "out.yaml.writing": "mine"], in: folder)
      let bundle = try ModelBundle(at: "\(folder)/M.remodel")
      let conversion = try ModelConversion(of: bundle, to: "\(folder)/out.yaml")

      let error = #expect(throws: ModelConversionError.self) {
        try conversion.write(replacing: true)
      }

      let diagnostic = error?.diagnostics.first
      #expect(diagnostic?.message.hasPrefix("could not write \"\(folder)/out.yaml\"") == true)
      #expect(diagnostic?.hint?.isEmpty == false)
      let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      #expect(names.sorted() == ["M.remodel", "out.yaml", "out.yaml.writing"])
    }
  }

  private static func bundle(_ versions: [String], order: String?) -> [String: String] {
    var files = Dictionary(uniqueKeysWithValues: versions.map { ("\($0).yaml", model) })
    files["versions"] = order
    return files
  }
}
