import Glibc

/// The functions of the library Enchant 2, and some of its dictionaries.
///
/// The library is loaded by its name and never unloaded, because its modules register types that must stay.
final class Enchant {
  private typealias Pointer = UnsafeMutableRawPointer
  private typealias Words = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  private typealias Text = UnsafePointer<CChar>
  private typealias Describe = @convention(c) (Text?, Text?, Text?, Text?, Pointer?) -> Void

  /// The functions of the library, each with its signature in C.
  private struct Functions {
    let makeBroker: @convention(c) () -> Pointer?
    let freeBroker: @convention(c) (Pointer) -> Void
    let listDictionaries: @convention(c) (Pointer, Describe, Pointer?) -> Void
    let openDictionary: @convention(c) (Pointer, Text) -> Pointer?
    let closeDictionary: @convention(c) (Pointer, Pointer) -> Void
    let check: @convention(c) (Pointer, Text, Int) -> CInt
    let suggest: @convention(c) (Pointer, Text, Int, UnsafeMutablePointer<Int>) -> Words?
    let freeWords: @convention(c) (Pointer, Words) -> Void
    let add: @convention(c) (Pointer, Text, Int) -> Void
    let addToSession: @convention(c) (Pointer, Text, Int) -> Void
    /// The composition of letters and accents by GLib, which Enchant is made with.
    let normalize: (@convention(c) (Text, Int, CInt) -> UnsafeMutablePointer<CChar>?)?

    init?() {
      guard let library = dlopen("libenchant-2.so.2", RTLD_NOW | RTLD_LOCAL) else { return nil }
      func symbol<Function>(_ name: String, _ type: Function.Type) -> Function? {
        // Safety: `enchant.h` of all versions of Enchant 2, and GLib 2, declare the types above.
        dlsym(library, name).map { unsafeBitCast($0, to: type) }
      }
      guard let makeBroker = symbol("enchant_broker_init", (@convention(c) () -> Pointer?).self),
        let freeBroker = symbol("enchant_broker_free", (@convention(c) (Pointer) -> Void).self),
        let listDictionaries = symbol(
          "enchant_broker_list_dicts", (@convention(c) (Pointer, Describe, Pointer?) -> Void).self),
        let openDictionary = symbol(
          "enchant_broker_request_dict", (@convention(c) (Pointer, Text) -> Pointer?).self),
        let closeDictionary = symbol(
          "enchant_broker_free_dict", (@convention(c) (Pointer, Pointer) -> Void).self),
        let check = symbol(
          "enchant_dict_check", (@convention(c) (Pointer, Text, Int) -> CInt).self),
        let suggest = symbol(
          "enchant_dict_suggest",
          (@convention(c) (Pointer, Text, Int, UnsafeMutablePointer<Int>) -> Words?).self),
        let freeWords = symbol(
          "enchant_dict_free_string_list", (@convention(c) (Pointer, Words) -> Void).self),
        let add = symbol("enchant_dict_add", (@convention(c) (Pointer, Text, Int) -> Void).self),
        let addToSession = symbol(
          "enchant_dict_add_to_session", (@convention(c) (Pointer, Text, Int) -> Void).self)
      else { return nil }
      self.makeBroker = makeBroker
      self.freeBroker = freeBroker
      self.listDictionaries = listDictionaries
      self.openDictionary = openDictionary
      self.closeDictionary = closeDictionary
      self.check = check
      self.suggest = suggest
      self.freeWords = freeWords
      self.add = add
      self.addToSession = addToSession
      normalize = symbol(
        "g_utf8_normalize",
        (@convention(c) (Text, Int, CInt) -> UnsafeMutablePointer<CChar>?).self)
    }
  }

  private let functions: Functions
  private let broker: Pointer
  private let dictionaries: [(language: String, dictionary: Pointer)]

