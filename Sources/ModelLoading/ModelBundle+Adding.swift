package import ObjectModel

extension ModelBundle {
  /// A Boolean value that indicates whether the bundle is a folder that versions can be added to.
  package var isExtensible: Bool {
    isOfFiles && BundleKind(path: path)?.isBundle == true
  }

  /// Returns the files by which a version is added, as the last and current one.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - name: The name of the version.
  ///   - bases: The versions that it was made from.
  ///   - comment: A line for the head of the file, if its form has comments.
  /// - Returns: The files, that of the version first.
  /// - Throws: ``ModelConversionError`` if the form cannot express the model, the name or the order.
  package func adding(
    _ model: ManagedObjectModel,
    named name: String,
    madeFrom bases: [VersionBase],
    comment: String? = nil
  ) throws(ModelConversionError) -> [ModelConversion.File] {
    guard !name.isEmpty, !name.contains("/"), !name.hasPrefix(".") else {
      throw ModelConversionError(.unusableName(version: name))
    }
    let kind = BundleKind(path: path) ?? .remodel
    var text = try kind.form.text(of: model, named: name, madeFrom: bases)
    if kind.form == .yaml, let comment {
      text = "# \(comment.split(whereSeparator: \.isNewline).joined(separator: " "))\n\(text)"
    }
    let file = ModelConversion.File(path: kind.path(of: name, in: path), text: text)
    return [file] + (try order(adding: name, kind))
  }

  private func order(
    adding name: String,
    _ kind: BundleKind
  ) throws(ModelConversionError) -> [ModelConversion.File] {
    let orderPath = YAMLBundle.orderPath(in: path)
    // The comments of an existing order stay.
    if kind == .remodel, currentVersion == versions.last,
      let bytes = try? ModelFile.read(orderPath)
    {
      var text = String(decoding: bytes, as: UTF8.self)
      if !text.isEmpty, !text.hasSuffix("\n") { text += "\n" }
      // The name has to be one that a line can hold.
      _ = try YAMLBundle.order(of: [name], current: name)
      return [ModelConversion.File(path: orderPath, text: text + name + "\n")]
    }
    return try kind.form.order(of: versions.map(\.name) + [name], current: name, in: path)
  }
}
