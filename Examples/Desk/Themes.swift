import Runnel
import RunnelDesk

let backend = HeadlessBackend(Size(width: 20, height: 3))
let application = Application(backend: backend)
application.theme = try Theme(
  parsing: """
    # Styles that are not named here are those of the dark theme.
    selection = bold brightWhite on #204080
    header = underline yellow
    """, base: .dark)

do {
  _ = try Theme(parsing: "selection = loud", base: .dark)
} catch {
  print(error)
}

// Output:
// line 1: "loud" is no colour or effect. Write a name such as red or brightBlue, "palette 200" or "#ff8000". The effects are: bold, dim, italic, underline, reverse, strike, wavy.
