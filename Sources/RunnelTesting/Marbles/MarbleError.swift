/// The default failure of an `X` in a marble string.
public struct MarbleFailure: Error, Hashable, CustomStringConvertible {
  /// Creates the failure.
  public init() {}

  /// A description that names the marble string.
  public var description: String { "A marble string failed this stream." }
}

/// A mistake in a marble string, with its position.
public struct MarbleError: Error, Hashable {
  /// The kind of a mistake.
  public enum Mistake: Hashable, Sendable {
    /// A `(` without `)`.
    case unclosedGroup
    /// A `)` without `(`.
    case unopenedGroup
    /// A `(` within parentheses.
    case nestedGroup
    /// Empty parentheses.
    case emptyGroup
    /// A `-` within parentheses.
    case timeInGroup
    /// A `<` without `>`.
    case unclosedName
    /// A `>` without `<`.
    case unopenedName
    /// A character other than `-` after `|`, `X` or `#`.
    case markAfterEnd
    /// A second `^`.
    case secondObservation
    /// A `^` in the string of a cold stream.
    case observationOfCold
    /// A name without a value.
    case unknownName(String)
    /// An `X` for a stream without a failure.
    case noFailure
  }

  /// The kind of the mistake.
  public let mistake: Mistake
  /// The position of the character, from 1, including white space.
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
  /// The mistake, its position, and how to fix it.
  public var description: String {
    "The marble string \"\(string)\" is wrong at position \(position): \(advice)"
  }

  private var advice: String {
    switch mistake {
    case .unclosedGroup: "the '(' here is never closed. Put a ')' after the group."
    case .unopenedGroup: "the ')' here has no '('. Put a '(' before the group."
    case .nestedGroup: "a '(' is within a group. Write all events of one frame in one group."
    case .emptyGroup: "the group is empty. Write '-' for a frame without events."
    case .timeInGroup: "a '-' is within a group, which is one frame. Put it after the ')'."
    case .unclosedName: "the '<' here is never closed. Put a '>' after the name."
    case .unopenedName: "the '>' here has no '<'. Put a '<' before the name."
    case .markAfterEnd: "a stream ends once. Only '-' may follow '|', 'X' or '#'."
    case .secondObservation: "there is a second '^'. Keep one, where the observation starts."
    case .observationOfCold: "a cold stream starts when it is observed. Use '^' for hot streams."
    case .unknownName(let name): "there is no value for '\(name)'. Add it to `values`."
    case .noFailure: "the stream has no failure. Pass `failure`, or remove this mark."
    }
  }
}
