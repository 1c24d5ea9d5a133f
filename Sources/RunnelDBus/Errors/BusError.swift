/// An error of a call, a connection or a value of D-Bus.
///
/// D-Bus identifies an error by a name such as `org.freedesktop.DBus.Error.ServiceUnknown`. The usual
/// names have a case each, and ``other(name:text:)`` holds all others. ``name`` and ``text`` return the
/// parts of every error.
public enum BusError: Error, Hashable, Sendable {
  // MARK: Errors of services and of the bus

  /// No service has the name, and none can be started for it.
  case serviceUnknown(String)
  /// A name has no owner.
  case nameHasNoOwner(String)
  /// The service has no object at the path.
  case unknownObject(String)
  /// The object has no such interface.
  case unknownInterface(String)
  /// The interface has no such method.
  case unknownMethod(String)
  /// The interface has no such property.
  case unknownProperty(String)
  /// The property cannot be written.
  case readOnlyProperty(String)
  /// The arguments have wrong types or values.
  case invalidArguments(String)
  /// The caller has no permission.
  case accessDenied(String)
  /// The service ended, or lost its connection, before it replied.
  case noReply(String)
  /// A limit of the service or of the bus was exceeded.
  case limitsExceeded(String)
  /// The service reports a failure without further detail.
  case failed(String)
  /// An error with any other name.
  case other(name: String, text: String)

  // MARK: Errors of this side

  /// No reply arrived within the time limit of the call.
  case timedOut
  /// The service is absent, and the call was not allowed to start it.
  case serviceAbsent(String)
  /// The connection cannot be made. The code is an `errno`.
  case cannotConnect(code: Int32)
  /// The connection is lost or closed.
  case disconnected
  /// The task that waited for the result was cancelled.
  case cancelled

  // MARK: Errors of values

  /// A message or a variant has other types than the expected ones. Both are signatures.
  case wrongSignature(expected: String, found: String)
  /// A name, a path or a signature violates the rules of D-Bus.
  case invalidName(String)
  /// A text contains a character with the code zero, which D-Bus cannot carry.
  case invalidText
  /// A descriptor that is to be sent is not open.
  case invalidDescriptor
  /// A received message violates the format of D-Bus, or a value was written with other types than those
  /// of its container.
  case malformed
  /// Containers are nested more deeply than D-Bus allows.
  case tooDeep
  /// A value has more parts or bytes than ``BusLimits`` allows.
  case tooLarge
}

extension BusError {
  private static let prefix = "org.freedesktop.DBus.Error."

  /// Creates an error from its parts. A known name of an error of services gives its case.
  ///
  /// A service cannot cause the errors of this side: an error with the name of one is
  /// ``other(name:text:)``.
  public init(name: String, text: String) {
    guard name.hasPrefix(Self.prefix) else {
      self = .other(name: name, text: text)
      return
    }
    switch name.dropFirst(Self.prefix.count) {
    case "ServiceUnknown": self = .serviceUnknown(text)
    case "NameHasNoOwner": self = .nameHasNoOwner(text)
    case "UnknownObject": self = .unknownObject(text)
    case "UnknownInterface": self = .unknownInterface(text)
    case "UnknownMethod": self = .unknownMethod(text)
    case "UnknownProperty": self = .unknownProperty(text)
    case "PropertyReadOnly": self = .readOnlyProperty(text)
    case "InvalidArgs": self = .invalidArguments(text)
    case "AccessDenied": self = .accessDenied(text)
    case "NoReply": self = .noReply(text)
    case "LimitsExceeded": self = .limitsExceeded(text)
    case "Failed": self = .failed(text)
    default: self = .other(name: name, text: text)
    }
  }

  /// The name of the error on the bus.
  public var name: String {
    let short =
      switch self {
      case .serviceUnknown, .serviceAbsent: "ServiceUnknown"
      case .nameHasNoOwner: "NameHasNoOwner"
      case .unknownObject: "UnknownObject"
      case .unknownInterface: "UnknownInterface"
      case .unknownMethod: "UnknownMethod"
      case .unknownProperty: "UnknownProperty"
      case .readOnlyProperty: "PropertyReadOnly"
      case .invalidArguments, .wrongSignature, .invalidName, .invalidText, .invalidDescriptor,
        .malformed:
        "InvalidArgs"
      case .accessDenied: "AccessDenied"
      case .noReply: "NoReply"
      case .limitsExceeded, .tooDeep, .tooLarge: "LimitsExceeded"
      case .failed: "Failed"
      case .timedOut: "Timeout"
      case .disconnected, .cannotConnect: "Disconnected"
      case .cancelled: "Failed"
      case .other(let name, _): name
      }
    if case .other = self { return short }
    return Self.prefix + short
  }

  /// The text of the error for a person.
  public var text: String {
    switch self {
    case .serviceUnknown(let text), .nameHasNoOwner(let text), .unknownObject(let text),
      .unknownInterface(let text), .unknownMethod(let text), .unknownProperty(let text),
      .readOnlyProperty(let text), .invalidArguments(let text), .accessDenied(let text),
      .noReply(let text), .limitsExceeded(let text), .failed(let text), .other(_, let text):
      text
    case .timedOut: "No reply arrived within the time limit."
    case .serviceAbsent(let service):
      "The service \(service) does not run, and the call was not allowed to start it."
    case .cannotConnect(let code): "The bus cannot be reached: \(errorText(code))."
    case .disconnected: "The connection is lost or closed."
    case .cancelled: "The task was cancelled."
    case .wrongSignature(let expected, let found):
      "The types are \"\(found)\" instead of \"\(expected)\"."
    case .invalidName(let name): "\"\(name)\" violates the rules of D-Bus for names."
    case .invalidText: "The text contains a character with the code zero."
    case .invalidDescriptor: "The descriptor is not open."
    case .malformed: "The message violates the format of D-Bus."
    case .tooDeep: "The value is nested more deeply than D-Bus allows."
    case .tooLarge: "The value has too many parts or bytes."
    }
  }
}

extension BusError: CustomStringConvertible {
  /// The text, with the name of an error that has no case.
  public var description: String {
    if case .other(let name, let text) = self { return "\(name): \(text)" }
    return text
  }
}
