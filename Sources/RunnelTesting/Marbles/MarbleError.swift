/// The failure that an `X` stands for where the test names no other.
public struct MarbleFailure: Error, Hashable, CustomStringConvertible {
  /// The failure.
  public init() {}

  /// Says where it comes from.
  public var description: String { "A marble string failed this stream." }
}

/// What is wrong with a marble string, and where.
public struct MarbleError: Error, Hashable {
  /// A kind of mistake.
  public enum Mistake: Hashable, Sendable {
    /// A `(` without its `)`.
    case unclosedGroup
    /// A `)` without its `(`.
    case unopenedGroup
    /// A `(` within parentheses.
    case nestedGroup
    /// Parentheses with nothing in them.
    case emptyGroup
    /// A `-` within parentheses.
    case timeInGroup
    /// A `<` without its `>`.
    case unclosedName
    /// A `>` without its `<`.
    case unopenedName
    /// Something other than `-` after `|`, `X` or `#`.
    case markAfterEnd
    /// A second `^`.
    case secondObservation
    /// A `^` in the string of a cold stream.
    case observationOfCold
    /// A name for which no value was given.
    case unknownName(String)
    /// An `X` for a stream that was given no failure.
    case noFailure
  }

  /// What is wrong.
  public let mistake: Mistake
  /// Where it is: the number of the character, counted from 1, white space included.
  public let position: Int
  /// The whole string.
  public let string: String

  init(_ mistake: Mistake, at position: Int, in string: String) {
    self.mistake = mistake
    self.position = position
    self.string = string
  }
}

extension MarbleError: CustomStringConvertible {
  /// The mistake, where it is, and what to do about it.
  public var description: String {
    "The marble string \"\(string)\" is wrong at position \(position): \(advice)"
  }

  private var advice: String {
    switch mistake {
    case .unclosedGroup: "the '(' here is never closed. Put a ')' after the group."
    case .unopenedGroup: "the ')' here closes nothing. Put a '(' before the group."
    case .nestedGroup: "a '(' within a group. All events of one moment stand in one group."
    case .emptyGroup: "a group with nothing in it. Write '-' for a moment without events."
    case .timeInGroup: "a '-' within a group, where no time passes. Put it after the ')'."
    case .unclosedName: "the '<' here is never closed. Put a '>' after the name."
    case .unopenedName: "the '>' here closes nothing. Put a '<' before the name."
    case .markAfterEnd: "nothing but '-' may follow '|', 'X' or '#': a stream ends once."
    case .secondObservation: "a second '^'. A stream is observed at one moment."
    case .observationOfCold: "a '^' is for hot streams: a cold one begins when it is observed."
    case .unknownName(let name): "no value is given for '\(name)'. Add it to values:."
    case .noFailure: "the stream cannot fail. Give it a failure:, or leave this out."
    }
  }
}
