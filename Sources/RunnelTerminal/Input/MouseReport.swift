import RunnelDesk

/// The encodings of mouse events.
enum MouseReport {
  /// Parses `Esc [ < code ; column ; row M`, which ends in `m` for a release.
  static func event(of sequence: ControlSequence) -> InputEvent? {
    guard sequence.prefix == UInt8(ascii: "<"), sequence.intermediate == nil,
      let code = sequence.number(0), let column = sequence.number(1), let row = sequence.number(2)
    else { return nil }
    switch sequence.final {
    case UInt8(ascii: "M"): return event(code, column, row, isRelease: false)
    case UInt8(ascii: "m"): return event(code, column, row, isRelease: true)
    default: return nil
    }
  }

  /// Parses the old encoding in three bytes. It does not report which button was released.
  static func event(old bytes: [UInt8]) -> InputEvent? {
    guard bytes.count == 3, bytes.allSatisfy({ $0 >= 32 }) else { return nil }
    let code = Int(bytes[0]) - 32
    let isRelease = code & 0b110_0011 == 3
    return event(
      isRelease ? code & ~3 : code, Int(bytes[1]) - 32, Int(bytes[2]) - 32, isRelease: isRelease)
  }

  private static func event(
    _ code: Int, _ column: Int, _ row: Int, isRelease: Bool
  ) -> InputEvent? {
    guard let action = action(of: code, isRelease: isRelease) else { return nil }
    var modifiers: Modifiers = []
    if code & 4 != 0 { modifiers.insert(.shift) }
    if code & 8 != 0 { modifiers.insert(.alt) }
    if code & 16 != 0 { modifiers.insert(.control) }
    let place = Point(x: max(column - 1, 0), y: max(row - 1, 0))
    return .mouse(MouseEvent(action, at: place, modifiers))
  }

  private static func action(of code: Int, isRelease: Bool) -> MouseEvent.Action? {
    let number = code & 3
    // Buttons from the eighth on are "back" and "forward" of browsers.
    if code >= 128 { return nil }
    if code & 64 != 0 {
      let directions: [MouseEvent.Direction] = [.up, .down, .left, .right]
      return isRelease ? nil : .wheel(directions[number])
    }
    let buttons: [MouseEvent.Button] = [.left, .middle, .right]
    guard number < 3 else { return code & 32 != 0 ? .move : nil }
    if code & 32 != 0 { return isRelease ? nil : .drag(buttons[number]) }
    return isRelease ? .release(buttons[number]) : .press(buttons[number])
  }
}
