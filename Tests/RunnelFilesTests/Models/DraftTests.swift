import Testing

@testable import RunnelFiles

@Suite struct DraftTests {
  private enum Event: CaseIterable {
    case edit, save
  }

  /// The next state, and true if a save begins.
  private func expected(_ state: Draft.Saving, _ event: Event) -> (Draft.Saving, begins: Bool) {
    switch (state, event) {
    case (.idle, .edit): (.idle, false)
    case (.idle, .save): (.current, true)
    case (.current, .edit): (.outdated, false)
    case (.current, .save): (.current, false)
    case (.outdated, .edit): (.outdated, false)
    case (.outdated, .save): (.repeating, false)
    case (.repeating, .edit): (.repeating, false)
    case (.repeating, .save): (.repeating, false)
    }
  }

  @Test func eachEventIsAllowedInEachState() {
    for state in Draft.Saving.allCases {
      for event in Event.allCases {
        let draft = Draft("a", of: nil, following: .any, text: "one")
        draft.saving = state
        var begins = false
        switch event {
        case .edit: draft.contents = "two"
        case .save: begins = draft.saving.begin()
        }
        #expect((draft.saving, begins) == expected(state, event), "\(state), \(event)")
      }
    }
  }
}
