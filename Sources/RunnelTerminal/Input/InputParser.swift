import RunnelDesk

/// Makes input events of what a terminal sends, in pieces of any size.
///
/// It understands UTF-8, the sequences of xterm and of those who imitate it, the kitty keyboard
/// protocol, xterm's `modifyOtherKeys`, mouse reports, bracketed paste and reports of focus. Sequences
/// that it does not know are swallowed whole, and no bytes make it trap. However bytes are split, the
/// events are the same.
///
/// One thing bytes do not tell: whether an Esc is the key or the beginning of more. ``isUndecided``
/// says that it waits for the answer, and ``decide()`` that nothing came.
///
/// What is typed comes scalar by scalar: an emoji of several is several key presses, which join where
/// they are inserted.
public struct InputParser {
  /// What came out.
  public enum Token: Hashable, Sendable {
    /// Something a person did.
    case event(InputEvent)
    /// The terminal has answered whether it knows a mode, and how that is set.
    case mode(Int, isKnown: Bool)
  }

  private enum State {
    /// Between two things.
    case ground
    /// In a character of several bytes, of which more are to come.
    case character(UTF8Decoder, Modifiers)
    /// After an Esc.
    case escape
    /// After `Esc [`: what came since.
    case sequence([UInt8])
    /// After `Esc [ [`, which the Linux console sends for F1 to F5.
    case consoleKey
    /// After `Esc [ M`: a mouse report in three bytes, of which some are here.
    case oldMouse([UInt8])
    /// After `Esc O`: the digits that came since.
    case applicationKey([UInt8])
    /// In a text that only a terminal sends, after Esc and the byte that opened it.
    case string(opener: UInt8, isEmpty: Bool)
    /// In such a text, after an Esc that may end it.
    case stringEnd
    /// In what is pasted.
    case paste
  }

  private var state = State.ground
  private var pasted: [UInt8] = []
  private var tokens: [Token] = []

  /// More than any sequence has that is known.
  private static let longestSequence = 256
  private static let pasteEnd: [UInt8] = Array("\u{1B}[201~".utf8)

  /// A parser that has seen nothing.
  public init() {}

  /// What some more bytes mean, together with those before.
  public mutating func parse(_ bytes: some Collection<UInt8>) -> [Token] {
    var rest = Array(bytes)[...]
    while let byte = rest.first {
      if case .paste = state {
        paste(&rest)
      } else {
        rest.removeFirst()
        consume(byte)
      }
    }
    defer { tokens = [] }
    return tokens
  }

  /// Whether what came last means one thing if more follows at once, and another if not.
  public var isUndecided: Bool {
    switch state {
    case .escape, .string, .stringEnd, .consoleKey, .applicationKey: true
    // With a number in it, nobody has typed it.
    case .sequence(let bytes): bytes.isEmpty
    case .ground, .character, .oldMouse, .paste: false
    }
  }

  /// Takes what came last for a key of its own: nothing has followed.
  public mutating func decide() -> [Token] {
    guard isUndecided else { return [] }
    switch state {
    case .escape: press(.escape)
    case .sequence: press(.character("["), .alt)
    case .applicationKey(let digits): if digits.isEmpty { press(.character("O"), .alt) }
    case .string(let opener, isEmpty: true):
      press(.character(Character(Unicode.Scalar(opener))), .alt)
    // Who would end it? Better to show the rest of it than to swallow what is typed for ever.
    case .string, .stringEnd, .consoleKey: break
    case .ground, .character, .oldMouse, .paste: return []
    }
    state = .ground
    defer { tokens = [] }
    return tokens
  }

  // MARK: - States

  private mutating func consume(_ byte: UInt8) {
    switch state {
    case .ground: begin(byte, [])
    case .character(let decoder, let modifiers): go(on: decoder, byte, modifiers)
    case .escape: afterEscape(byte)
    case .sequence(let bytes): inSequence(bytes, byte)
    case .consoleKey:
      state = .ground
      if (0x41...0x45).contains(byte) { press(.function(Int(byte) - 0x40)) }
    case .oldMouse(let bytes):
      state = .oldMouse(bytes + [byte])
      guard bytes.count == 2 else { return }
      state = .ground
      emit(MouseReport.event(old: bytes + [byte]))
    case .applicationKey(let digits): inApplicationKey(digits, byte)
    case .string(let opener, _):
      switch byte {
      case 0x1B: state = .stringEnd
      case 0x07, 0x18, 0x1A: state = .ground
      default: state = .string(opener: opener, isEmpty: false)
      }
    case .stringEnd:
      state = .ground
      if byte == 0x5C { return }
      state = .escape
      consume(byte)
    case .paste: break
    }
  }

