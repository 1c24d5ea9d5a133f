#if GTK
import CGTK
import RunnelDesk

extension KeyPress {
  /// Creates the key press of an event of GTK. Returns nil for a key that stands for nothing alone,
  /// such as Shift or a dead key.
  init?(keyval: Int, state: UInt32) {
    var modifiers: Modifiers = []
    for (mask, modifier) in Self.masks where state & mask != 0 { modifiers.insert(modifier) }
    if let key = Self.named[keyval] {
      if key == .backtab { modifiers.remove(.shift) }
      let isBack = key == .tab && modifiers.contains(.shift)
      self.init(isBack ? .backtab : key, isBack ? modifiers.subtracting(.shift) : modifiers)
      return
    }
    if (0xFFBE...0xFFE0).contains(keyval) {
      self.init(.function(keyval - 0xFFBE + 1), modifiers)
      return
    }
    let code = gdk_keyval_to_unicode(guint(keyval))
    guard code >= 0x20, code != 0x7F, let scalar = Unicode.Scalar(code) else { return nil }
    if modifiers.contains(.control) {
      let lower = Character(String(scalar).lowercased())
      self.init(.character(lower), modifiers)
    } else {
      // Shift has chosen the character already.
      self.init(.character(Character(scalar)), modifiers.subtracting(.shift))
    }
  }

  private static let masks: [(UInt32, Modifiers)] = [
    (GDK_SHIFT_MASK.rawValue, .shift), (GDK_CONTROL_MASK.rawValue, .control),
    (GDK_ALT_MASK.rawValue, .alt), (GDK_SUPER_MASK.rawValue, .super),
  ]

  /// The values of GDK for keys with a name, on the main block and the numeric keypad.
  private static let named: [Int: Key] = [
    0xFF0D: .enter, 0xFF8D: .enter, 0xFF09: .tab, 0xFF89: .tab, 0xFE20: .backtab,
    0xFF1B: .escape, 0xFF08: .backspace, 0xFFFF: .delete, 0xFF9F: .delete, 0xFF52: .up,
    0xFF97: .up, 0xFF54: .down, 0xFF99: .down, 0xFF51: .left, 0xFF96: .left, 0xFF53: .right,
    0xFF98: .right, 0xFF50: .home, 0xFF95: .home, 0xFF57: .end, 0xFF9C: .end,
    0xFF55: .pageUp, 0xFF9A: .pageUp, 0xFF56: .pageDown, 0xFF9B: .pageDown,
    0xFF63: .insert, 0xFF9E: .insert, 0xFF67: .menu,
  ]
}

extension KeyPress {
  /// The name of the key in menus of GTK, such as "<Control>s"; nil if GTK does not know it.
  var accelerator: String? {
    let keyval: guint?
    switch key {
    case .character(let character):
      keyval = character.unicodeScalars.first.map { gdk_unicode_to_keyval($0.value) }
    case .function(let number): keyval = guint(exactly: 0xFFBD + number)
    default:
      let values = Self.named.filter { $0.value == key }.keys
      // Keys of the numeric keypad are left out.
      keyval = values.first { !(0xFF80...0xFFBF).contains($0) }.map { guint($0) }
    }
    guard let keyval else { return nil }
    var state: UInt32 = 0
    for (mask, modifier) in Self.masks where modifiers.contains(modifier) { state |= mask }
    let name = gtk_accelerator_name(keyval, GdkModifierType(rawValue: state))
    return RunnelGTK.text(freeing: name)
  }
}

extension Modifiers {
  /// Creates the modifiers of an event of GTK.
  init(state: UInt32) {
    self = []
    if state & GDK_SHIFT_MASK.rawValue != 0 { insert(.shift) }
    if state & GDK_CONTROL_MASK.rawValue != 0 { insert(.control) }
    if state & GDK_ALT_MASK.rawValue != 0 { insert(.alt) }
    if state & GDK_SUPER_MASK.rawValue != 0 { insert(.super) }
  }
}
#endif
