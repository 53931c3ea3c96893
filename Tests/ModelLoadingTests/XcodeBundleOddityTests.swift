import Diagnostics
import FoundationEssentials
import ModelLoading
import ObjectModel
import Testing

/// Folders of Xcode's that are not as usual.
@Suite
struct XcodeBundleOddityTests {
  private static let xml = "<model><entity name=\"A\"/></model>"

  @Test
  func `the property list of the current version may be binary`() throws {
    try withTemporaryFolder { folder in
      try write(
        [
          "Shop.xcdatamodeld/Shop.xcdatamodel/contents": Self.xml,
          "Shop.xcdatamodeld/Shop 2.xcdatamodel/contents": Self.xml,
          "Shop.xcdatamodeld/._Shop 2.xcdatamodel": "of an archive",
        ],
        in: folder
      )
      let path = URL(filePath: "\(folder)/Shop.xcdatamodeld/.xccurrentversion")
      try Self.binaryPropertyList("Shop.xcdatamodel").write(to: path)

      let bundle = try ModelBundle(at: "\(folder)/Shop.xcdatamodeld")

      #expect(bundle.versions.map(\.name) == ["Shop", "Shop 2"])
      #expect(bundle.currentVersion.name == "Shop")
      #expect(bundle.warnings.isEmpty)

      try Data("bplist00".utf8).write(to: path)
      let error = #expect(throws: ModelLoadingError.self) {
        try ModelBundle(at: "\(folder)/Shop.xcdatamodeld")
      }
      #expect(error?.diagnostics.map(\.message) == ["malformed binary property list"])
    }
  }

  @Test(arguments: ["Shop.xcdatamodel", "Shop.xcdatamodel/contents", "."])
  func `a single version is named by its folder, its file, or the folder around it`(
    path: String
  ) throws {
    try withTemporaryFolder { folder in
      try write(["Shop.xcdatamodel/contents": Self.xml], in: folder)

      let bundle = try ModelBundle(at: path == "." ? folder : "\(folder)/\(path)")

      #expect(bundle.name == "Shop")
      #expect(try bundle.load(bundle.currentVersion).model.entities.map(\.name) == ["A"])
    }
  }

  @Test(arguments: [
    ("Shop.momd/Shop.mom", "Shop.momd", "is a compiled model"),
    ("Shop.momd/Shop.mom", "Shop.momd/Shop.mom", "is a compiled model"),
    ("Shop.momd/Shop.mom", ".", "holds only compiled models"),
    ("A.xcmappingmodel/xcmapping.xml", "A.xcmappingmodel", "is a mapping model, not a model"),
    ("Old.xcdatamodel/elements", "Old.xcdatamodel", "is in the binary format of Xcode 3"),
  ])
  func `what is no source of a model is refused in a sentence`(
    file: String,
    path: String,
    message: String
  ) throws {
    try withTemporaryFolder { folder in
      try write([file: ""], in: folder)

      let error = #expect(throws: ModelLoadingError.self) {
        let bundle = try ModelBundle(at: path == "." ? folder : "\(folder)/\(path)")
        _ = try bundle.load(bundle.currentVersion)
      }

      #expect(error?.diagnostics.count == 1)
      #expect(error?.diagnostics.first?.message.contains(message) == true)
      #expect(error?.diagnostics.first?.hint?.isEmpty == false)
    }
  }

  /// Returns the property list that names a version, in binary form.
  private static func binaryPropertyList(_ name: String) -> Data {
    let key = Array("_XCCurrentVersionName".utf8)
    let value = Array(name.utf8)
    var bytes = Array("bplist00".utf8) + [0xD1, 1, 2]
    let offsets = [8, 11, 11 + 3 + key.count].map { UInt8($0) }
    bytes += [0x5F, 0x10, UInt8(key.count)] + key
    bytes += [0x5F, 0x10, UInt8(value.count)] + value
    let table = UInt8(bytes.count)
    bytes += offsets
    bytes += [0, 0, 0, 0, 0, 0, 1, 1]
    for number in [3, 0, table] { bytes += [0, 0, 0, 0, 0, 0, 0, number] }
    return Data(bytes)
  }
}
