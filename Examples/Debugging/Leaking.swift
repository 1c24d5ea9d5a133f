import Runnel

@MainActor
final class Editor {
  private let bag = DisposeBag()
  private(set) var title = ""

  init(_ texts: PushStream<String>) {
    // The editor retains the bag, which retains the observation, which retains the editor.
    texts.observeNext { self.title = $0 }.disposed(by: bag)
  }
}

@MainActor
final class MendedEditor {
  private let bag = DisposeBag()
  private(set) var title = ""

  init(_ texts: PushStream<String>) {
    texts.observeNext(weak: self) { editor, text in editor.title = text }.disposed(by: bag)
  }
}

let texts = PushStream<String>()
Resources.tracking { resources in
  _ = Editor(texts)
  print("Editor leaves", resources.names)
}
Resources.tracking { resources in
  _ = MendedEditor(texts)
  print("MendedEditor leaves", resources.names)
}

// Output:
// Editor leaves ["EventStream<String, Never> at Leaking/Leaking.swift:10"]
// MendedEditor leaves []
