/// Applies each event in each state, and lists the events that change what is observed.
///
/// `apply` makes the initial state, applies the event if there is one, and returns a description.
package func stateTable<State: CaseIterable, Event: CaseIterable>(
  _ apply: (State, Event?) throws -> String
) rethrows -> String {
  var lines: [String] = []
  for state in State.allCases {
    let before = try apply(state, nil)
    lines.append("\(state): \(before)")
    for event in Event.allCases {
      let after = try apply(state, event)
      if after != before { lines.append("  \(event): \(after)") }
    }
  }
  return lines.joined(separator: "\n")
}
