extension StringProtocol {
  /// Returns the text with values for its placeholders, which are names between two pairs of braces. Others stay.
  ///
  ///     print("{{title}} of {{date}}".filling(["title": "Plan"]))  // Plan of {{date}}
  public func filling(_ values: [String: String]) -> String {
    var (result, rest) = ("", self[...])
    while let start = rest.firstRange(of: "{{") {
      let name = rest[start.upperBound...].prefix { $0 != "{" && $0 != "}" }
      let after = rest[name.endIndex...]
      if after.hasPrefix("}}"), let value = values[String(name)] {
        result += rest[..<start.lowerBound] + value
        rest = after.dropFirst(2)
      } else {
        // A third brace may be the first one of the placeholder.
        result += rest[...start.lowerBound]
        rest = rest[rest.index(after: start.lowerBound)...]
      }
    }
    return result + rest
  }
}
