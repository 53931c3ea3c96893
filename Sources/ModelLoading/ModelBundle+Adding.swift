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
    let kind = BundleKind(path: path) ?? .remodel
    let newPath = try self.path(ofNewVersion: name, kind)
    var text = try kind.form.text(of: model, named: name, madeFrom: bases)
    if kind.form == .yaml, let comment {
      text = "# \(comment.split(whereSeparator: \.isNewline).joined(separator: " "))\n\(text)"
    }
    let file = ModelConversion.File(path: newPath, text: text)
    return [file] + (try kind.form.order(of: versions.map(\.name), adding: name, in: path))
  }

  /// Returns the path of the file of a new version.
  ///
  /// - Throws: That no version can have the name, or that there is one, or a file in its place.
  func path(ofNewVersion name: String, _ kind: BundleKind) throws(ModelConversionError) -> String {
    // With this ending it would be a mapping model's.
    guard ModelPlace.isUsable(name), !name.hasSuffix(".mapping") else {
      throw ModelConversionError(.unusableName(version: name))
    }
    let file = kind.path(of: name, in: path)
    guard version(named: name) == nil, ModelFile.kind(of: file) == nil else {
      throw ModelConversionError(.versionExists(name, path: path))
    }
    return file
  }
}

extension ModelForm {
  /// Returns the file with the order of the versions, to which a new current one is added.
  func order(
    of versions: [String],
    adding name: String,
    in path: String
  ) throws(ModelConversionError) -> [ModelConversion.File] {
    let files = try order(of: versions + [name], current: name, in: path)
    guard self == .yaml, let file = files.first, let bytes = try? ModelFile.read(file.path) else {
      return files
    }
    // A list that is there keeps its comments.
    let text = YAMLBundle.order(adding: name, to: String(decoding: bytes, as: UTF8.self))
    guard YAMLBundle.reads(text, as: versions + [name], current: name) else { return files }
    return [ModelConversion.File(path: file.path, text: text)]
  }
}
