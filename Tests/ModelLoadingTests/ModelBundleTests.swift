import Diagnostics
import ModelLoading
import ObjectModel
import Testing

@Suite
struct ModelBundleTests {
  private static let yaml = "remodel: 1\nentities: { A: {} }"
  private static let xml = "<model><entity name=\"A\"/></model>"

  private static func propertyList(_ name: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0"><dict>
    <key>_XCCurrentVersionName</key><string>\(name)</string>
    </dict></plist>
    """
  }

  @Test
  func `Xcode's bundle names its current version`() throws {
    try withTemporaryFolder { folder in
      let files = [
        "Shop.xcdatamodeld/Shop.xcdatamodel/contents": Self.xml,
        "Shop.xcdatamodeld/Shop 2.xcdatamodel/contents": Self.xml,
        "Shop.xcdatamodeld/Shop 10.xcdatamodel/contents": Self.xml,
        "Shop.xcdatamodeld/.xccurrentversion": Self.propertyList("Shop 2.xcdatamodel"),
      ]
      try write(files, in: folder)

      let bundle = try ModelBundle(at: "\(folder)/Shop.xcdatamodeld/")

      #expect(bundle.name == "Shop")
      #expect(bundle.versions.map(\.name) == ["Shop", "Shop 2", "Shop 10"])
      #expect(bundle.currentVersion.name == "Shop 2")
      #expect(bundle.warnings.isEmpty)
      #expect(try bundle.load(bundle.currentVersion).model.entities.map(\.name) == ["A"])
    }
  }

  @Test(arguments: [nil, "Shop 3.xcdatamodel"])
  func `without a current version the last one is taken, with a warning`(named: String?) throws {
    try withTemporaryFolder { folder in
      var files = [
        "Shop.xcdatamodeld/Shop.xcdatamodel/contents": Self.xml,
        "Shop.xcdatamodeld/Shop 2.xcdatamodel/contents": Self.xml,
      ]
      files["Shop.xcdatamodeld/.xccurrentversion"] = named.map(Self.propertyList)
      try write(files, in: folder)

      let bundle = try ModelBundle(at: "\(folder)/Shop.xcdatamodeld")

      #expect(bundle.currentVersion.name == "Shop 2")
      #expect(bundle.warnings.map(\.severity) == [.warning])
    }
  }

  @Test
  func `versions of our bundle are ordered by their numbers`() throws {
    try withTemporaryFolder { folder in
      let files = [
        "Shop.remodel/10.yaml": Self.yaml, "Shop.remodel/2.yaml": Self.yaml,
        "Shop.remodel/2-10.mapping.yaml": "", "Shop.remodel/README.md": "",
      ]
      try write(files, in: folder)

      let bundle = try ModelBundle(at: folder)

      #expect(bundle.name == "Shop")
      #expect(bundle.versions.map(\.name) == ["2", "10"])
      #expect(bundle.currentVersion.name == "10")
      #expect(bundle.version(named: "2")?.path == "\(folder)/Shop.remodel/2.yaml")
    }
  }

  @Test
  func `a list of versions gives their order`() throws {
    try withTemporaryFolder { folder in
      let files = [
        "Shop.remodel/spring.yaml": Self.yaml, "Shop.remodel/autumn.yaml": Self.yaml,
        "Shop.remodel/versions": "# oldest first\nspring\r\n\nautumn # the current one\n",
      ]
      try write(files, in: folder)

      let bundle = try ModelBundle(at: "\(folder)/Shop.remodel")

      #expect(bundle.versions.map(\.name) == ["spring", "autumn"])
    }
  }

  @Test
  func `a list of versions has to fit the files`() throws {
    try withTemporaryFolder { folder in
      let files = [
        "Shop.remodel/1.yaml": Self.yaml, "Shop.remodel/2.yaml": Self.yaml,
        "Shop.remodel/versions": "1\n1\n3\n",
      ]
      try write(files, in: folder)

      let error = #expect(throws: ModelLoadingError.self) {
        try ModelBundle(at: "\(folder)/Shop.remodel")
      }

      #expect(error?.kind == .invalid)
      let messages = error?.diagnostics.map { "\($0.location?.line ?? 0): \($0.message)" }
      #expect(
        messages == [
          "2: version \"1\" is listed twice", "3: version \"3\" is listed but has no file",
          "0: version \"2\" is not listed",
        ]
      )
      #expect(error?.diagnostics.first?.hint == "Remove one of the lines.")
    }
  }

  @Test
  func `single files are bundles of one version`() throws {
    try withTemporaryFolder { folder in
      try write(["shop.yaml": Self.yaml, "Shop.xcdatamodel/contents": Self.xml], in: folder)

      for path in ["\(folder)/shop.yaml", "\(folder)/Shop.xcdatamodel"] {
        let bundle = try ModelBundle(at: path)

        #expect(bundle.versions == [bundle.currentVersion])
        #expect(try bundle.load(bundle.currentVersion).model.entities.count == 1)
      }
    }
  }

  @Test
  func `a folder with no model or several is no bundle`() throws {
    try withTemporaryFolder { folder in
      try write(["a/x": "", "b/One.remodel/1.yaml": "", "b/Two.remodel/1.yaml": ""], in: folder)

      for (path, message) in [
        ("\(folder)/a", "folder \"\(folder)/a\" holds no model"),
        ("\(folder)/b", "folder \"\(folder)/b\" holds 2 models"),
        ("\(folder)/c", "there is no model at \"\(folder)/c\""),
        ("\(folder)/a/x", "\"\(folder)/a/x\" is not a model"),
      ] {
        let error = #expect(throws: ModelLoadingError.self) { try ModelBundle(at: path) }

        #expect(error?.kind == .noBundle)
        #expect(error?.diagnostics.map(\.message) == [message])
      }
    }
  }

  @Test
  func `models without text are refused with a reason`() throws {
    try withTemporaryFolder { folder in
      try write(["Old.xcdatamodel/elements": "", "Empty.xcdatamodel/layout": ""], in: folder)

      #expect(
        complaints { () throws(ModelLoadingError) in
          try ModelLoader.load("\(folder)/Old.xcdatamodel")
        }.first?.hasPrefix("ERROR:  model \"\(folder)/Old.xcdatamodel\" is in the binary format")
          == true
      )
      #expect(
        complaints { () throws(ModelLoadingError) in
          try ModelLoader.load("\(folder)/Empty.xcdatamodel")
        } == [
          "ERROR:  could not open \"\(folder)/Empty.xcdatamodel/contents\": no such file or directory"
        ]
      )
    }
  }
}
