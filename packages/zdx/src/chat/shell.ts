// `!command` runs a shell command with the terminal of the chat. `!!command` also hands its output to
// the model with the next prompt.
import { headTail } from '@zee/core/bounded'
import { oneLine } from '@zee/core/errors'
import { terminalSafeWriter } from '@zee/core/lossless'
import type { ProcessEnd, ProcessResult } from '@zee/core/process'
import { fenced } from '../text/text.ts'
import type { Chat } from './commands.ts'

/** Most bytes of the output that the model receives, half from each end. */
const maxSharedBytes = 50 * 1024

interface ShellLine {
  command: string
  isShared: boolean
}

export async function runShell(chat: Chat, line: ShellLine): Promise<void> {
  const { lines } = chat
  const end: ProcessEnd =
    lines.lend === undefined || line.isShared
      ? await runCaptured(chat, line)
      : await lines.lend(() => runOnTerminal(chat, line.command))
  if (end.error !== undefined) throw new Error(end.error)
  if (end.exitCode !== 0) {
    chat.host.stderr.write(`(exit ${end.exitCode ?? end.signal ?? 'unknown'})\n`)
  }
}

async function runOnTerminal(chat: Chat, command: string): Promise<ProcessEnd> {
  const { startProcess } = await import('@zee/core/process')
  const started = await startProcess({
    command: 'sh',
    args: ['-c', command],
    cwd: chat.conversation.info.root,
    env: chat.host.env,
    foreground: true,
    stdin: 'inherit',
    stdout: 'inherit',
    stderr: 'inherit',
  })
  return started.failure ?? started.process.exited
}

/** Shows the output while the command runs. */
async function runCaptured(
  { host, conversation, interrupts, shellOutput }: Chat,
  { command, isShared }: ShellLine,
): Promise<ProcessResult> {
  const { runProcess } = await import('@zee/core/process')
  const write = terminalSafeWriter(host.stderr)
  const output: Buffer[] = []
  let bytes = 0
  const result = await runProcess({
    command: 'sh',
    args: ['-c', command],
    cwd: conversation.info.root,
    env: host.env,
    isMarked: true,
    captureBytes: 0,
    signal: interrupts.signal,
    onOutput: (_stream, chunk) => {
      if (isShared && bytes < maxCapturedBytes) output.push(Buffer.from(chunk))
      bytes += chunk.length
      return write(chunk)
    },
  })
  if (isShared)
    shellOutput.push(sharedText(command, Buffer.concat(output).toString('utf8'), result))
  return result
}

/** Bounds memory; the middle of a longer output is cut before it is sent. */
const maxCapturedBytes = 4 * 1024 * 1024

function sharedText(command: string, output: string, { exitCode, signal }: ProcessResult): string {
  const half = maxSharedBytes / 2
  const cut = headTail(output, half, half, (omitted) => `\n[... ${omitted} bytes left out ...]\n`)
  const end = exitCode === undefined ? `ended by ${signal ?? 'a signal'}` : `exit ${exitCode}`
  return `Output of \`${oneLine(command)}\` (${end}):\n${fenced(cut.text.replace(/\n$/, ''), '')}`
}
