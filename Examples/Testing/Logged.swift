import Runnel
import RunnelTesting

let recorder = LogRecorder { Log("store").warning("The disk is almost full.", ["free": 3]) }
print(recorder.messages)

// Output:
// ["The disk is almost full."]
