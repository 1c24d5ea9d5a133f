/// A JSON text that is wrong, a value in it that has another form than expected, or a value that JSON
/// cannot express.
public struct JSONError: Error, Sendable {
  /// A place in a text.
  public struct Place: Hashable, Sendable {
    /// The number of bytes before the place.
    public let offset: Int
    /// The line, from 1.
    public let line: Int
    /// The character in the line, from 1.
    public let column: Int
  }

  /// The path of the value with the problem, such as `posts[2].title`. Empty for the outermost value,
  /// and for a text that is not JSON.
  public let path: String
  /// The place in the text that was read; nil for an error of writing.
  public let place: Place?
  /// The problem, as a sentence.
  public let reason: String
  /// The error that a type threw while it was decoded or encoded. For an error of the standard library,
  /// its cause.
  public let underlying: (any Error)?

  init(
    _ reason: String, at path: String = "", _ place: Place? = nil,
    underlying: (any Error)? = nil
  ) {
    self.path = path
    self.place = place
    self.reason = reason
    self.underlying = underlying
  }
}

extension JSONError: CustomStringConvertible {
  /// A one-line description, such as `posts[2].title (line 3, column 14): A string is expected, not null.`
  public var description: String {
    let position = place.map { "line \($0.line), column \($0.column)" }
    switch (path.isEmpty, position) {
    case (true, nil): return reason
    case (true, let position?): return "\(position): \(reason)"
    case (false, nil): return "\(path): \(reason)"
    case (false, let position?): return "\(path) (\(position)): \(reason)"
    }
  }
}

extension JSONError.Place {
  /// The place after a number of bytes.
  init(offset: Int, in text: UnsafeRawBufferPointer) {
    self.offset = offset
    var (line, column) = (1, 1)
    for byte in text[..<min(offset, text.count)] {
      if byte == .lineFeed {
        (line, column) = (line + 1, 1)
      } else if byte & 0xC0 != 0x80 {
        // Each character counts at its first byte.
        column += 1
      }
    }
    (self.line, self.column) = (line, column)
  }
}

/// A step from a value to one that it contains.
struct JSONKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(stringValue: String) {
    (self.stringValue, intValue) = (stringValue, nil)
  }

  init(intValue: Int) {
    (stringValue, self.intValue) = ("\(intValue)", intValue)
  }
}

extension [any CodingKey] {
  /// The path in the form `posts[2].title`. A name that is not a word is quoted.
  package var text: String {
    reduce(into: "") { text, key in
      // The index of an element is called so by Foundation's decoder.
      if let index = key.intValue, key is JSONKey || key.stringValue == "Index \(index)" {
        text += "[\(index)]"
      } else if key.stringValue.isWord {
        text += text.isEmpty ? key.stringValue : ".\(key.stringValue)"
      } else {
        text += "[\(JSONWriter.text(of: key.stringValue.shortened))]"
      }
    }
  }
}

extension String {
  fileprivate var isWord: Bool {
    !isEmpty && utf8.count <= 64
      && unicodeScalars.allSatisfy {
        $0 == "_" || $0 == "-" || $0.properties.isAlphabetic || $0.properties.numericType != nil
      }
  }

  /// The beginning of a text that may be long.
  var shortened: String { utf8.count <= 64 ? self : String(prefix(40)) + "…" }
}
