/// The spelling of a ``TextView``: the words that its checker does not know.
///
/// The words of a line are found again only when its text has changed, and a dictionary is asked only once for
/// each word.
@MainActor
final class TextSpelling {
  private let checker: any SpellChecker
  private var lines = LineSyntax()
  private var correct: [String: Bool] = [:]
  private var fences = CodeFences.markdown
  private var lastSuggestions: (word: String, all: [String])?
  /// The end of the word that is being typed.
  private var typed: TextPosition?

  /// The number of words that are remembered.
  private static let maximumWordCount = 20_000
  /// The number of suggestions that are offered.
  private static let maximumSuggestionCount = 7

  init(_ checker: any SpellChecker) { self.checker = checker }

  /// Follows an edit; nil if it is another text.
  func follow(_ edit: TextEdit?) {
    guard let edit else {
      (fences, typed) = (.markdown, nil)
      return
    }
    fences.follow(edit)
    typed = edit.origin == .typed && !edit.new.isEmpty ? edit.newRange.upperBound : nil
  }

  /// Returns the misspelled words of a line. The word that is being typed, with the caret behind it, is left
  /// out.
  func marks(_ number: Int, _ line: String, in document: TextDocument, caret: TextPosition)
    -> [TextHighlight]
  {
    if fences.isCode(number, of: document) { return [] }
    let marks = lines.parts(of: line, find)
    guard let typed, typed == caret, typed.line == number else { return marks }
    return marks.filter { line.byte(at: $0.range.upperBound) != typed.offset }
  }

  private func find(in line: String) -> [TextHighlight] {
    SpelledWords.ranges(in: line).filter { !isCorrect(String(line[$0])) }
      .map { TextHighlight($0, style: .misspelled) }
  }

  private func isCorrect(_ word: String) -> Bool {
    if let known = correct[word] { return known }
    if correct.count >= Self.maximumWordCount { correct = [:] }
    let isCorrect = checker.isCorrect(word)
    correct[word] = isCorrect
    return isCorrect
  }

  /// Returns the misspelled words of a line, as positions in the document.
  func words(inLine number: Int, of document: TextDocument) -> [Range<TextPosition>] {
    if fences.isCode(number, of: document) { return [] }
    let line = document[line: number]
    return lines.parts(of: line, find).map { mark in
      document.position(
        of: mark.range.lowerBound, inLine: number)..<document.position(
          of: mark.range.upperBound, inLine: number)
    }
  }

  func suggestions(for word: String) -> [String] {
    if let lastSuggestions, lastSuggestions.word == word { return lastSuggestions.all }
    let all = Array(checker.suggestions(for: word).prefix(Self.maximumSuggestionCount))
    lastSuggestions = (word, all)
    return all
  }

  func accept(_ word: String, learns: Bool) {
    if learns { checker.learn(word) } else { checker.ignore(word) }
    (correct, lines) = ([:], LineSyntax())
  }
}

// The spelling, as an app and the user see it.
extension TextView {
  /// Returns the range of the misspelled word at a position, or that ends there; nil if there is none.
  ///
  ///     if let range = editor.misspelledWord(at: editor.selection.head) { print(editor.document[range]) }
  public func misspelledWord(at position: TextPosition) -> Range<TextPosition>? {
    let position = document.clamped(position)
    return spelling?.words(inLine: position.line, of: document)
      .first { $0.lowerBound <= position && position <= $0.upperBound }
  }

  /// Selects the next misspelled word, after the last one from the start of the text, and opens the menu with
  /// words that may be meant. Returns false if there is none.
  ///
  /// *Complexity*: linear in the length of the text up to that word.
  @discardableResult
  public func showNextMisspelling() -> Bool {
    guard let spelling, canBeUsed, isEditable else { return false }
    let start =
      selection.isEmpty
      ? misspelledWord(at: selection.head)?.lowerBound ?? selection.head
      : selection.range.upperBound
    let numbers = [start.line..<document.lineCount, 0..<start.line + 1]
    let found = numbers.enumerated().lazy.flatMap { pass, lines in
      lines.lazy.flatMap { spelling.words(inLine: $0, of: self.document) }
        .filter { pass == 1 || $0.lowerBound >= start }
    }.first
    guard let found else { return false }
    propose(selection: TextSelection(found))
    layoutSubviews()
    guard let window, window.makeFirstResponder(self) else { return false }
    _ = window.openContextMenu()
    return true
  }

  /// The choices for the misspelled word at the caret.
  var spellingChoices: [ContextChoice] {
    guard let spelling, isEditable, canBeUsed, let range = misspelledWord(at: selection.head),
      selection.isEmpty || selection.range == range
    else { return [] }
    let word = document[range]
    var choices = spelling.suggestions(for: word).map { suggestion in
      ContextChoice(suggestion) { [weak self] in
        guard let self, document[range] == word else { return }
        propose(replacing: range, with: suggestion)
      }
    }
    if choices.isEmpty { choices = [ContextChoice("No Suggestions")] }
    return choices + [
      .separator,
      ContextChoice("Add to Dictionary") { [weak self] in self?.accept(word, learns: true) },
      ContextChoice("Ignore") { [weak self] in self?.accept(word, learns: false) },
      .separator,
      ContextChoice("Cut") { [weak self] in _ = self?.perform(.cut) },
      ContextChoice("Copy") { [weak self] in _ = self?.perform(.copy) },
      ContextChoice("Paste") { [weak self] in _ = self?.perform(.paste) },
    ]
  }

  private func accept(_ word: String, learns: Bool) {
    spelling?.accept(word, learns: learns)
    needsDisplay()
  }
}
