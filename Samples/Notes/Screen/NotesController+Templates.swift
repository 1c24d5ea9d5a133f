import Runnel
import RunnelDesk

// New notes with the text of a template.
extension NotesController {
  func bindTemplates() {
    on(screen.menu.template) { $0.askForTemplate() }
    on(screen.menu.today) { controller in
      let daily = controller.folder.templates.first { $0.title == "Daily" }
      controller.showNote(titled: LocalTime.now.date, from: daily)
    }
  }

  private func askForTemplate() {
    let templates = folder.templates
    if templates.isEmpty { return screen.status.show("Put a note into the folder templates.") }
    let (choice, title) = (PopUpButton(templates.map(\.title)), TextField(search.text.value))
    let form = Form(["Title": title, "Template": choice])
    ask("New note from a template", form, button: "Create") { [weak self] in
      guard let self, let template = choice.selectedIndex else { return nil }
      let name = title.text.trimmed.isEmpty ? templates[template].title : title.text
      create(name, from: templates[template])
      return nil
    }
  }
}
