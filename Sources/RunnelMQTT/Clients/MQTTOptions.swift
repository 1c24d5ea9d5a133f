import RunnelNet
import RunnelStreams
import RunnelTLS

/// The settings of an ``MQTTClient``: its login, its session, its limits.
///
///     let options = MQTTOptions {
///       $0.clientID = "cellar"
///       $0.will = MQTTWill(MQTTMessage("cellar/state", text: "gone", isRetained: true))
///     }
///     let client = try MQTTClient("mqtt://localhost", options: options, on: loop)
///     client.state.observeNext { show($0) }
public struct MQTTOptions {
  /// The name of the client at the broker, by which it finds its session again. Two connections with one
  /// name end each other. By default it is random, and the session ends when the client is closed.
  public var clientID: String?
  /// The user name for the login. The default is the user of the URL.
  public var user: String?
  /// The password for the login. The default is the password of the URL.
  public var password: String?
  /// The message that the broker publishes if the client vanishes.
  public var will: MQTTWill?
  /// The pairs of texts that the broker receives with the login. They need MQTT 5: a broker without it gives
  /// the state the reason ``MQTTError/unsupported(_:)``.
  public var userProperties: [MQTTMessage.UserProperty] = []
  /// The version of the protocol. By default it is MQTT 5, and MQTT 3.1.1 at a broker that refuses
  /// MQTT 5. Each new connection tries MQTT 5 first.
  public var version: MQTTVersion?

  /// The time after which a connection without traffic is checked, in whole seconds. The broker may
  /// choose another. The default is 60 s; zero checks nothing. A broker that is silent is given up
  /// within one and a half times this time.
  public var keepAlive = Duration.seconds(60)
  /// The time for which the broker keeps the session after a connection ends, in whole seconds. The
  /// default is 5 minutes. With zero, messages that arrive while the client is offline are lost.
  public var sessionExpiry = Duration.seconds(300)
  /// True if the first connection ends a session that the broker has from an earlier run. With MQTT
  /// 3.1.1, the broker also ends the session of this first connection when it is lost.
  public var startsClean = false

  /// The largest number of bytes of a packet from the broker. The default is 1 MiB. A broker of MQTT 3.1.1 is
  /// not told, and may send a larger packet on each connection: raise the limit then.
  public var packetSize = 1 << 20
  /// The number of unconfirmed messages from the broker beyond which it has to wait, because their consumers
  /// are behind. The default is 64. A broker of MQTT 3.1.1 is not told, and some others send more: for
  /// them, ``queueBytes`` is the limit.
  public var receiveMaximum: UInt16 = 64
  /// The largest number of messages to the broker that it has not confirmed. The default is 64. The
  /// broker may allow fewer.
  public var inFlight = 64
  /// The memory for messages that wait for the broker, and for messages with ``MQTTQoS/atMostOnce`` from
  /// the broker whose consumers are behind. The default is 16 MiB for each. Further messages are refused or
  /// dropped. If messages with another QoS exceed it and ``receiveMaximum``, the connection is ended, and the
  /// broker sends them again.
  public var queueBytes = 16 << 20

  /// The delays between attempts to connect. By default they grow from 1 s to 60 s. After a refusal that
  /// only a person can end, such as a wrong password, the longest delay is used at once.
  public var backoff = Backoff()
  /// The time in which the broker must accept a connection. The default is 30 s.
  public var connectTimeout = Duration.seconds(30)
  /// The options of the socket.
  public var connection = ConnectionOptions()
  /// The settings of TLS for `mqtts` and `wss`. By default, the broker's certificate must be signed by
  /// a root of the system.
  public var tls: TLSClientContext?
  /// The headers of the request that opens a WebSocket.
  public var headers = HTTPHeaders()

  /// Creates the default options.
  public init() {}

  /// Creates options that a closure changes.
  public init(_ change: (inout MQTTOptions) -> Void) {
    change(&self)
  }

  /// The number of topics for which the broker may set numbers.
  static let topicAliases: UInt16 = 32

  /// True if MQTT 3.1.1 would drop a part of the login.
  var needsVersion5: Bool {
    if !userProperties.isEmpty { return true }
    guard let will else { return false }
    return will.delay > .zero || will.message.needsVersion5
  }

  /// Throws if an option cannot be sent.
  func check() throws(MQTTError) {
    try MQTTMessage.check(texts: userProperties.flatMap { [$0.name, $0.value] })
    try MQTTMessage.check(texts: [clientID, user, password].compactMap { $0 })
    if clientID == "" {
      throw .invalidOption("clientID is empty. Without a name of your own, set it to nil.")
    }
    if version == .v311 && needsVersion5 {
      throw .invalidOption(
        "MQTT 3.1.1 has no userProperties, no delay of a last will and no properties of its message."
      )
    }
    guard packetSize >= 16, packetSize <= Packet.largestLength + 5 else {
      throw .invalidOption("packetSize is not between 16 and 268,435,460 bytes.")
    }
    guard receiveMaximum > 0, inFlight > 0, queueBytes > 0 else {
      throw .invalidOption("receiveMaximum, inFlight and queueBytes must be positive.")
    }
    guard keepAlive >= .zero, keepAlive <= .seconds(65_535) else {
      throw .invalidOption("keepAlive is not between 0 and 65,535 seconds.")
    }
    guard sessionExpiry >= .zero, sessionExpiry <= .seconds(UInt32.max) else {
      throw .invalidOption("sessionExpiry is not between 0 and 4,294,967,295 seconds.")
    }
    if let will {
      try will.message.check()
      guard will.message.payload.count <= TopicRules.longestText else {
        throw .invalidOption("The payload of the last will has more than 65,535 bytes.")
      }
      guard will.delay >= .zero, will.delay <= .seconds(UInt32.max) else {
        throw .invalidOption(
          "The delay of the last will is not between 0 and 4,294,967,295 seconds.")
      }
    }
  }
}

/// A message that the broker publishes if a client vanishes without closing its connection.
public struct MQTTWill: Hashable, Sendable {
  /// The message.
  public var message: MQTTMessage
  /// The time in which the client can connect again without the message being published. The default
  /// is zero. Needs MQTT 5, as the properties of the message do: see ``MQTTOptions/userProperties``.
  public var delay: Duration

  /// Creates a last will.
  public init(_ message: MQTTMessage, delay: Duration = .zero) {
    self.message = message
    self.delay = delay
  }
}

extension Duration {
  /// The whole seconds, rounded up.
  var wholeSeconds: Int64 { components.seconds + (components.attoseconds > 0 ? 1 : 0) }
}
