import ObjectModel

extension ModelConversion {
  /// Creates the files of a first model: a bundle with a commented version to be edited, and the
  /// schema by which editors check it.
  ///
  /// - Parameters:
  ///   - place: The place for the model.
  ///   - name: The name that it is to have.
  /// - Throws: ``ModelConversionError`` if there is something already, or the name is unusable.
  package init(
    firstAt place: ModelPlace,
    named name: String? = nil
  ) throws(ModelConversionError) {
    guard !place.isTaken else { throw ModelConversionError(.modelExists(path: place.path)) }
    if let name, name != place.modelName {
      throw ModelConversionError(.otherModelName(path: place.path, name))
    }
    guard ModelPlace.isUsable(place.modelName) else {
      throw ModelConversionError(.unusableModelName(place.modelName))
    }
    form = .yaml
    path = place.path
    versions = ["1"]
    currentVersion = "1"
    files = [
      File(path: FilePath.join(place.path, "1.yaml"), text: FirstVersion.text),
      File(path: FilePath.join(place.path, FirstVersion.schemaName), text: FileSchema.model.text),
    ]
  }
}

extension ModelPlace {
  /// Returns whether a folder and a store can have a name.
  static func isUsable(_ name: String) -> Bool {
    !name.isEmpty && !".-".utf8.contains(name.utf8[name.utf8.startIndex]) && name.utf8.count <= 100
      && name.unicodeScalars.allSatisfy {
        $0 != "/" && $0.properties.generalCategory != .control
      }
  }

  /// The name of a model without a name: that of the working directory, in words of letters and
  /// digits.
  package static var usualName: String {
    let words = FilePath.name(of: ModelFile.workingDirectory).split { !$0.isLetter && !$0.isNumber }
    let name = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    return name.first?.isLetter == true && isUsable(name) ? name : "App"
  }
}

/// The version that a new model begins with.
private enum FirstVersion {
  static let schemaName = "model.schema.json"

  static let text = """
    # yaml-language-server: $schema=\(schemaName)
    #
    # Version 1 of the model. Edit it until the first database with rows of yours is at it.
    # After that, a change is a new version: "remodel model new" copies this file.
    remodel: 1
    entities:
      # An entity becomes a table: "customer", with a key "_id".
      Customer:
        attributes:
          name: string
          # A question mark: the value can be missing.
          phone: string?
          email: string
          # More than a type is a list of keys.
          language: { type: string, default: en }
          joined: timestamp
        relationships:
          # The orders whose "customer" is this one. A customer with orders cannot be deleted.
          orders: { toMany: Order, inverse: customer, delete: deny }
        # No two customers have the same address.
        unique: [[email]]
      Order:
        attributes:
          placed: timestamp
          total: { type: "numeric(12,2)", default: 0 }
          state: { type: "enum(open, paid, sent)", default: open }
        relationships:
          # A column with a foreign key.
          customer: { to: Customer, inverse: orders }
        indexes:
          byTime: [placed]
    # Types: string, integer32, integer64, numeric(p,s), double, boolean, timestamp, date, uuid, json,
    # binary, enum(a, b), string[], and others: "remodel model schema" lists them.

    """
}
