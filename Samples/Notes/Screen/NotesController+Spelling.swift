import Runnel
import RunnelDesk

// Misspelled words in the open note.
extension NotesController {
  func bindSpelling() {
    let (menu, editor) = (screen.menu, screen.editor)
    let isOn = folder.settings.map(\.checksSpelling)
    isOn.bind(to: menu.spelling.rx.isChecked)
    EventStream.combineLatest(isOn.stream.distinctUntilChanged(), dictionary.stream).observeNext {
      editor.spellChecker = $0 ? $1 : nil
      menu.spelling.isEnabled = $1 != nil
      menu.misspelled.isEnabled = editor.spellChecker != nil
    }.disposed(by: bag)
    on(menu.spelling) { $0.folder.settingsFile.mutate { $0.checksSpelling.toggle() } }
    on(menu.misspelled) { controller in
      if editor.showNextMisspelling() { return }
      controller.screen.status.show("No misspelled word here.")
    }
  }

  /// Loads the dictionary when a note is open for the first time.
  func startSpelling() {
    guard let load = exchange(&loadDictionary, with: nil) else { return }
    Task { [dictionary] in dictionary.value = await load() }
  }
}
