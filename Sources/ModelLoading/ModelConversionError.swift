public import Diagnostics

/// Why a model cannot be written in another form.
public struct ModelConversionError: DiagnosticError, Hashable {
  /// The obstacle.
  public let fact: Fact

  /// The obstacles to a conversion.
  public enum Fact: Hashable, Sendable {
    /// The form cannot express a part of the model.
    case noPlace(version: String, form: ModelForm, String?)
    /// The path has no extension that a model has.
    case unrecognizedForm(path: String)
    /// A single file cannot hold several versions.
    case severalVersions(path: String, count: Int)
    /// Xcode's versions have no order but that of their names.
    case unnaturalOrder(versions: [String])
    /// The necessary file `versions` cannot contain these names.
    case unlistable(versions: [String])
    /// There is something already.
    case exists(path: String)
    /// Existing files have other contents.
    case differ(paths: [String])
    /// A version has a name that no file can have.
    case unusableName(version: String)
    /// The extension of the path selects another form than the requested one.
    case otherForm(path: String, ModelForm)
    /// There are versions that the model does not have.
    case otherVersions(path: String, names: [String])
    /// The model would be written over itself.
    case sameModel(path: String)
    /// A new model has its path or its folder from another one.
    case modelExists(path: String)
    /// A model has a name that no folder can have.
    case unusableModelName(String)
    /// A path names another model than the call does.
    case otherModelName(path: String, String)
    /// A version of that name is there already.
    case versionExists(String, path: String)
    /// A version cannot be added to a single file, or to a merged model.
    case notExtensible(path: String)
    /// The current version is not the last one, so that a new one would undo what is in between.
    case laterVersion(current: String, last: String)
    /// The file system refuses.
    case couldNotWrite(path: String, reason: String)
  }

  init(_ fact: Fact) {
    self.fact = fact
  }

  /// The obstacle, for people.
  public var diagnostics: [Diagnostic] {
    switch fact {
    case .noPlace(let version, let form, let detail):
      [
        Diagnostic(
          "version \"\(version)\" has content that \(form.title) cannot store",
          detail: detail,
          hint: "Remove it from the model, or keep the model in the form that it is in."
        )
      ]
    case .unrecognizedForm(let path):
      [
        Diagnostic(
          "\"\(path)\" has no extension of a model",
          hint: "Use .xcdatamodeld or .remodel, or for one version .xcdatamodel or .yaml."
        )
      ]
    case .severalVersions(let path, let count):
      [
        Diagnostic(
          "\"\(path)\" can hold one version, and the model has \(count)",
          hint: "Use the extension .xcdatamodeld or .remodel, or name one of the versions."
        )
      ]
    case .unnaturalOrder(let versions):
      [
        Diagnostic(
          "the order of the versions is not that of their names",
          detail: "The order is \(versions.map { "\"\($0)\"" }.joined(separator: ", ")). "
            + "Xcode's form has no other order than that of the names.",
          hint: "Give the versions names that sort so, as 1, 2 and 10 do."
        )
      ]
    case .unlistable(let versions):
      [
        Diagnostic(
          "the order of the versions cannot be written down",
          detail: "The file \"versions\" cannot list "
            + "\(versions.map { "\"\($0)\"" }.joined(separator: ", ")): there a name ends at \"#\" or "
            + "at the end of its line, spaces around it do not count, and a star before it marks "
            + "the current version.",
          hint: "Rename the files of these versions."
        )
      ]
    case .exists(let path):
      [
        Diagnostic(
          "\"\(path)\" exists already",
          hint: "Use --force to write over it."
        )
      ]
    case .differ(let paths):
      [
        Diagnostic(
          "the model is not what \(paths.map { "\"\($0)\"" }.joined(separator: ", ")) "
            + "\(paths.count == 1 ? "says" : "say")",
          detail: "Nothing was written.",
          hint: "Name another path, or move \(paths.count == 1 ? "this file" : "these files") away."
        )
      ]
    case .unusableName(let version):
      [
        Diagnostic(
          "version \"\(version)\" has a name that a file cannot have",
          hint: "Rename the version: without slashes, and not with a dot at its beginning."
        )
      ]
    case .otherForm(let path, let form):
      [
        Diagnostic(
          "\"\(path)\" is not of the requested form",
          hint: "Let it end in \(form == .xcode ? ".xcdatamodeld" : ".remodel"), or name a folder."
        )
      ]
    case .otherVersions(let path, let names):
      [
        Diagnostic(
          "\"\(path)\" has versions that the model does not have",
          detail: "They are \(names.map { "\"\($0)\"" }.joined(separator: ", ")).",
          hint: "Remove them, or name another path."
        )
      ]
    case .sameModel(let path):
      [
        Diagnostic(
          "\"\(path)\" is the model that is to be converted",
          hint: "Name another path."
        )
      ]
    case .modelExists(let path):
      [
        Diagnostic(
          "there is a model at \"\(path)\" already",
          advice: """
            Add a version to it with \(CommandCall("model new")). For another model, name another \
            path with --models.
            """
        )
      ]
    case .unusableModelName(let name):
      [
        Diagnostic(
          "\"\(name)\" is not a name that a model can have",
          hint: "The name is that of a folder: write one without a slash, such as Shop."
        )
      ]
    case .otherModelName(let path, let name):
      [
        Diagnostic(
          "\"\(path)\" is not the path of a model \"\(name)\"",
          hint: "Leave the name away, or name the folder that the bundle is to be in."
        )
      ]
    case .versionExists(let name, let path):
      [
        Diagnostic(
          "\"\(path)\" has a version \"\(name)\" already",
          advice: "Name the new version: \(CommandCall("model new", "NAME"))."
        )
      ]
    case .notExtensible(let path):
      [
        Diagnostic(
          "\"\(path)\" is not a bundle that a version can be added to",
          hint: "Put the file into a folder NAME.remodel, in which each file is a version."
        )
      ]
    case .laterVersion(let current, let last):
      [
        Diagnostic(
          "version \"\(current)\" is the current one, and not the last one",
          detail: "A copy of it after version \"\(last)\" would undo what that one adds.",
          hint: "Make \"\(last)\" the current version before, or remove it."
        )
      ]
    case .couldNotWrite(let path, let reason):
      [
        Diagnostic(
          "could not write \"\(path)\": \(reason)",
          hint: "Name a path that can be written to, or see to it that this one can."
        )
      ]
    }
  }
}

extension ModelForm {
  fileprivate var title: String {
    switch self {
    case .xcode: "Xcode's form"
    case .yaml: "the YAML form"
    }
  }
}
