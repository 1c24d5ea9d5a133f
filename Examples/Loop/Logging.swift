import Runnel
import RunnelTesting

let log = Log("store", ["disk": "sda"])
log.warning("The disk is almost full.", ["free": 1024])
log.with(["client": 7]).debug("The client was asked to wait.")  // not logged by default

let standard = Hooks.log
Hooks.log = { entry in
  if entry.name != "runnel.net" { standard(entry) }
}
Hooks.log = standard

let recorder = LogRecorder { Log("store").error("The disk is full.") }
print(recorder.messages)

// Output:
// ["The disk is full."]
