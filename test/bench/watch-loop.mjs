// Loaded into the service with `--import`: tells, when asked over the channel, the longest stall of the event loop and the largest
// memory since the last question. A stall is counted in processor time of the process, so that other work on the machine does not count.
const TICK_MS = 5
const MEMORY_MS = 50
let stall = 0
let memory = 0
let last = performance.now()
let used = process.cpuUsage()

const look = () => {
  const now = performance.now()
  const { user, system } = process.cpuUsage(used)
  stall = Math.max(stall, Math.min(now - last - TICK_MS, (user + system) / 1_000))
  last = performance.now()
  used = process.cpuUsage()
}
setInterval(look, TICK_MS).unref()
setInterval(() => {
  memory = Math.max(memory, process.memoryUsage.rss())
}, MEMORY_MS).unref()

process.on('message', () => {
  process.send({ stall, memory })
  stall = 0
  memory = process.memoryUsage.rss()
})
process.channel?.unref()
