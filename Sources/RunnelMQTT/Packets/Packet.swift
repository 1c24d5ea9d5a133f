/// The versions of MQTT.
public enum MQTTVersion: UInt8, Hashable, Sendable {
  /// MQTT 3.1.1, without properties and reasons.
  case v311 = 4
  /// MQTT 5.
  case v5 = 5
}

/// The side that sends a packet.
enum PacketSender: Hashable {
  case client
  case broker
}

/// A control packet. The cases have the names of the standard.
enum Packet: Hashable {
  case connect(Connect)
  case connack(Connack)
  case publish(Publish)
  case puback(Acknowledgement)
  case pubrec(Acknowledgement)
  case pubrel(Acknowledgement)
  case pubcomp(Acknowledgement)
  case subscribe(Subscribe)
  case suback(FilterAnswers)
  case unsubscribe(Unsubscribe)
  case unsuback(FilterAnswers)
  case pingreq
  case pingresp
  case disconnect(ReasonBody)
  case auth(ReasonBody)

  struct Connect: Hashable {
    struct Will: Hashable {
      var publish: Publish
      var properties = Properties()
    }

    var version = MQTTVersion.v5
    var clientID = ""
    var startsClean = true
    /// In seconds; zero for none.
    var keepAlive: UInt16 = 0
    var user: String?
    var password: [UInt8]?
    var will: Will?
    var properties = Properties()
  }

  struct Connack: Hashable {
    var isSessionPresent = false
    var reason = MQTTReason.success
    var properties = Properties()
  }

  struct Publish: Hashable {
    var topic: String
    var payload: [UInt8] = []
    var qos = MQTTQoS.atMostOnce
    var isRetained = false
    var isDuplicate = false
    /// Zero for ``MQTTQoS/atMostOnce``.
    var id: UInt16 = 0
    var properties = Properties()

    static func == (one: Self, other: Self) -> Bool {
      ExactText(one.topic) == ExactText(other.topic) && one.payload == other.payload
        && one.qos == other.qos && one.isRetained == other.isRetained
        && one.isDuplicate == other.isDuplicate && one.id == other.id
        && one.properties == other.properties
    }
  }

  /// The confirmation of a message, or of another confirmation.
  struct Acknowledgement: Hashable {
    var id: UInt16
    var reason = MQTTReason.success
    var properties = Properties()
  }

  struct Subscribe: Hashable {
    struct Filter: Hashable {
      var filter: String
      var options: UInt8 = 0
    }

    var id: UInt16
    var filters: [Filter]
    var properties = Properties()
  }

  struct Unsubscribe: Hashable {
    var id: UInt16
    var filters: [String]
    var properties = Properties()
  }

  /// The answers to a subscription or to its end, one for each filter.
  struct FilterAnswers: Hashable {
    var id: UInt16
    var reasons: [MQTTReason]
    var properties = Properties()
  }

  /// The content of a DISCONNECT or an AUTH.
  struct ReasonBody: Hashable {
    var reason = MQTTReason.success
    var properties = Properties()
  }
}
