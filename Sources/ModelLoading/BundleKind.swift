/// The kind of model at a path, by its extension.
enum BundleKind: String {
  case xcdatamodeld, xcdatamodel, remodel, yaml, yml

  init?(path: String) {
    self.init(rawValue: FilePath.split(FilePath.name(of: path)).suffix)
  }

  var form: ModelForm {
    switch self {
    case .xcdatamodeld, .xcdatamodel: .xcode
    case .remodel, .yaml, .yml: .yaml
    }
  }

  var isBundle: Bool {
    switch self {
    case .xcdatamodeld, .remodel: true
    case .xcdatamodel, .yaml, .yml: false
    }
  }

  /// Returns the path of a version's file.
  func path(of version: String, in path: String) -> String {
    switch self {
    case .xcdatamodeld: FilePath.join(path, "\(version).xcdatamodel/contents")
    case .xcdatamodel: FilePath.join(path, "contents")
    case .remodel: FilePath.join(path, "\(version).yaml")
    case .yaml, .yml: path
    }
  }

  /// The kind of a bundle in a form.
  init(bundleIn form: ModelForm) {
    self =
      switch form {
      case .xcode: .xcdatamodeld
      case .yaml: .remodel
      }
  }
}

extension ModelForm {
  /// Returns the file with the order of the versions and the current one.
  func order(
    of versions: [String],
    current: String,
    in path: String
  ) throws(ModelConversionError) -> [ModelConversion.File] {
    let isNatural = versions.sorted(by: naturallyPrecedes) == versions
    switch self {
    case .xcode:
      guard isNatural else { throw ModelConversionError(.unnaturalOrder(versions: versions)) }
      let text = XcodeBundle.propertyList(current: current)
      return [ModelConversion.File(path: FilePath.join(path, ".xccurrentversion"), text: text)]
    case .yaml:
      let orderPath = YAMLBundle.orderPath(in: path)
      // An existing order file would otherwise describe the old versions.
      guard !isNatural || versions.last != current || ModelFile.kind(of: orderPath) != nil else {
        return []
      }
      let text = try YAMLBundle.order(of: versions, current: current)
      return [ModelConversion.File(path: orderPath, text: text)]
    }
  }
}
