import Diagnostics

/// An `.xcdatamodeld` folder: a folder for each version, and a property list that names the current.
enum XcodeBundle {
  static func list(_ path: String) throws(ModelLoadingError) -> BundleListing {
    let versions = try BundleListing.versions(in: path) {
      // Some archives leave a file "._NAME" beside each folder.
      FilePath.split($0).suffix == "xcdatamodel" && !$0.hasPrefix(".")
    }
    guard let last = versions.last else {
      throw ModelLoadingError(
        Diagnostic(
          "model \"\(path)\" has no versions",
          detail: "A version is a folder whose name ends in .xcdatamodel."
        )
      )
    }
    guard let named = try currentVersionName(in: FilePath.join(path, ".xccurrentversion")) else {
      guard versions.count > 1 else { return BundleListing(single: last) }
      let message = "model \"\(path)\" does not say which version is the current one"
      return BundleListing(
        versions: versions,
        currentVersion: last,
        warnings: [warning(message, taking: last, at: nil)]
      )
    }
    if let current = versions.first(where: { $0.name == FilePath.split(named.name).stem }) {
      return BundleListing(versions: versions, currentVersion: current)
    }
    let message = "current version \"\(named.name)\" does not exist"
    return BundleListing(
      versions: versions,
      currentVersion: last,
      warnings: [warning(message, taking: last, at: named.location)]
    )
  }

  /// Returns the property list that names the current version.
  static func propertyList(current: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
    "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    <dict>
    \t<key>_XCCurrentVersionName</key>
    \t<string>\(XMLWriter.escaped(current)).xcdatamodel</string>
    </dict>
    </plist>

    """
  }

  private static func warning(
    _ message: String,
    taking version: ModelVersion,
    at location: SourceLocation?
  ) -> Diagnostic {
    Diagnostic(
      .warning,
      message,
      detail: "Version \"\(version.name)\" is taken, the last one in natural order.",
      hint: "Set the current version in Xcode.",
      location: location
    )
  }

  /// Returns the current version's name in a property list, which can be absent or empty.
  private static func currentVersionName(
    in path: String
  ) throws(ModelLoadingError) -> (name: String, location: SourceLocation)? {
    guard ModelFile.kind(of: path) != nil else { return nil }
    let bytes = try ModelLoader.bytes(of: path)
    if bytes.starts(with: Array("bplist".utf8)) { return try currentVersionName(in: bytes, path) }
    let source = try SourceText(path: path, validating: bytes)
    let root = try XMLTree.parse(source, allowsDocumentType: true)
    let entries = root.children.first { $0.name == "dict" }?.children ?? []
    for (key, value) in zip(entries, entries.dropFirst())
    where key.name == "key" && key.text == "_XCCurrentVersionName" && value.name == "string" {
      return (value.text, source.location(of: value.offset))
    }
    return nil
  }

  /// Returns the current version's name in a property list in binary form.
  private static func currentVersionName(
    in bytes: [UInt8],
    _ path: String
  ) throws(ModelLoadingError) -> (name: String, location: SourceLocation)? {
    let list: BinaryPropertyList
    do {
      list = try BinaryPropertyList(bytes)
    } catch {
      throw ModelLoadingError(
        Diagnostic("malformed binary property list", location: SourceLocation(path: path))
      )
    }
    guard case .dictionary(let keys, let values) = list.objects[list.top] else { return nil }
    for (key, value) in zip(keys, values)
    where list.objects[key] == .string("_XCCurrentVersionName") {
      guard case .string(let name) = list.objects[value] else { continue }
      return (name, SourceLocation(path: path))
    }
    return nil
  }
}
