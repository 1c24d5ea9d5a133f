import RunnelNet

/// The compression of the messages of a WebSocket: `permessage-deflate`, by RFC 7692.
///
///     var options = WebSocketOptions()
///     options.compress()
///     server.webSocket("/live", options: options) { socket in socket.texts.bind(to: room) }
///
/// It is used if the peer has it too. `WebSocketOptions.messageSize` limits the decompressed bytes.
public struct WebSocketDeflate: Hashable, Sendable {
  /// The size of the window in which repetitions are found, as a number of bits from 9 to 15. The
  /// window has 2^`window` bytes. The default is 12, which is 4 KiB. A socket that compresses keeps
  /// about four times as many bytes, and one that decompresses keeps 32 KiB at most.
  public var window = 12
  /// True if a message may repeat parts of earlier ones, which makes short messages smaller. The
  /// default is true.
  public var usesContext = true
  /// The smallest number of bytes of a message that is compressed. The default is 32.
  public var smallest = 32
  /// The effort, from 1, the fastest, to 9. The default is 6.
  public var level = 6

  /// Creates the default settings.
  public init() {}
}

extension WebSocketOptions {
  /// Turns compression on.
  public mutating func compress(_ deflate: WebSocketDeflate = WebSocketDeflate()) {
    precondition(9...15 ~= deflate.window, "The window of WebSocketDeflate is from 9 to 15.")
    compression = DeflateExtension(deflate)
  }
}

/// The negotiation of `permessage-deflate`.
package struct DeflateExtension: WebSocketExtension {
  private let settings: WebSocketDeflate

  package init(_ settings: WebSocketDeflate) {
    self.settings = settings
  }

  /// The parameters of an offer or an answer.
  private struct Parameters {
    var serverForgets = false
    var clientForgets = false
    var serverWindow: Int?
    /// The number of bits; 0 without a value, which only an offer may lack.
    var clientWindow: Int?

    init?(_ value: WebSocketExtensionValue) {
      guard value.name == "permessage-deflate" else { return nil }
      for parameter in value.parameters {
        switch (parameter.name, parameter.value) {
        case ("server_no_context_takeover", nil) where !serverForgets: serverForgets = true
        case ("client_no_context_takeover", nil) where !clientForgets: clientForgets = true
        case ("server_max_window_bits", let bits?) where serverWindow == nil:
          guard let bits = Self.window(bits) else { return nil }
          serverWindow = bits
        case ("client_max_window_bits", nil) where clientWindow == nil: clientWindow = 0
        case ("client_max_window_bits", let bits?) where clientWindow == nil:
          guard let bits = Self.window(bits) else { return nil }
          clientWindow = bits
        default: return nil
        }
      }
    }

    private static func window(_ text: String) -> Int? {
      ["8", "9", "10", "11", "12", "13", "14", "15"].contains(text) ? Int(text) : nil
    }
  }

  package var offer: String {
    var offer = "permessage-deflate; client_max_window_bits"
    if !settings.usesContext {
      offer += "; server_no_context_takeover; client_no_context_takeover"
    }
    return offer
  }

  package func accept(_ offers: [WebSocketExtensionValue]) -> (
    answer: String, codec: any WebSocketCodec
  )? {
    // Every offer is checked, but the first suitable one is accepted.
    guard let parameters = offers.lazy.compactMap({ Parameters($0) }).first else { return nil }
    var answer = "permessage-deflate"
    let ownForgets = parameters.serverForgets || !settings.usesContext
    let peerForgets = parameters.clientForgets || !settings.usesContext
    if ownForgets { answer += "; server_no_context_takeover" }
    if peerForgets { answer += "; client_no_context_takeover" }
    var ownWindow = settings.window
    if let bits = parameters.serverWindow {
      // A window of 8 bits, which zlib does not have, is never used: nothing is compressed then.
      ownWindow = min(ownWindow, bits)
      answer += "; server_max_window_bits=\(ownWindow)"
    }
    var peerWindow = 15
    if let bits = parameters.clientWindow {
      peerWindow = min(settings.window, bits == 0 ? 15 : bits)
      answer += "; client_max_window_bits=\(peerWindow)"
    }
    return (
      answer,
      DeflateCodec(
        settings, window: ownWindow, forgets: ownForgets, peerWindow: peerWindow,
        peerForgets: peerForgets)
    )
  }

  package func confirm(_ answer: WebSocketExtensionValue) -> (any WebSocketCodec)? {
    guard let parameters = Parameters(answer), parameters.clientWindow != 0 else { return nil }
    // The server must do what was asked for.
    if !settings.usesContext && !parameters.serverForgets { return nil }
    return DeflateCodec(
      settings, window: min(settings.window, parameters.clientWindow ?? 15),
      forgets: parameters.clientForgets || !settings.usesContext,
      peerWindow: parameters.serverWindow ?? 15, peerForgets: parameters.serverForgets)
  }
}
