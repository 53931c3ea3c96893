/// An element of an XML file, with the place where it starts.
struct XMLElement {
  let name: String
  let attributes: [XMLAttribute]
  var children: [XMLElement] = []
  /// The characters directly inside, white space at both ends taken off.
  var text = ""
  /// The position of its `<` in the file, in bytes.
  let offset: Int
}

/// An attribute of an element of an XML file.
struct XMLAttribute {
  let name: String
  let value: String
}
