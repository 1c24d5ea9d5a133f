import Runnel
import RunnelDesk
import RunnelGTK

let screen = ListScreen()
let application = Application(backend: try GTKBackend(identifier: "org.example.NAME"))
screen.show(in: application)
EventLoop.main.run(until: application.rx.terminated)
