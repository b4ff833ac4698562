// Runs a child that leaves a process running on its pipes, kills that process, and does not call exit:
// an open handle left by the run would keep this program alive.
import { runProcess } from '@zee/core/process'

const result = runProcess({
  command: 'sh',
  args: ['-c', 'sleep 60 & echo $!'],
  env: process.env,
  drainMs: 100,
})

void result.then(({ outcome, exitCode, stdout }) => {
  process.kill(Number(stdout.text()), 'SIGKILL')
  process.stdout.write(`${outcome} ${exitCode}\n`)
})
