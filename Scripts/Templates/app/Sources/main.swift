import Runnel
import RunnelDesk
import RunnelTerminal

let screen = ListScreen()
let application = Application(backend: try TerminalBackend())
screen.show(in: application)
EventLoop.main.run(until: application.rx.terminated)
