import RunnelDesk

/// An incremental parser of the bytes that a terminal sends.
///
/// It understands UTF-8, the sequences of xterm and compatible terminals, the kitty keyboard
/// protocol, xterm's `modifyOtherKeys`, mouse reports, bracketed paste and focus reports. Unknown
/// sequences are skipped as a whole, and no input makes it trap. The events do not depend on how
/// the bytes are split.
///
/// Bytes alone cannot tell whether an Esc is the key or the beginning of a sequence.
/// ``isUndecided`` is true in this state, and ``decide()`` resolves it when no further bytes have
/// arrived.
///
/// Typed text is reported scalar by scalar: an emoji of several scalars is several key presses,
/// which combine when they are inserted.
public struct InputParser {
  /// A parsed item.
  public enum Token: Hashable, Sendable {
    /// An input event.
    case event(InputEvent)
    /// The terminal's answer to a query whether it supports a mode.
    case mode(Int, isKnown: Bool)
  }

  private enum State {
    /// Outside a sequence or character.
    case ground
    /// In a character of several bytes, some of which are missing.
    case character(UTF8Decoder, Modifiers)
    /// After an Esc.
    case escape
    /// After `Esc [` and these bytes.
    case sequence([UInt8])
    /// After `Esc [ [`, which the Linux console sends for F1 to F5.
    case consoleKey
    /// After `Esc [ M`: a mouse report of three bytes, some of which are missing.
    case oldMouse([UInt8])
    /// After `Esc O` and these digits.
    case applicationKey([UInt8])
    /// In a control string, after Esc and the byte that opened it.
    case string(opener: UInt8, isEmpty: Bool)
    /// In a control string, after an Esc that may end it.
    case stringEnd
    /// In pasted text.
    case paste
  }

  private var state = State.ground
  private var pasted: [UInt8] = []
  private var tokens: [Token] = []

  /// Longer than any known sequence.
  private static let longestSequence = 256
  private static let pasteEnd: [UInt8] = Array("\u{1B}[201~".utf8)

  /// Creates a parser in its initial state.
  public init() {}

  /// Parses more bytes and returns the completed items.
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

  /// True if the meaning of the last bytes depends on whether more bytes follow immediately.
  public var isUndecided: Bool {
    switch state {
    case .escape, .string, .stringEnd, .consoleKey, .applicationKey: true
    // Nobody types a sequence with parameters.
    case .sequence(let bytes): bytes.isEmpty
    case .ground, .character, .oldMouse, .paste: false
    }
  }

  /// True inside of text that is marked as pasted.
  var isPasting: Bool {
    if case .paste = state { true } else { false }
  }

  /// Resolves an ambiguity after no bytes have followed: the last bytes are keys of their own.
  public mutating func decide() -> [Token] {
    guard isUndecided else { return [] }
    switch state {
    case .escape: press(.escape)
    case .sequence: press(.character("["), .alt)
    case .applicationKey(let digits): if digits.isEmpty { press(.character("O"), .alt) }
    case .string(let opener, isEmpty: true):
      press(.character(Character(Unicode.Scalar(opener))), .alt)
    // Nothing may ever end them. Showing the rest is better than ignoring all further input.
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

  /// Handles the first byte of an item, possibly after an Esc.
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
    // The first Esc is complete; the second one may begin a sequence.
    case 0x1B: press(.escape)
    default: begin(byte, .alt)
    }
  }

  private mutating func inSequence(_ bytes: [UInt8], _ byte: UInt8) {
    switch byte {
    case 0x5B where bytes.isEmpty: state = .consoleKey
    case 0x4D where bytes.isEmpty: state = .oldMouse([])
    case 0x20...0x3F:
      // An overlong sequence is read to its end and then ignored.
      state = .sequence(bytes.count < Self.longestSequence ? bytes + [byte] : bytes)
    case 0x40...0x7E:
      state = .ground
      if bytes.count < Self.longestSequence { end(ControlSequence(bytes, final: byte)) }
    case 0x18, 0x1A: state = .ground
    // An invalid byte: the sequence was cut off, and another item begins.
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

  // MARK: - Completed items

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

  /// Takes bytes up to the end of the pasted text. Only a `~` can be its last byte.
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

  /// Converts pasted bytes to text. Terminals send a carriage return at the end of a line.
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
