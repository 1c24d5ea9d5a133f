import CStacks
import Glibc

/// The names of the functions in a program or library, also of those that it does not export.
final class SymbolFile {
  private let bytes: UnsafeRawBufferPointer
  private let name: Substring

  /// Reads a file that is mapped to memory, and unmaps it in the end.
  init(_ bytes: UnsafeRawBufferPointer, named name: Substring) {
    self.bytes = bytes
    self.name = name
  }

  /// Maps a file. Without one there are no names.
  private convenience init(_ path: String, named name: Substring) {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    defer { if file >= 0 { close(file) } }
    var status = stat()
    guard file >= 0, fstat(file, &status) == 0, status.st_size > 0,
      let start = mmap(nil, Int(status.st_size), PROT_READ, MAP_PRIVATE, file, 0),
      start != MAP_FAILED
    else {
      self.init(UnsafeRawBufferPointer(start: nil, count: 0), named: name)
      return
    }
    self.init(UnsafeRawBufferPointer(start: start, count: Int(status.st_size)), named: name)
  }

  deinit {
    if let start = bytes.baseAddress {
      munmap(UnsafeMutableRawPointer(mutating: start), bytes.count)
    }
  }

  /// Returns the symbol of the function that contains an address, or else its place in a file.
  static func symbol(at address: UInt, _ files: inout [String: SymbolFile]) -> String {
    var symbol = runnel_symbol()
    guard runnel_symbol_at(address, &symbol) != 0, let path = symbol.path else {
      return "0x\(String(address, radix: 16))"
    }
    let shown = String(cString: path)
    let place = address - UInt(bitPattern: symbol.base)
    if files[shown] == nil {
      let name = shown.split(separator: "/").last ?? "?"
      // The path of the program is relative to the folder in which it was started.
      let isProgram = shown == CommandLine.arguments.first
      files[shown] = SymbolFile(isProgram ? "/proc/self/exe" : shown, named: name)
    }
    guard let file = files[shown] else { return shown }
    if let name = file.function(at: place, address) { return name }
    if let name = symbol.name { return String(cString: name) }
    return "\(file.name)+0x\(String(place, radix: 16))"
  }

  // MARK: - ELF

  /// Returns the symbol of the function that contains an address; nil if the file names none.
  func function(at place: UInt, _ address: UInt) -> String? {
    guard bytes.count >= 64, read(at: 0, as: UInt32.self) == 0x464C_457F,
      let kind = read(at: 16, as: UInt16.self),
      let sections = read(at: 40, as: UInt64.self),
      let size = read(at: 58, as: UInt16.self), let count = read(at: 60, as: UInt16.self)
    else { return nil }
    // A program at a fixed address has absolute symbols.
    let sought = UInt64(kind == 2 ? address : place)
    for index in 0..<UInt64(count) {
      let section = sections &+ index &* UInt64(size)
      guard read(at: section &+ 4, as: UInt32.self) == 2 else { continue }
      return function(at: sought, section) { link in sections &+ UInt64(link) &* UInt64(size) }
    }
    return nil
  }

  /// Searches a table of symbols.
  private func function(
    at sought: UInt64, _ section: UInt64, _ sectionAt: (UInt32) -> UInt64
  ) -> String? {
    guard let start = read(at: section &+ 24, as: UInt64.self),
      let size = read(at: section &+ 32, as: UInt64.self),
      let link = read(at: section &+ 40, as: UInt32.self),
      let names = read(at: sectionAt(link) &+ 24, as: UInt64.self),
      start <= bytes.count, size <= UInt64(bytes.count) - start
    else { return nil }
    var symbol = start
    while symbol + 24 <= start + size {
      defer { symbol += 24 }
      guard let info = read(at: symbol &+ 4, as: UInt8.self), info & 15 == 2,
        let value = read(at: symbol &+ 8, as: UInt64.self), value <= sought,
        let length = read(at: symbol &+ 16, as: UInt64.self), sought - value < length,
        let name = read(at: symbol, as: UInt32.self)
      else { continue }
      return text(at: names &+ UInt64(name))
    }
    return nil
  }

  private func read<Number: BitwiseCopyable>(at offset: UInt64, as type: Number.Type) -> Number? {
    guard bytes.count >= MemoryLayout<Number>.size,
      offset <= UInt64(bytes.count - MemoryLayout<Number>.size)
    else { return nil }
    return bytes.loadUnaligned(fromByteOffset: Int(offset), as: type)
  }

  /// Returns the text that ends with a zero.
  private func text(at offset: UInt64) -> String? {
    guard offset < bytes.count else { return nil }
    let rest = bytes[Int(offset)...]
    guard let end = rest.firstIndex(of: 0) else { return nil }
    return String(decoding: rest[..<end], as: UTF8.self)
  }

  // MARK: - Names

  /// Returns the readable form of a symbol of Swift, without what the optimizer did with the function,
  /// and without the marks that tell private functions of different files apart. Other symbols are
  /// unchanged.
  static func readable(_ symbol: String) -> String {
    guard let name = swift_demangle(symbol, symbol.utf8.count, nil, nil, 0) else { return symbol }
    defer { free(name) }
    let parts = String(cString: name).split(separator: " in _", omittingEmptySubsequences: false)
    let shortened = parts.enumerated().map { index, part in
      if index == 0 { return part }
      let isMark = part.prefix { $0.isHexDigit }.count == 32
      return isMark ? part.dropFirst(32) : " in _" + part
    }
    // The name of the function comes after a description of its optimizations.
    let text = shortened.joined()
    return String(text.split(separator: "> of ").last ?? "")
  }
}
