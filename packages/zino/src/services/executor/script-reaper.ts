// Kills running scripts and removes their files when exc dies, even by SIGKILL. A helper shell tracks
// the sessions and files of all scripts over its stdin and cleans up when that closes.
import type { Logger } from '@zee/core/log'
import type { RunningProcess } from '@zee/core/process'
import { startProcess } from '@zee/core/process'

/** Prefix of script files; any other tracked name is a session id. */
export const scriptPrefix = 'zino-'

/**
 * Finds the processes of a session like core's process module. A session that exc was just starting is
 * not tracked yet: the script finds it by the script file in its command line, looking twice.
 */
const shellScript = `
trap '' HUP INT TERM
PATH=/usr/bin:/bin:/run/current-system/sw/bin
folder=$1
tracked=' '
while read -r order name; do
  case "$order$tracked" in
    track*) tracked="$tracked$name " ;;
    drop*" $name "*) tracked="\${tracked%% "$name" *} \${tracked#* "$name" }" ;;
  esac
done
[ "$tracked" = ' ' ] && exit
read_ids() {
  read -r line <"/proc/$1/stat" || return
  fields=\${line##*) }
  fields=\${fields#* * }
  group=\${fields%% *}
  fields=\${fields#* }
  session=\${fields%% *}
}
find_untracked() {
  for name in $tracked; do
    case "$name" in ${scriptPrefix}*) ;; *) continue ;; esac
    for file in $(grep -lsF -- "$name" /proc/[0-9]*/cmdline); do
      pid=\${file%/cmdline}
      pid=\${pid#/proc/}
      read_ids "$pid" && [ "$session" = "$pid" ] && tracked="$tracked$pid "
    done
  done
}
signal() {
  for name in $tracked; do
    case "$name" in ${scriptPrefix}*) ;; *) kill "-$1" "-$name" ;; esac
  done
  for process in /proc/[0-9]*; do
    read_ids "\${process#/proc/}" || continue
    case "$tracked" in *" $session "*) kill "-$1" "-$group" ;; esac
  done
}
find_untracked
signal TERM
sleep 0.3 || sleep 1
find_untracked
signal KILL
for name in $tracked; do
  case "$name" in ${scriptPrefix}*) rm -f -- "$folder/$name" ;; esac
done
`

export class ScriptReaper {
  readonly #folder: string
  readonly #log: Logger
  readonly #tracked = new Set<string>()
  #shell: RunningProcess | undefined
  #starting: Promise<void> | undefined

  /** `folder` holds the script files. */
  constructor(folder: string, log: Logger) {
    this.#folder = folder
    this.#log = log
  }

  /** Starts the shell if needed. A failed start is logged; scripts then run without a reaper. */
  async ready(): Promise<void> {
    if (this.#shell !== undefined) return
    this.#starting ??= this.#start().finally(() => {
      this.#starting = undefined
    })
    await this.#starting
  }

  /** Cleans up this file or session if exc dies. */
  track(name: string): void {
    this.#tracked.add(name)
    this.#send('track', name)
  }

  /** Stops tracking a file or session that exc has cleaned up itself. */
  untrack(name: string): void {
    if (this.#tracked.delete(name)) this.#send('drop', name)
  }

  close(): void {
    this.#shell?.release()
    this.#shell = undefined
  }

  async #start(): Promise<void> {
    const { process: shell, failure } = await startProcess({
      command: '/bin/sh',
      args: ['-c', shellScript, 'sh', this.#folder],
      env: {},
      pipes: 'sockets',
      stdin: 'pipe',
      stdout: 'null',
      stderr: 'null',
    })
    if (shell === undefined) {
      this.#log.warn(`scripts survive if exc is killed: ${failure.error ?? 'no shell'}`)
      return
    }
    this.#shell = shell
    for (const name of this.#tracked) this.#send('track', name)
    void shell.exited.then(() => {
      if (this.#shell === shell) this.close()
    })
  }

  #send(order: 'track' | 'drop', name: string): void {
    this.#shell?.stdin?.write(`${order} ${name}\n`)
  }
}
