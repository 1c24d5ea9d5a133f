/// The sources that an operator is tried on.
enum ContractScript: CaseIterable {
  /// Five elements and completion, while it is being observed.
  case synchronous
  /// Five elements and a failure, while it is being observed.
  case synchronousFailure
  /// Nothing but completion.
  case empty
  /// Nothing but a failure.
  case failing
  /// Five elements a tick apart, then completion.
  case completing
  /// Five elements a tick apart, then a failure.
  case failingLate
  /// Five elements a tick apart, and no end.
  case open
  /// Nothing at all.
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

/// How the inner streams of an operator that flattens go on after their element.
enum InnerScript: CaseIterable {
  /// Completes at once.
  case brief
  /// Fails at once.
  case failing
  /// Sends once more half a tick later, and completes.
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
