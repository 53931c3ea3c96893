import Diagnostics
import ModelLoading
import ObjectModel
import TestSupport
import Testing

@Suite
struct ConversionTests {
  @Test(arguments: ModelForm.allCases)
  func `a written model reads back the same`(form: ModelForm) throws {
    var count = 0
    for number in 0..<RandomCases.count(orElse: RandomCases.isEverything ? 200 : 50) {
      let seed = RandomCases.sampleSeed &+ UInt64(number)
      var generator = ModelGenerator(seed: seed)
      let model = generator.model()
      let distributed = generator.distributed(model)
      count += distributed == model ? 0 : 1
      try expectSame(model, in: form, "seed \(seed)")
      try expectSame(distributed, in: form, "distributed, seed \(seed)")
    }
    #expect(count > 0)
    try expectSame(TestSupport.Samples.library, in: form, "library")
    try expectSame(Self.everything, in: form, "everything")
    try expectSame(TestSupport.Samples.adopted, in: form, "adopted")
  }

  @Test(.enabled(if: Corpora.isAvailable, "there are no real models on this machine"))
  func `every real version survives the way to YAML and back to Xcode's form`() throws {
    var count = 0
    for path in RandomCases.one(in: 12, of: Corpora.bundles) {
      let bundle = try ModelBundle(at: path)
      for version in bundle.versions {
        let model = try bundle.load(version).model
        let yaml = try ModelForm.yaml.text(of: model, named: version.name)
        let copy = try ModelLoader.load(yaml: Array(yaml.utf8), path: version.name).model
        let xml = try ModelForm.xcode.text(of: copy, named: version.name)
        let back = try ModelLoader.load(xml: Array(xml.utf8), path: version.name).model

        #expect(back == model, "\(version.path)")
        #expect(back.versionHashes() == model.versionHashes(), "\(version.path)")
        #expect(try ModelForm.yaml.text(of: back, named: version.name) == yaml)
        count += 1
      }
    }
    #expect(RandomCases.isEverything ? count == 435 : count > 0)
  }

  @Test(.enabled(if: Corpora.isAvailable, "there are no real models on this machine"))
  func `whole bundles keep their versions, their order and the current one`() throws {
    try withTemporaryFolder { folder in
      for (number, path) in RandomCases.one(in: 12, of: Corpora.bundles).enumerated() {
        let bundle = try ModelBundle(at: path)
        guard bundle.path.hasSuffix(".xcdatamodeld") else { continue }
        let there = try ModelConversion(of: bundle, to: "\(folder)/\(number).remodel")
        try there.write(replacing: false)
        let yaml = try ModelBundle(at: there.path)
        let back = try ModelConversion(of: yaml, to: "\(folder)/\(number).xcdatamodeld")
        try back.write(replacing: false)
        let copy = try ModelBundle(at: back.path)

        for other in [yaml, copy] {
          #expect(other.versions.map(\.name) == bundle.versions.map(\.name), "\(path)")
          #expect(other.currentVersion.name == bundle.currentVersion.name, "\(path)")
          #expect(other.warnings.isEmpty)
        }
        let current = try bundle.load(bundle.currentVersion).model
        #expect(try copy.load(copy.currentVersion).model == current, "\(path)")
        #expect(throws: ModelConversionError.self) { try there.write(replacing: false) }
      }
    }
  }