  /// A byte that begins something, by itself or behind an Esc.
  private mutating func begin(_ byte: UInt8, _ modifiers: Modifiers) {
    state = .ground
    switch byte {
    case 0x1B: state = .escape
    case 0x80...: go(on: UTF8Decoder(), byte, modifiers)
    default:
      let (key, held) = KeyCodes.key(ofASCII: byte)
      press(key, modifiers.union(held))
    }
  }

  private mutating func go(on decoder: UTF8Decoder, _ byte: UInt8, _ modifiers: Modifiers) {
    var decoder = decoder
    state = .ground
    switch decoder.take(byte) {
    case .incomplete: state = .character(decoder, modifiers)
    case .scalar(let scalar): press(.character(Character(scalar)), modifiers)
    case .invalid: press(.character("\u{FFFD}"), modifiers)
    case .invalidBefore:
      press(.character("\u{FFFD}"), modifiers)
      begin(byte, [])
    }
  }

  private mutating func afterEscape(_ byte: UInt8) {
    switch byte {
    case 0x5B: state = .sequence([])
    case 0x4F: state = .applicationKey([])
    // OSC, DCS, APC, PM and SOS.
    case 0x5D, 0x50, 0x5F, 0x5E, 0x58: state = .string(opener: byte, isEmpty: true)
    // One is over; what it was is the question for the next one.
    case 0x1B: press(.escape)
    default: begin(byte, .alt)
    }
  }

  private mutating func inSequence(_ bytes: [UInt8], _ byte: UInt8) {
    switch byte {
    case 0x5B where bytes.isEmpty: state = .consoleKey
    case 0x4D where bytes.isEmpty: state = .oldMouse([])
    case 0x20...0x3F:
      // One that is longer goes on to its end, and means nothing.
      state = .sequence(bytes.count < Self.longestSequence ? bytes + [byte] : bytes)
    case 0x40...0x7E:
      state = .ground
      if bytes.count < Self.longestSequence { end(ControlSequence(bytes, final: byte)) }
    case 0x18, 0x1A: state = .ground
    // Nobody sends that: it was cut off, and this is something else.
    default: begin(byte, [])
    }
  }

  private mutating func inApplicationKey(_ digits: [UInt8], _ byte: UInt8) {
    switch byte {
    case 0x30...0x3B where digits.count < 8: state = .applicationKey(digits + [byte])
    case 0x20...0x7E:
      state = .ground
      guard let key = KeyCodes.key(ofApplication: byte) else { return }
      let sequence = ControlSequence(digits, final: byte)
      press(key, KeyCodes.modifiers(ofCode: sequence.last))
    default: begin(byte, [])
    }
  }

  // MARK: - What is complete

  private mutating func end(_ sequence: ControlSequence) {
    if sequence.isPasteStart {
      state = .paste
    } else if let press = KeyCodes.press(of: sequence) {
      tokens.append(.event(.key(press)))
    } else if let event = MouseReport.event(of: sequence) {
      emit(event)
    } else if let isFocused = sequence.focus {
      emit(.focus(isFocused))
    } else if let (mode, isKnown) = sequence.modeReport {
      tokens.append(.mode(mode, isKnown: isKnown))
    }
  }

  /// Takes as much as belongs to what is pasted; only its last byte can be its end.
  private mutating func paste(_ rest: inout ArraySlice<UInt8>) {
    guard let tilde = rest.firstIndex(of: 0x7E) else {
      pasted += rest
      rest = []
      return
    }
    pasted += rest[...tilde]
    rest = rest[(tilde + 1)...]
    guard pasted.suffix(Self.pasteEnd.count).elementsEqual(Self.pasteEnd) else { return }
    state = .ground
    emit(.paste(Self.text(pasted.dropLast(Self.pasteEnd.count))))
    pasted = []
  }

  /// Terminals send a carriage return for the end of a line, as the Return key does.
  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    var unix: [UInt8] = []
    unix.reserveCapacity(bytes.count)
    var before: UInt8 = 0
    for byte in bytes {
      if byte == 0x0A && before == 0x0D {
        before = byte
        continue
      }
      unix.append(byte == 0x0D ? 0x0A : byte)
      before = byte
    }
    return String(decoding: unix, as: UTF8.self)
  }

  private mutating func press(_ key: Key, _ modifiers: Modifiers = []) {
    emit(.key(KeyPress(key, modifiers)))
  }

  private mutating func emit(_ event: InputEvent?) {
    if let event { tokens.append(.event(event)) }
  }
}
