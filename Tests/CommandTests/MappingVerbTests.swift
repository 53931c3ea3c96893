import TestSupport
import Testing

@testable import RemodelCommands

@Suite(.timeLimit(.minutes(30)))
struct MappingVerbTests {
  private func withFiles<Result>(
    _ mappings: [String: String] = [:],
    _ versions: (String, String) = (Version.first, Version.withAuthor),
    body: (_ folder: String) async throws -> Result
  ) async throws -> Result {
    try await withBundle(versions.0, versions.1) { folder in
      for (name, text) in mappings { try write(text, to: "\(folder)/\(name).mapping.yaml") }
      return try await body(folder)
    }
  }

  private func mapping(
    _ entities: String,
    from source: String = "1",
    to version: String = "2"
  )
    -> String
  {
    "remodelMapping: 1\nsource: \(source)\ndestination: \(version)\nentities:\n\(entities)\n"
  }

  @Test
  func `a draft of an inferable pair is valid as it is`() async throws {
    try await withFiles { folder in
      let draft = try await Tool.run("mapping", "new", "1", "2", "--models", folder)
      let file = try await Tool.run(
        ["mapping", "new", "1", "--output", "a.mapping.yaml", "--models", "."],
        in: folder
      )
      let validation = try await Tool.run("mapping", "validate", "--models", folder)

      #expect(draft.status == 0)
      expectGolden(draft.output, named: "mapping-new.txt")
      #expect(file.status == 0)
      #expect(validation.status == 0, "\(validation)")
      #expect(validation.output == "valid: 1 mapping model\n  a\n")
    }
  }

  @Test
  func `a draft of another pair has holes, which are faults`() async throws {
    try await withFiles([:], (Version.first, Version.datePages)) { folder in
      let draft = try await Tool.run(
        ["mapping", "new", "1", "2", "--output", "a.mapping.yaml", "--models", "."],
        in: folder
      )
      let text = try await Tool.shell("cat '\(folder)/a.mapping.yaml'")
      let validation = try await Tool.run(
        "mapping",
        "validate",
        "1",
        "2",
        "--models",
        ".",
        in: folder
      )

      #expect(draft.status == 0)
      #expect(validation.status == 65)
      expectGolden(text.output + validation.error, named: "mapping-holes.txt")
    }
  }

