/// What people write who have another language in mind, with what they mean in this one.
enum ForeignNames {
  /// Returns the function that does what one of another language does.
  static func function(_ name: String) -> String? {
    switch name.lowercased().prefix(while: { $0 != ":" }) {
    case "if", "iif", "iff", "case", "cond", "decode": "TERNARY(condition, first, second)"
    case "lower", "lcase", "lowercased", "tolower", "tolowercase": "lowercase"
    case "upper", "ucase", "uppercased", "toupper", "touppercase": "uppercase"
    case "substr", "mid", "left", "slice": "substring"
    case "len", "char_length", "character_length", "strlen": "length"
    case "btrim", "ltrim", "rtrim", "strip", "trimmed": "trim"
    case "ifnull", "isnull", "nvl", "ifnil": "coalesce"
    case "concat_ws", "join", "append", "stringbyappendingstring": "concat"
    case "split_part", "string_to_array", "explode", "componentsseparatedbystring": "split"
    case "regexp_replace", "gsub", "preg_replace", "re_replace": "regexReplace"
    case "translate", "str_replace", "replaceall", "replacing": "replace"
    case "gen_random_uuid", "uuid_generate_v4", "newid", "guid", "newuuid": "uuid"
    case "current_timestamp", "getdate", "sysdate", "localtimestamp", "today", "date": "now"
    case "ceil": "ceiling"
    case "round": "floor(x + 0.5)"
    case "avg", "mean": "average"
    case "pow", "power": "x ** y"
    case "mod", "rem": "modulus:by:"
    case "greatest", "maximum": "max"
    case "least", "minimum": "min"
    case "std", "stdev", "stddev_pop", "stddev_samp": "stddev"
    case "to_char", "str", "string", "tostring", "text", "stringify": "CAST(x, \"NSString\")"
    case "to_number", "int", "integer", "number", "float", "double", "tonumber":
      "CAST(x, \"NSNumber\")"
    case "to_date", "to_timestamp", "timestamp", "todate": "CAST(x, \"NSDate\")"
    case "to_json", "to_jsonb", "jsonb", "json_extract", "json_value", "json_extract_path_text":
      "json"
    case "position", "strpos", "instr", "indexof", "charindex": "x CONTAINS y"
    case "startswith", "starts_with", "hasprefix": "x BEGINSWITH y"
    case "ends_with", "hassuffix": "x ENDSWITH y"
    case "exists": "relationship.@count > 0"
    case "rand": "random"
    case "square", "sqr": "x ** 2"
    case "unaccent", "fold": "canonical"
    default: nil  // Names are no closed set.
    }
  }

  /// Returns what does the same as a method of Foundation's, or of another language, does.
  static func method(_ selector: String) -> String? {
    switch selector {
    case "stringByAppendingString:", "stringByAppendingFormat:": "concat(x, y)"
    case "componentsSeparatedByString:": "split(x, y)"
    case "componentsJoinedByString:": "concat(x, y)"
    case "substringFromIndex:": "substring(x, from)"
    case "substringToIndex:": "substring(x, 0, length)"
    case "substringWithRange:": "substring(x, from, length)"
    case "stringByReplacingOccurrencesOfString:withString:": "replace(x, y, z)"
    case "stringByTrimmingCharactersInSet:": "trim(x)"
    case "hasPrefix:": "x BEGINSWITH y"
    case "hasSuffix:": "x ENDSWITH y"
    case "containsString:", "containsObject:": "x CONTAINS y"
    case "isEqual:", "isEqualToString:", "isEqualToNumber:": "x == y"
    case "unsignedIntegerValue", "unsignedIntValue", "unsignedLongLongValue", "int64Value":
      "integerValue"
    case "timeIntervalSinceReferenceDate": "CAST(x, \"NSNumber\")"
    case "dateByAddingTimeInterval:":
      "CAST(CAST(x, \"NSNumber\") + y, \"NSDate\")"
    default: function(selector)
    }
  }

  /// Returns how to write what a piece of text means in other languages, where it is not expected.
  static func remedy(for found: String) -> String? {
    switch found.lowercased() {
    case "is": "Write x == NULL, or x != NULL."
    case "not": "Write NOT before the comparison: NOT x IN {1, 2}."
    case "when", "then", "else", "end", "?": "Write TERNARY(condition, first, second)."
    case "%": "Write modulus:by:(x, y)."
    case "^": "Write x ** y, or bitwiseXor:with:(x, y)."
    case "&":
      "Write AND between conditions, bitwiseAnd:with:(x, y) of numbers, concat(x, y) of texts."
    case "|": "Write OR between conditions, bitwiseOr:with:(x, y) of numbers."
    case ":", "::": "Write CAST(x, \"NSString\") for a value of another type."
    case "ilike": "Write LIKE[c], with * and ? in the pattern."
    case "~": "Write MATCHES with a regular expression for the whole text."
    case "(": "Functions stand before their values: lowercase(x)."
    case "a value":
      "Write a comparison, as x == YES; concat(x, y) joins texts."
    default: nil  // Anything can be there.
    }
  }
}
