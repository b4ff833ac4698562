// Harbor task folders as missions: `instruction.md`, `task.toml`, `environment/` and `tests/test.sh`,
// which writes a reward to /logs/verifier.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { readBoundedText } from '@zee/core/bounded-file'
import { kebabId } from '@zee/core/ids'

/** One mission per folder that has a task.toml and an instruction.md. */
export function harborMissions(
  folder: string,
  shown: string,
  names: readonly string[],
): Record<string, unknown>[] {
  // The folder itself may be one task.
  if (isTask(folder)) return [missionOf(folder, shown)]
  return names
    .filter((name) => isTask(path.join(folder, name)))
    .map((name) => missionOf(path.join(folder, name), path.join(shown, name)))
}

function isTask(folder: string): boolean {
  return ['task.toml', 'instruction.md'].every((name) => existsSync(path.join(folder, name)))
}

function missionOf(folder: string, shown: string): Record<string, unknown> {
  const config = readBoundedText(path.join(folder, 'task.toml'))
  const image = tomlText(config, 'environment', 'docker_image')
  const hasFiles = existsSync(path.join(folder, 'environment'))
  const hasTests = existsSync(path.join(folder, 'tests/test.sh'))
  const files = { tests: path.join(shown, 'tests') }
  return {
    missionId: kebabId(path.basename(path.resolve(folder))),
    prompt: readBoundedText(path.join(folder, 'instruction.md')),
    tags: ['harbor'],
    ...timeoutOf(config, 'agent'),
    workspace: hasFiles ? { path: path.join(shown, 'environment') } : {},
    ...(hasTests
      ? { verify: [{ command: verifyCommand, files, ...timeoutOf(config, 'verifier') }] }
      : {}),
    ...(image === undefined ? {} : { container: { image } }),
  }
}

/** `timeout_sec` of the agent or the verifier. */
function timeoutOf(config: string, section: 'agent' | 'verifier'): { timeoutMs?: number } {
  const seconds = Number(tomlText(config, section, 'timeout_sec'))
  return seconds > 0 ? { timeoutMs: Math.ceil(seconds * 1000) } : {}
}

/** An absolute path at the start of a word; `./tests` and `/app/tests` are other folders. */
const replaceFolder = (folder: string, by: string): string =>
  `-e "s#(^|[^[:alnum:]_.$})/-])${folder}([^[:alnum:]_-]|$)#\\1${by}\\2#g"`

/** Runs the tests with the folders of the workspace in place of /tests and /logs/verifier. */
const verifyCommand = [
  'logs="$HOME/logs"; mkdir -p "$logs"',
  `sed -E ${replaceFolder('/logs/verifier', '$logs')} ${replaceFolder('/tests', '$PWD/tests')} tests/test.sh > "$HOME/test.sh"`,
  // The tests look for their other files beside $0.
  'cat "$HOME/test.sh" > tests/test.sh; bash "$PWD/tests/test.sh"; code=$?',
  `if [ -f "$logs/reward.json" ]; then printf '\\n{"rewards":%s}\\n' "$(tr -d '\\n' < "$logs/reward.json")"; exit 0; fi`,
  `if [ -f "$logs/reward.txt" ]; then printf '\\n{"rewards":"%s"}\\n' "$(tr -d '\\n' < "$logs/reward.txt")"; exit 0; fi`,
  'exit $code',
].join('\n')

/** A plain value of a section; enough for those that are read. */
function tomlText(toml: string, section: string, key: string): string | undefined {
  let current = ''
  for (const line of toml.split('\n')) {
    const head = /^\s*\[([^[\]]+)\]/.exec(line)
    if (head !== null) current = (head[1] ?? '').trim()
    const pair = /^\s*([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([\d._]+))/.exec(line)
    if (current === section && pair?.[1] === key) return pair[2] ?? pair[3] ?? pair[4]
  }
  return undefined
}
