import RunnelStreams

/// The user and the password of basic authentication.
public struct BasicCredentials: Hashable, Sendable {
  /// The name of the user, which has no colon.
  public let user: String
  /// The password.
  public let password: String

  /// Creates credentials. Traps if the name of the user has a colon, because the server would
  /// understand another name. See ``init(validating:password:)`` for names from outside.
  public init(user: String, password: String) {
    require(
      !user.utf8.contains(UInt8(ascii: ":")),
      """
      The name of a user of basic authentication has no colon. If it comes from outside, use \
      BasicCredentials(validating:password:), which returns nil.
      """)
    self.user = user
    self.password = password
  }

  /// Creates credentials from outside, such as from a form. Returns nil if the name of the user has a
  /// colon, or if one of both has a control character.
  public init?(validating user: String, password: String) {
    guard !user.utf8.contains(UInt8(ascii: ":")),
      (user + password).utf8.allSatisfy({ $0 >= 32 && $0 != 127 })
    else { return nil }
    self.user = user
    self.password = password
  }

  /// Parses the credentials that follow the scheme. Control characters are refused.
  init?(encoded text: Substring) {
    guard let bytes = Base64.decode(text), let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
      bytes.allSatisfy({ $0 >= 32 && $0 != 127 }),
      let user = String(validating: bytes[..<colon], as: UTF8.self),
      let password = String(validating: bytes[(colon + 1)...], as: UTF8.self)
    else { return nil }
    self.user = user
    self.password = password
  }

  /// The value of the header field `Authorization`.
  public var fieldValue: String { "Basic " + Base64.encode(Array("\(user):\(password)".utf8)) }
}

extension BasicCredentials: CustomStringConvertible {
  /// The name of the user, without the password.
  public var description: String { user }
}

extension HTTPRequest {
  /// The user and the password that the client has sent; nil if there are none, or if they are
  /// invalid. They are not checked: see ``HTTPRoutes/requireBasic(realm:_:)``.
  public var basicCredentials: BasicCredentials? {
    credentials(of: "basic").flatMap { BasicCredentials(encoded: $0) }
  }

  /// The token of bearer authentication that the client has sent; nil if there is none, or if it is
  /// invalid. It is not checked: see ``HTTPRoutes/requireBearer(realm:_:)``.
  public var bearerToken: String? {
    guard let text = credentials(of: "bearer"), !text.isEmpty else { return nil }
    var rest = text.utf8.drop { $0.isBearerCharacter }
    guard rest.startIndex > text.startIndex else { return nil }
    rest = rest.drop { $0 == UInt8(ascii: "=") }
    return rest.isEmpty ? String(text) : nil
  }

  /// True if the client has sent credentials, valid or not.
  var hasAuthorization: Bool { headers.contains("Authorization") }

  /// Returns the text after a scheme. Several fields are refused.
  private func credentials(of scheme: String) -> Substring? {
    let fields = headers.values(of: "Authorization")
    guard fields.count == 1, let space = fields[0].firstIndex(of: " "),
      fields[0][..<space].lowercased() == scheme
    else { return nil }
    return fields[0][space...].drop { $0 == " " }
  }
}

extension UInt8 {
  /// True for the characters of a token before its padding, by RFC 6750.
  fileprivate var isBearerCharacter: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "+"), UInt8(ascii: "/"):
      true
    default: false
    }
  }
}

/// Returns true if two texts are equal, in a time that does not tell where they differ.
///
///     server.requireBearer(realm: "notes") { constantTimeEquals($0, secret) }
///
/// *Complexity*: O(*n*) in the length of the first text, which is the one of the client.
public func constantTimeEquals(_ given: String, _ secret: String) -> Bool {
  constantTimeEquals(Array(given.utf8), Array(secret.utf8))
}

/// Returns true if two arrays of bytes are equal, in a time that does not tell where they differ.
///
/// *Complexity*: O(*n*) in the length of the first array, which is the one of the client.
@inline(never)
public func constantTimeEquals(_ given: [UInt8], _ secret: [UInt8]) -> Bool {
  var difference = given.count ^ secret.count
  var place = 0
  for byte in given {
    // An array of another length is compared as well, with the secret repeated.
    let other = secret.isEmpty ? 0 : secret[place]
    difference |= Int(byte ^ other)
    place += 1
    if place >= secret.count { place = 0 }
  }
  return difference == 0
}
