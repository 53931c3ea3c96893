/// The version of the tool.
let remodelVersion = "0.1.0"
