extension String {
  /// The text as a word of a shell, quoted where a shell would read it otherwise.
  package var quotedForShell: String {
    let isPlain =
      !isEmpty
      && unicodeScalars.allSatisfy {
        $0.properties.isAlphabetic || "0123456789._-/".unicodeScalars.contains($0)
      }
    return isPlain ? self : "'" + replacing("'", with: #"'\''"#) + "'"
  }
}
