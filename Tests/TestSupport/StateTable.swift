/// Applies each event in each state, and lists the events that change what is observed.
///
/// An initial state is made anew for each event. `apply` returns a text for a state and nil, and one
/// for a state and an event.
package func changes<State: CaseIterable, Event: CaseIterable>(
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
