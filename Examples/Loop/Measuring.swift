import Runnel

let metrics = Metrics()
metrics.addProcess()
metrics.add(.main)
let jobs = metrics.counter("meter_jobs_total", "Jobs that were done.")
let sizes = metrics.gauges("meter_size_bytes", "Size of a store.", by: "store")
let times = metrics.histogram("meter_job_seconds", "Time of a job.")
metrics.gauge("meter_load", "Load of the machine.") { 0.5 }

jobs.increment()
sizes["main"].value = 1024
times.record(.milliseconds(12))
let web = HTTPServer(on: EventLoop.main)
web.count(in: HTTPMetrics(metrics))
web.get("/metrics") { _ in metrics }

let listener = try web.listen(.tcp("localhost", port: 0))
let page = HTTPClient(on: EventLoop.main).get("http://\(listener.address)/metrics").text()
for line in try EventLoop.main.run(until: page.stream)?.split(separator: "\n") ?? [] {
  if line.hasPrefix("meter_jobs") || line.hasPrefix("meter_size") { print(line) }
}

// Output:
// meter_jobs_total 1
// meter_size_bytes{store="main"} 1024
