/// A source that an operator is tested with.
enum ContractScript: CaseIterable {
  /// Five elements and completion, during the start of the observation.
  case synchronous
  /// Five elements and a failure, during the start of the observation.
  case synchronousFailure
  /// Only completion.
  case empty
  /// Only a failure.
  case failing
  /// Five elements, one tick apart, then completion.
  case completing
  /// Five elements, one tick apart, then a failure.
  case failingLate
  /// Five elements, one tick apart, and no end.
  case open
  /// No event.
  case never

  var failure: Bool {
    switch self {
    case .synchronousFailure, .failing, .failingLate: true
    case .synchronous, .empty, .completing, .open, .never: false
    }
  }

  var ends: Bool {
    switch self {
    case .open, .never: false
    case .synchronous, .synchronousFailure, .empty, .failing, .completing, .failingLate: true
    }
  }
}

/// The behaviour of the inner streams of a flattening operator after their first element.
enum InnerScript: CaseIterable {
  /// Completes at once.
  case brief
  /// Fails at once.
  case failing
  /// Sends another element half a tick later, and completes.
  case completing
  /// Fails half a tick later.
  case failingLate
  /// Never ends.
  case open

  var failure: Bool {
    switch self {
    case .failing, .failingLate: true
    case .brief, .completing, .open: false
    }
  }
}
