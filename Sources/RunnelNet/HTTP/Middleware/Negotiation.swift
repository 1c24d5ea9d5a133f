extension HTTPRequest {
  /// Returns the media type that the client prefers among those that a handler can send; nil if it
  /// accepts none of them, which is usually answered with 406.
  ///
  ///     server.get("/time") { request in
  ///       switch request.preferred(among: ["text/html", "application/json"]) {
  ///       case "text/html": HTTPResponse(html: "<p>12:00</p>")
  ///       case nil: HTTPResponse(.notAcceptable)
  ///       default: HTTPResponse(text: "\"12:00\"")
  ///       }
  ///     }
  ///
  /// Among types that the client likes equally, the first one wins, also if it does not say what it
  /// accepts. Traps if a type is invalid; check a type from outside with ``MediaType/init(_:)``.
  public func preferred(among types: [String]) -> String? {
    let ranges: [Weighted<MediaType>] = weighted("Accept").compactMap { element in
      MediaType(element.value).map { Weighted(value: $0, weight: element.weight) }
    }
    if !headers.contains("Accept") { return types.first }
    return best(types) { type in
      guard let offer = MediaType(type) else {
        fatalError(
          """
          \(type.debugDescription) is no media type. Write it as "text/html". If it comes from \
          outside, check it with MediaType(_:), which returns nil.
          """)
      }
      return ranges.max { $0.value.fit(offer) < $1.value.fit(offer) }
        .flatMap { $0.value.fit(offer) > 0 ? $0.weight : nil } ?? 0
    }
  }

  /// Returns the language that the client prefers among those that a handler can send, such as `en`
  /// or `de-CH`; nil if it accepts none of them.
  ///
  /// A client that asks for `de-CH` also gets `de`. Among languages that it likes equally, the first
  /// one wins.
  public func preferredLanguage(among languages: [String]) -> String? {
    guard headers.contains("Accept-Language") else { return languages.first }
    let ranges = weighted("Accept-Language")
    return best(languages) { language in
      let offer = language.lowercased()
      let fits = ranges.map { (fit: Self.languageFit($0, offer), weight: $0.weight) }
      return fits.max { $0.fit < $1.fit }.flatMap { $0.fit > 0 ? $0.weight : nil } ?? 0
    }
  }

  /// Returns the content coding that the client prefers among those that a handler can send, such as
  /// `gzip` or `identity`; nil if it accepts none of them.
  ///
  /// A client that does not say what it accepts gets `identity` if it is among them.
  public func preferredEncoding(among encodings: [String]) -> String? {
    guard headers.contains("Accept-Encoding") else {
      return encodings.first { $0.lowercased() == "identity" } ?? encodings.first
    }
    let ranges = weighted("Accept-Encoding")
    func weight(of name: String) -> Double? {
      ranges.first { Self.canonical($0.value) == Self.canonical(name) }?.weight
    }
    return best(encodings) { encoding in
      if let weight = weight(of: encoding) ?? weight(of: "*") { return weight }
      // It is acceptable unless it is excluded, and any coding that is named is better.
      return encoding.lowercased() == "identity" ? 0.000_1 : 0
    }
  }

  private static func canonical(_ encoding: String) -> String {
    switch encoding.lowercased() {
    case "x-gzip": "gzip"
    case "x-compress": "compress"
    case let name: name
    }
  }

  /// Returns how well a language fits a range: 0 is not at all.
  private static func languageFit(_ range: Weighted<String>, _ offer: String) -> Int {
    let asked = range.value.lowercased()
    if offer == asked || offer.hasPrefix(asked + "-") { return 1_000 + asked.utf8.count }
    // The more general language is better than none.
    if range.weight > 0 && asked.hasPrefix(offer + "-") { return 2 + offer.utf8.count }
    return asked == "*" ? 1 : 0
  }

  /// Returns the first of the values with the largest weight that is not zero.
  private func best(_ values: [String], _ weight: (String) -> Double) -> String? {
    var best: (value: String, weight: Double)?
    for value in values {
      let weight = weight(value)
      if weight > best?.weight ?? 0 { best = (value, weight) }
    }
    return best?.value
  }

  /// The elements of a field with their weights. Elements with an invalid weight are ignored.
  private func weighted(_ name: String) -> [Weighted<String>] {
    headers.elements(of: name).compactMap { element in
      var parts = element.elements(separatedBy: UInt8(ascii: ";"))
      guard !parts.isEmpty else { return nil }
      var weight = 1.0
      if let place = parts.firstIndex(where: { $0.lowercased().hasPrefix("q=") }) {
        guard let value = Self.weight(parts[place].utf8.dropFirst(2)) else { return nil }
        weight = value
        // Extensions after the weight do not belong to the value.
        parts.removeSubrange(place...)
      }
      return Weighted(value: parts.joined(separator: ";"), weight: weight)
    }
  }

  /// Parses a number from 0 to 1 with up to three decimals.
  private static func weight(_ text: Substring.UTF8View) -> Double? {
    guard let first = text.first, first == UInt8(ascii: "0") || first == UInt8(ascii: "1"),
      text.count <= 5
    else { return nil }
    let decimals = text.dropFirst(2)
    guard text.count == 1 || text.dropFirst().first == UInt8(ascii: "."),
      decimals.allSatisfy({ $0.isDigit }),
      let value = Double(String(Substring(text)) + (text.count == 2 ? "0" : "")), value <= 1
    else { return nil }
    return value
  }
}

/// A value that a client accepts.
private struct Weighted<Value> {
  let value: Value
  let weight: Double
}

extension MediaType {
  /// Returns how well another type fits this one, which may have wildcards: 0 is not at all.
  fileprivate func fit(_ offer: MediaType) -> Int {
    if type == "*" && subtype == "*" { return 1 }
    guard type == offer.type else { return 0 }
    if subtype == "*" { return 2 }
    guard subtype == offer.subtype else { return 0 }
    let hasAll = parameters.allSatisfy { offer.parameters[$0.key] == $0.value }
    return hasAll ? 3 + parameters.count : 0
  }
}