  @Test
  func `every fault is reported with its location`() async throws {
    let faulty = mapping(
      "  - { source: Bok, destination: Book, attributes: { titel: title } }\n"
        + "  - { destination: Author, attributes: { name: { hole: who } } }"
    )
    try await withFiles(["a": faulty, "b": mapping("  - source: [x]")]) { folder in
      let all = try await Tool.run("mapping", "validate", "--models", ".", in: folder)
      let one = try await Tool.run(
        "mapping",
        "validate",
        "b.mapping.yaml",
        "--models",
        ".",
        in: folder
      )

      #expect(all.status == 65)
      #expect(
        all.error == """
          ./a.mapping.yaml:5:15: error: source of entity mapping "BokToBook" names entity "Bok", \
          which the source does not have
          HINT:  Did you mean "Book"?
          ./a.mapping.yaml:5:53: error: attribute "titel" of entity mapping "BokToBook" is about \
          "titel", which is no attribute of entity "Book"
          HINT:  Did you mean "title"?
          ./a.mapping.yaml:6:42: error: attribute "name" of entity mapping "Author" is a hole that \
          has to be filled
          DETAIL:  Reason in the file: who
          HINT:  Write an expression in place of the hole, or remove the property: it follows \
          inference then.
          ./b.mapping.yaml:5:13: error: source has to be text

          """
      )
      #expect(one.status == 65)
      #expect(one.error.hasPrefix("b.mapping.yaml:5:13: error:"))
    }
  }

  @Test
  func `a fault inside an expression is reported with its column`() async throws {
    let names = mapping(
      """
        - source: Book
          destination: Book
          attributes: { title: "concat(title, '-', lookup('Bok', title))" }
          policy: { end: "SELECT 1 FROM ${source.Bok}" }
      """
    )
    let meanings = mapping(
      """
        - source: Book
          destination: Book
          where: title != 'a' AND titel = 'b'
          attributes: { title: 'concat(title, "-", titel)' }
      """
    )
    try await withFiles(["a": names]) { folder in
      let named = try await Tool.run("mapping", "validate", "--models", ".", in: folder)
      try write(meanings, to: "\(folder)/a.mapping.yaml")
      let meant = try await Tool.run("mapping", "validate", "--models", ".", in: folder)
      let plan = ["plan", "--from", "1", "--to", "2", "--models", "."]
      let planned = try await Tool.run(plan, in: folder)

      #expect(named.status == 65)
      #expect(named.error.contains("./a.mapping.yaml:7:46: error: attribute \"title\""), "\(named)")
      #expect(named.error.contains("./a.mapping.yaml:8:35: error: placeholder"), "\(named)")
      #expect(meant.status == 65)
      #expect(meant.error.contains("./a.mapping.yaml:7:29: error: entity mapping"), "\(meant)")
      #expect(meant.error.contains("./a.mapping.yaml:8:46: error: property \"title\""), "\(meant)")
      #expect(planned.status == 65)
      #expect(planned.error == meant.error)
    }
  }

  @Test
  func `mapping models are looked for where the option says`() async throws {
    try await withFiles(["a": mapping("  - source: [x]")]) { folder in
      try write(mapping("  - source: Book"), to: "\(folder)/more/deep/b.mapping.yaml")
      let call = ["mapping", "validate", "--models", "."]

      let option = try await Tool.run(call + ["--mappings", "more"], in: folder)
      let variable = try await Tool.run(call, environment: ["REMODEL_MAPPINGS": "more"], in: folder)
      let missing = try await Tool.run(call + ["--mappings", "less"], in: folder)

      #expect(option.output == "valid: 1 mapping model\n  b\n")
      #expect(variable.output == option.output)
      #expect(missing.status == 64)
    }
  }

  @Test
  func `a mapping model of other versions is a warning, unless it is named`() async throws {
    let stranger = mapping("  - { source: Book, hole: what }", to: "12")
    try await withFiles(["a": stranger]) { folder in
      let all = try await Tool.run("mapping", "validate", "--models", ".", in: folder)
      let one = try await Tool.run(
        "mapping",
        "validate",
        "a.mapping.yaml",
        "--models",
        ".",
        in: folder
      )
      let pair = try await Tool.run("mapping", "validate", "1", "2", "--models", ".", in: folder)

      #expect(all.status == 0)
      #expect(all.error.contains("warning: mapping model \"a\" is of versions that the model"))
      #expect(one.status == 65)
      #expect(pair.status == 64)
      #expect(pair.error.contains("there is no mapping model from version \"1\" to version \"2\""))
    }
  }

  @Test
  func `a faulty file matters where it may be about the versions`() async throws {
    let good = mapping("  - { source: Book, destination: Book }")
    try await withFiles(["a": good, "b": mapping("  - source: [x]", from: "2", to: "1")]) {
      folder in
      let call = ["mapping", "validate", "1", "2", "--models", "."]
      let others = try await Tool.run(call, in: folder)
      try write("remodelMapping: {", to: "\(folder)/c.mapping.yaml")
      let unknown = try await Tool.run(call, in: folder)

      #expect(others.output == "valid: 1 mapping model\n  a\n")
      #expect(unknown.status == 65)
      #expect(unknown.error.hasPrefix("./c.mapping.yaml:1:18: error: malformed YAML"))
    }
  }

  @Test
  func `there is no plan by a mapping model with holes`() async throws {
    try await withFiles { folder in
      let file = mapping("  - { source: Book, destination: Book, hole: what }")
      try write(file, to: "\(folder)/more/a.mapping.yaml")
      let call = ["plan", "--from", "1", "--to", "2", "--models", "."]
      let without = try await Tool.run(call, in: folder)
      let with = try await Tool.run(call + ["--mappings", "more"], in: folder)

      #expect(without.status == 0)
      #expect(with.status == 65)
      #expect(with.error.contains("entity mapping \"BookToBook\" is a hole that has to be filled"))
    }
  }

  @Test
  func `a version can be held to its checksum`() async throws {
    try await withFiles { folder in
      let hash = try await Tool.run("model", "hash", "1", "--format", "json", "--models", folder)
      guard case .string(let checksum) = hash["checksum"] else {
        Issue.record("\(hash)")
        return
      }
      let right = mapping("  []").replacing(
        "entities",
        with: "sourceChecksum: \(checksum)\nentities"
      )
      try write(right, to: "\(folder)/a.mapping.yaml")
      let fitting = try await Tool.run("mapping", "validate", "--models", folder)
      let wrong = mapping("  []").replacing("entities", with: "sourceChecksum: v1:0\nentities")
      try write(wrong, to: "\(folder)/a.mapping.yaml")
      let other = try await Tool.run("mapping", "validate", "--models", folder)

      #expect(fitting.status == 0, "\(fitting)")
      #expect(other.status == 65)
      #expect(
        other.error.contains("version \"1\" is not the one that the mapping model was written")
      )
    }
  }

  @Test
  func `the complete mapping has what the file says and what is inferred`() async throws {
    let file = mapping(
      "  - { source: Book, destination: Book, attributes: { isbn: $source.title } }"
    )
    try await withFiles(["a": file]) { folder in
      let call = ["mapping", "show", "1", "--models", "."]
      let text = try await Tool.run(call, in: folder)
      let yaml = try await Tool.run(call + ["--format", "yaml"], in: folder)
      try write(yaml.output, to: "\(folder)/a.mapping.yaml")
      let same = try await Tool.run(call + ["--format", "yaml"], in: folder)

      #expect(text.status == 0, "\(text)")
      expectGolden(text.output + yaml.output, named: "mapping-show.txt")
      #expect(same.output == yaml.output)
    }
  }

  @Test
  func `a mapping model of Xcode's becomes YAML`() async throws {
    let xml = """
      <?xml version="1.0" standalone="no"?>
      <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">
      <database>
      <object type="XDDEVMAPPINGMODEL" id="z1">
        <attribute name="sourcemodelpath" type="string">Old/Library.xcdatamodeld/1.xcdatamodel</attribute>
        <attribute name="destinationmodelpath" type="string">Old/Library.xcdatamodeld/2.xcdatamodel</attribute>
        <relationship name="entitymappings" type="0/0" destination="XDDEVENTITYMAPPING" idrefs="z2 z3"/>
      </object>
      <object type="XDDEVENTITYMAPPING" id="z2">
        <attribute name="sourcename" type="string">Book</attribute>
        <attribute name="destinationname" type="string">Book</attribute>
        <attribute name="migrationpolicyclassname" type="string">BookPolicy</attribute>
        <attribute name="sourcefilterpredicatestring" type="string">pages &gt; 3</attribute>
        <attribute name="mappingnumber" type="int16">1</attribute>
      </object>
      <object type="XDDEVENTITYMAPPING" id="z3">
        <attribute name="destinationname" type="string">Author</attribute>
        <attribute name="mappingnumber" type="int16">2</attribute>
      </object>
      </database>
      """
    try await withFiles { folder in
      try write(xml, to: "\(folder)/BookToBook.xcmappingmodel/xcmapping.xml")
      let call = ["mapping", "convert", "BookToBook.xcmappingmodel", "--models", "."]
      let text = try await Tool.run(call, in: folder)
      let json = try await Tool.run(call + ["--format", "json"], in: folder)
      let found = try await Tool.run("mapping", "validate", "--models", ".", in: folder)

      #expect(
        text.output == """
          remodelMapping: 1
          source: "1"
          destination: "2"
          entities:
            - source: Book
              destination: Book
              where: "pages > 3"
              policy: BookPolicy
            - destination: Author

          """
      )
      #expect(try JSONSchema(named: "mapping-convert").complaints(about: #require(json.json)) == [])
      #expect(found.status == 65)
      #expect(found.error.contains("policy \"BookPolicy\" is code, and no policy of that name"))
      #expect(found.error.contains("./BookToBook.xcmappingmodel/xcmapping.xml:12:3: error: "))
    }
  }

  @Test
  func `what is no mapping model cannot be converted`() async throws {
    try await withFiles { folder in
      let outcome = try await Tool.run("mapping", "convert", "Library.remodel", in: folder)

      #expect(outcome.status == 64)
      #expect(outcome.error.contains("\"Library.remodel\" is not a mapping model"))
    }
  }
}
