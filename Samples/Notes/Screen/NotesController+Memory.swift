import Runnel
import RunnelDesk

// The state that lasts from one run to the next, apart from the notes.
extension NotesController {
  func bindMemory() {
    let split = screen.split
    folder.settings.map(\.divider).observeNext { percent in
      guard let percent, percent != split.position.percent else { return }
      split.position = .fraction(Double(percent) / 100)
    }.disposed(by: bag)
    split.rDelegate.stream(\.splitViewDidMoveDivider).observeNext(weak: self) { controller, split in
      let percent = split.position.percent
      controller.folder.settingsFile.mutate { $0.divider = percent }
    }.disposed(by: bag)
    folder.progress.updates.filter { $0 == nil }.take(1)
      .observeNext(weak: self) { controller, _ in controller.showLastNote() }.disposed(by: bag)
    application.rDelegate.stream(\.applicationWillTerminate)
      .observeNext(weak: self) { controller, _ in controller.keepLastNote() }.disposed(by: bag)
  }

  private func showLastNote() {
    let last = folder.settings.value.lastNote
    if open == nil, search.text.value.isEmpty, let last { rows.select { $0.id == last } }
  }

  private func keepLastNote() {
    let canKeep = open != folder.settings.value.lastNote && folder.files.folder.isWritable
    if let open, canKeep { folder.settingsFile.mutate { $0.lastNote = open } }
  }
}