  /// Loads the dictionaries of some languages, each of which may name one without a country.
  private init?(_ wanted: [String]) {
    guard let functions = Functions(), let broker = functions.makeBroker() else { return nil }
    let installed = Self.languages(functions, broker)
    let opened = Self.dictionaries(for: wanted, among: installed).compactMap { language in
      functions.openDictionary(broker, language).map { (language, $0) }
    }
    if opened.isEmpty {
      functions.freeBroker(broker)
      return nil
    }
    (self.functions, self.broker, dictionaries) = (functions, broker, opened)
  }

  /// Loads dictionaries on another thread.
  @concurrent
  static func open(_ languages: [String]) async -> sending Enchant? { Enchant(languages) }

  deinit {
    for (_, dictionary) in dictionaries { functions.closeDictionary(broker, dictionary) }
    functions.freeBroker(broker)
  }

  /// Returns the names of the installed dictionaries, such as `en_US`.
  private static func languages(_ functions: Functions, _ broker: Pointer) -> [String] {
    final class Names { var all: [String] = [] }
    let names = Names()
    functions.listDictionaries(
      broker,
      { language, _, _, _, data in
        guard let language, let data else { return }
        // Safety: the data is the object above, which outlives the call of the library.
        let names = Unmanaged<Names>.fromOpaque(data).takeUnretainedValue()
        if let name = String(validatingCString: language) { names.all.append(name) }
      }, Unmanaged.passUnretained(names).toOpaque())
    return withExtendedLifetime(names) { names.all }
  }

  /// Returns the names of the dictionaries for languages: the dictionary of the same country, or else the first one
  /// of the language. A language without a country, as in "en_US:en", adds none if there is one already.
  static func dictionaries(for languages: [String], among installed: [String]) -> [String] {
    func language(_ name: String) -> Substring { name.prefix { $0 != "_" && $0 != "-" } }
    return languages.reduce(into: []) { all, name in
      let same = installed.filter { language($0) == language(name) }.sorted()
      let exact = same.first { $0 == name }
      let isKnown = language(name) == name && all.contains { language($0) == name }
      guard let found = exact ?? (isKnown ? nil : same.first), !all.contains(found) else { return }
      all.append(found)
    }
  }

  var languages: [String] { dictionaries.map(\.language) }

  func isCorrect(_ word: String) -> Bool {
    guard let word = prepared(word) else { return true }
    return dictionaries.contains { functions.check($0.dictionary, word, word.utf8.count) <= 0 }
  }

  func suggestions(for word: String) -> [String] {
    guard let word = prepared(word) else { return [] }
    return dictionaries.reduce(into: []) { all, entry in
      var count = 0
      guard let words = functions.suggest(entry.dictionary, word, word.utf8.count, &count) else {
        return
      }
      // Safety: the library returns `count` words, each of which ends with a zero byte.
      let found = UnsafeBufferPointer(start: words, count: count).compactMap { word in
        word.flatMap { String(validatingCString: $0) }
      }
      functions.freeWords(entry.dictionary, words)
      all += found.filter { !all.contains($0) }
    }
  }

  func learn(_ word: String) { add(word, functions.add) }
  func ignore(_ word: String) { add(word, functions.addToSession) }

  private func add(_ word: String, _ function: @convention(c) (Pointer, Text, Int) -> Void) {
    guard let first = dictionaries.first, let word = prepared(word) else { return }
    function(first.dictionary, word, word.utf8.count)
  }

  /// Returns a word as dictionaries have it, with composed letters; nil if it is empty or has a zero byte, which
  /// the library takes for an error.
  private func prepared(_ word: String) -> String? {
    if word.isEmpty || word.utf8.contains(0) { return nil }
    if word.utf8.allSatisfy({ $0 < 0x80 }) { return word }
    // The mode 1 composes letters.
    guard let composed = functions.normalize?(word, word.utf8.count, 1) else { return word }
    defer { free(composed) }
    return String(validatingCString: composed) ?? word
  }
}
