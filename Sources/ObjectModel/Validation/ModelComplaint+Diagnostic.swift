package import Diagnostics
internal import SQLSyntax

extension ModelComplaint {
  /// Returns the complaint in words.
  ///
  /// - Parameters:
  ///   - model: The model that the complaint is about.
  ///   - location: The place of the element in its file.
  /// - Returns: The words, with the place.
  package func diagnostic(
    in model: ManagedObjectModel,
    at location: SourceLocation? = nil
  ) -> Diagnostic {
    let words = fact.words(about: model.phrase(for: element))
    return Diagnostic(
      severity,
      words.message,
      detail: words.detail,
      hint: words.hint,
      location: location
    )
  }
}

/// What a complaint says to people.
struct Words {
  let message: String
  var detail: String?
  var hint: String?

  init(_ message: String, detail: String? = nil, hint: String? = nil) {
    self.message = message
    self.detail = detail
    self.hint = hint
  }

  init(_ message: String, storedIn root: String) {
    self.message = message
    detail = "It is stored in the table of entity \"\(root)\"."
  }

  init(_ message: String, suggestion: String?) {
    self.message = message
    hint = suggestion.map { "Did you mean \"\($0)\"?" }
  }
}

extension ModelComplaint.Fact {
  // One switch, so that a new fact without words does not compile.
  fileprivate func words(about part: String) -> Words {
    switch self {
    case .emptyName: Words("\(part) has no name")
    case .nulInName: Words("\(part) has a name with a NUL character")
    case .nulInDefaultValue: Words("default value of \(part) has a NUL character")
    case .duplicateName: Words("\(part) is defined twice")
    case .inheritedName(let entity):
      Words("\(part) has the name of a property that it inherits from entity \"\(entity)\"")
    case .sharedCanonicalName(let name, let other):
      Words(
        "\(part) is matched as \"\(name)\" between versions, and so is \"\(other)\"",
        hint: "Give only one of them this name or renaming identifier."
      )
    case .identifierOfSibling(let name):
      Words(
        "\(part) has the renaming identifier \"\(name)\", which is the name of another",
        detail:
          "Where an older version has \"\(name)\" alone, its values go to the one with the identifier, and "
          + "the one of that name is new."
      )

    case .unrecognizedSuperentity(let name, let suggestion):
      Words("parent \"\(name)\" of \(part) does not exist", suggestion: suggestion)
    case .cyclicSuperentities(let names):
      Words("\(part) inherits from itself", detail: "The parents are \(path(names)).")
    case .tableNameBelowRoot(let root):
      Words("\(part) cannot have a table of its own", storedIn: root)
    case .keyBelowRoot(let root):
      Words("\(part) cannot have a key of its own", storedIn: root)
    case .tableSettingBelowRoot(let setting, let root):
      Words("\(part) cannot have \(setting.words) of its own", storedIn: root)
    case .tableSettingWithoutTable(let setting):
      Words(
        "\(part) has \(setting.words), but no table",
        detail: "It is abstract, and no entity that is not inherits from it."
      )
    case .partitioning(let fault): fault.words(about: part)
    case .distribution(let fault): fault.words(about: part)
    case .emptyStorageName(let kind): Words("name of the \(kind.words) of \(part) is empty")
    case .longStorageName(let kind, let name):
      Words(
        "name \"\(name)\" of the \(kind.words) of \(part) is too long",
        detail: "It has \(name.utf8.count) bytes; PostgreSQL's limit is 63."
      )

    case .undefinedType:
      Words("\(part) has no type", hint: "Give it a type, or mark it as transient.")
    case .unrecognizedComposite(let name, let suggestion):
      Words(
        "composite \"\(name)\", the type of \(part), does not exist",
        suggestion: suggestion
      )
    case .cyclicComposites(let names):
      Words("\(part) contains itself", detail: "The composites are \(path(names)).")
    case .oversizedComposite:
      Words(
        "\(part) is too large",
        detail: "A composite has at most 1600 elements in all, nested at most 16 deep."
      )
    case .emptyComposite: Words("\(part) has no elements")
    case .defaultValueOfOtherType(let value, let type):
      Words("default value \(value) of \(part) is not of type \(type)")
    case .boundIsNoNumber(let text): Words("bound \"\(text)\" of \(part) is not a number")
    case .reversedBounds(let minimum, let maximum):
      Words("minimum \(minimum) of \(part) is greater than its maximum \(maximum)")

    case .unusableKeyType(let type):
      Words(
        "key of \(part) cannot be of type \(type)",
        hint: "Name a type that has one column and can be compared, as integer32 or string."
      )
    case .numberedByOtherType(let type):
      Words(
        "values of \(part) come from a sequence, but are of type \(type)",
        hint: "A sequence gives integer16, integer32 and integer64."
      )
    case .numberedAndOptional:
      Words(
        "\(part) is an identity column and optional",
        detail: "An identity column has a value in every row.",
        hint: "Take the question mark away, or let it be numbered: serial."
      )
    case .excludingSettings(let one, let other):
      Words("\(part) has both \(one) and \(other)", hint: "Only one of them can hold.")
    case .emptyExpression(let key): Words("\(key) of \(part) is empty")
    case .nulInExpression(let key): Words("\(key) of \(part) has a NUL character")
    case .strayCharacter(let key, let character):
      Words(
        "\(key) of \(part) has \(character.nameInText) outside of strings and quoted names",
        detail: "SQL has none there, and in a script psql would take a backslash for a command."
      )
    case .unterminatedExpression(let key):
      Words("\(key) of \(part) has a string, a quoted name or a comment without an end")
    case .settingBelowRoot(let key):
      Words(
        "\(part) cannot have \(key)",
        detail: "Its column is null in the rows of other entities of the hierarchy.",
        hint: "Move the attribute to the root of the hierarchy."
      )
    case .settingOfComposite(let key):
      Words("\(part) cannot have \(key)", hint: "Attributes outside composites can.")
    case .settingOfTransient(let key):
      Words("\(part) cannot have \(key)", detail: "It is transient, so it has no column.")
    case .duplicateCheck(let name): Words("\(part) has two checks called \"\(name)\"")
    case .emptyObjectName(let name):
      Words(
        name.isEmpty
          ? "\(part) gives a name to something without a name"
          : "name that \(part) gives to \"\(name)\" is empty"
      )
    case .longObjectName(let name):
      Words(
        "name \"\(name)\" that \(part) gives is too long",
        detail: "It has \(name.utf8.count) bytes; PostgreSQL's limit is 63."
      )
    case .sharedObjectName(let name):
      Words("\(part) gives the name \"\(name)\" to two things")
    case .referenceElsewhere(let inverse):
      Words(
        "\(part) has a reference, but no foreign key",
        hint: inverse.map { "Write the reference at its inverse, \"\($0)\"." }
      )

    case .unrecognizedDestination(let name, let suggestion):
      Words("destination \"\(name)\" of \(part) does not exist", suggestion: suggestion)
    case .unrecognizedInverse(let name, let destination, let suggestion):
      Words(
        "inverse \"\(name)\" of \(part) is no relationship of entity \"\(destination)\"",
        suggestion: suggestion
      )
    case .inverseOfOther(let inverse, let entity, let other):
      Words(
        "inverse \"\(inverse)\" of \(part) does not point back",
        detail: "The inverse of relationship \"\(inverse)\" of entity \"\(entity)\" is "
          + (other.map { "\"\($0)\"." } ?? "not given.")
      )
    case .inverseToOtherEntity(let inverse, let entity, let destination):
      Words(
        "inverse \"\(inverse)\" of \(part) leads to another entity",
        detail: "The destination of relationship \"\(inverse)\" of entity \"\(entity)\" is "
          + "\"\(destination)\"."
      )
    case .orderedToOne:
      Words("\(part) is ordered but not to-many")
    case .maximumOfToOne(let count):
      Words("\(part) has a maximum of \(count) but is not to-many")
    case .negativeCount(let count): Words("\(part) has a negative count, \(count)")
    case .reversedCounts(let minimum, let maximum):
      Words("minimum \(minimum) of \(part) is greater than its maximum \(maximum)")

    case .emptyList: Words("\(part) lists nothing")
    case .repeatedProperty(let name): Words("\(part) lists property \"\(name)\" twice")
    case .unrecognizedProperty(let name, let entity, let suggestion):
      Words(
        "\(part) lists \"\(name)\", which is no property of entity \"\(entity)\"",
        suggestion: suggestion
      )
    case .propertyWithoutColumn(let name):
      Words(
        "\(part) lists \"\(name)\", which has no column",
        detail: "Attributes and to-one relationships that are not transient have columns."
      )
    case .incomparableBesideRange(let name, let type, let range):
      Words(
        "\(part) lists range \"\(range)\" together with \"\(name)\", whose type \(type) cannot be compared there",
        detail: "A GiST index keeps ranges from overlapping, and has no = for this type.",
        hint:
          "Take \"\(name)\" out of the list, or list an attribute in its place that has a text or a "
          + "number made of it, with generatedSQL."
      )
    case .unrecognizedEntity(let name, let suggestion):
      Words("\(part) names entity \"\(name)\", which does not exist", suggestion: suggestion)
    }
  }

  private func path(_ names: [String]) -> String {
    names.map { "\"\($0)\"" }.joined(separator: ", ")
  }
}

extension ModelComplaint.TableSetting {
  fileprivate var words: String {
    switch self {
    case .storageParameters: "storage parameters"
    case .partitions: "partitions"
    case .distribution: "a distribution"
    }
  }
}

extension ModelComplaint.StorageName {
  fileprivate var words: String {
    switch self {
    case .table: "table"
    case .column: "column"
    case .joinTable: "join table"
    }
  }
}