  @Test
  func `an order that names do not have cannot be said in Xcode's form`() throws {
    try withTemporaryFolder { folder in
      let model = "remodel: 1\nentities: { A: { attributes: { x: string } } }\n"
      let files = [
        "first.yaml": model, "second.yaml": model, "third.yaml": model,
        "versions": "third\n* first\nsecond\n",
      ]
      try write(files, in: "\(folder)/M.remodel")
      let bundle = try ModelBundle(at: "\(folder)/M.remodel")

      let error = #expect(throws: ModelConversionError.self) {
        try ModelConversion(of: bundle, to: "\(folder)/M.xcdatamodeld")
      }
      let copy = try ModelConversion(of: bundle, to: "\(folder)/N.remodel")

      #expect(bundle.currentVersion.name == "first")
      #expect(error?.fact == .unnaturalOrder(versions: ["third", "first", "second"]))
      #expect(copy.files.last?.text == "third\n* first\nsecond\n")
    }
  }

  private func expectSame(
    _ model: ManagedObjectModel,
    in form: ModelForm,
    _ place: Comment
  ) throws {
    let text = try form.text(of: model, named: "1")
    let copy = try load(text, form)

    #expect(copy == model, place)
    #expect(copy.versionHashes() == model.versionHashes(), place)
    #expect(try form.text(of: copy, named: "1") == text, place)
  }

  private func load(_ text: String, _ form: ModelForm) throws -> ManagedObjectModel {
    switch form {
    case .xcode: try ModelLoader.load(xml: Array(text.utf8), path: "1").model
    case .yaml: try ModelLoader.load(yaml: Array(text.utf8), path: "1").model
    }
  }

  @Test(arguments: ModelForm.allCases)
  func `a file is for people to read`(form: ModelForm) throws {
    let name = form == .yaml ? "everything.yaml" : "everything.xml"
    expectGolden(try form.text(of: Self.everything, named: "1"), named: name)
  }

  @Test(arguments: ModelForm.allCases)
  func `what does not follow the rules is said in few words`(form: ModelForm) throws {
    let name = form == .yaml ? "adopted.yaml" : "adopted.xml"
    expectGolden(try form.text(of: TestSupport.Samples.adopted, named: "1"), named: name)
  }

  @Test
  func `what a form has no place for is refused`() throws {
    var model = TestSupport.Samples.model(
      "A",
      AttributeDescription(name: "x", type: .string, userInfo: ["note": "bell \u{7}"])
    )
    let control = #expect(throws: ModelConversionError.self) {
      try ModelForm.xcode.text(of: model, named: "1")
    }
    #expect(try ModelForm.yaml.text(of: model, named: "1").contains("\\U00000007"))
    model = TestSupport.Samples.model(
      "A",
      AttributeDescription(name: "x", type: .string, userInfo: ["remodel.column": "y"])
    )
    let setting = #expect(throws: ModelConversionError.self) {
      try ModelForm.xcode.text(of: model, named: "1")
    }

    #expect(control?.diagnostics.first?.message.contains("Xcode's form") == true)
    #expect(
      setting?.diagnostics.first?.detail == "It is about entity \"A\" and its property \"x\"."
    )
  }

  /// Something of everything that a model can say, with texts that are hard to write.
  private static let everything: ManagedObjectModel = {
    let hard = [
      "", " ", "a: b", "- a", "# a", "true", "null", "~", "1", "0x1F", "it's", "\"q\"", "a\nb\tc",
      "\\", "{a}", "[a, b]", "&<>", "ä ö", "日本", "😀", "trailing ", "a #b", "?", "x\u{85}y\u{2028}z",
    ]
    let types: [AttributeType] = [
      .integer16, .integer32, .integer64, .decimal, .double, .float, .string, .uri, .boolean, .date,
      .binary, .uuid, .transformable, .objectID, .composite("Place, \"big\""), .json, .calendarDate,
      .time, .interval, .inet, .textSearch, .range(.tstzrange), .numeric(precision: 8, scale: 2),
      .varchar(9), .array(.integer32),
      .enumeration(["a", "it's", "b, c", "\"x\""]), .sql("point"),
    ]
    var attributes = types.enumerated().map { index, type in
      AttributeDescription(name: "a\(index)", type: type, isOptional: index.isMultiple(of: 2))
    }
    attributes.append(AttributeDescription(name: "bare", type: .undefined, isTransient: true))
    attributes.append(
      AttributeDescription(
        name: "full",
        type: .integer32,
        isOptional: false,
        defaultValue: .integer(-5),
        validation: AttributeValidation(minimum: "-9.5", maximum: "100"),
        renamingIdentifier: "empty",
        versionHashModifier: "2",
        columnName: "the column",
        isIndexed: true,
        userInfo: Dictionary(uniqueKeysWithValues: hard.map { ("key \($0)", $0) }),
        foreign: ForeignContent(attributes: ["syncable": "YES", "usesScalarValueType": "NO"])
      )
    )
    let values: [(AttributeType, AttributeValue)] = [
      (.boolean, .boolean(true)), (.double, .double(1e-300)), (.decimal, .decimal("1.5")),
      (.date, .date(-0.5)), (.uuid, .uuid("00000000-0000-0000-0000-00000000000a")),
      (.string, .string("null")), (.string, .string("")), (.json, .text("{\"a\": [1, null]}")),
      (.date, .date(631_123_200)), (.double, .double(5)),
    ]
    attributes += values.enumerated().map {
      AttributeDescription(name: "d\($0)", type: $1.0, defaultValue: $1.1)
    }
    attributes.append(
      AttributeDescription(
        name: "text",
        type: .string,
        validation: AttributeValidation(
          minimumLength: 1,
          maximumLength: 9,
          pattern: "[a-z]+: \\d",
          isEnforced: true
        ),
        derivationExpression: "canonical:(a6)"
      )
    )
    attributes.append(
      AttributeDescription(name: "coded", type: .transformable, valueTransformerName: "Coder")
    )
    let element = ForeignElement(
      name: "element",
      attributes: ["name": "Book", "width": "128"],
      elements: [ForeignElement(name: "deep")]
    )
    return ManagedObjectModel(
      entities: [
        EntityDescription(
          name: "Book",
          isAbstract: true,
          renamingIdentifier: "Volume",
          versionHashModifier: "x",
          attributes: attributes,
          relationships: [
            RelationshipDescription(
              name: "pages",
              destinationEntityName: "Page",
              inverseName: "book",
              isToMany: true,
              minimumCount: 2,
              maximumCount: 9,
              isOrdered: true,
              isOptional: false,
              deleteRule: .cascade,
              renamingIdentifier: "leaves",
              userInfo: ["k": "v"],
              foreign: ForeignContent(attributes: ["syncable": "YES"])
            ),
            RelationshipDescription(
              name: "others",
              destinationEntityName: "Book",
              isToMany: true,
              isOptional: false,
              deleteRule: .noAction,
              joinTableName: "the table"
            ),
          ],
          fetchedProperties: [
            FetchedPropertyDescription(name: "none"),
            FetchedPropertyDescription(
              name: "found",
              fetchRequest: FetchRequestTemplate(
                name: "named",
                entityName: "Page",
                predicate: "number > $FETCH_SOURCE.a1",
                options: ["fetchLimit": "5"]
              ),
              userInfo: ["k": "v"]
            ),
          ],
          uniquenessConstraints: [["a1"], ["a2", "a3"]],
          fetchIndexes: [
            FetchIndexDescription(name: "plain", elements: [.init(propertyName: "a1")]),
            FetchIndexDescription(
              name: "full",
              elements: [
                .init(propertyName: "a2", kind: .rTree, isAscending: false),
                .init(expression: "lowercase:(a6)"),
              ],
              partialPredicate: "a1 > 5"
            ),
          ],
          compoundIndexes: [["a1", "a2"]],
          tableName: "the books",
          key: .uuid,
          storage: ["fillfactor": "80", "autovacuum_vacuum_scale_factor": "0.02"],
          className: "App.Book",
          userInfo: ["": "empty"],
          foreign: ForeignContent(attributes: ["codeGenerationType": "class"], elements: [element])
        ),
        EntityDescription(
          name: "Page",
          relationships: [
            RelationshipDescription(
              name: "book",
              destinationEntityName: "Book",
              inverseName: "pages",
              columnName: "of book"
            )
          ]
        ),
        EntityDescription(name: "Novel", superentityName: "Book"),
      ],
      composites: [
        CompositeDescription(
          name: "Place, \"big\"",
          elements: [AttributeDescription(name: "x", type: .float, isOptional: false)],
          foreign: ForeignContent(attributes: ["syncable": "YES"])
        )
      ],
      configurations: [ModelConfiguration(name: "All: of it", entityNames: ["Book", "Novel"])],
      fetchRequests: [FetchRequestTemplate(name: "long", entityName: "Book", predicate: "a1 > 5")],
      versionIdentifier: "1.0",
      foreign: ForeignContent(
        attributes: ["sourceLanguage": "Swift", "documentVersion": "1.1"],
        elements: [ForeignElement(name: "elements", elements: [element])]
      )
    )
  }()
}
