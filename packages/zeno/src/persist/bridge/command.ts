// `zeno bridge`: prints the stored state of a thread.
import { oneLine, ZeeError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { terminalSafeWriter } from '@zee/core/lossless'
import { zenoFolder } from '../repository-root.ts'
import { bridgeJson, bridgeText, loadBridge } from './bridge.ts'

export interface BridgeOptions {
  zenoRoot?: string | undefined
  threadId?: string | undefined
  maxEvidence: number
  maxClaims: number
  json: boolean
}

export async function runBridge(options: BridgeOptions, host: Host): Promise<number> {
  const folders = options.zenoRoot === undefined ? defaultFolders(host) : [options.zenoRoot]
  const bridge = folders
    .map((folder) => loadBridge({ ...options, folder }))
    .find((each) => each !== undefined)
  if (bridge === undefined) {
    const searched = folders.map(oneLine).join(' and ')
    throw new ZeeError('no_state', `there is no state to resume in ${searched}`, {
      exitCode: 2,
    })
  }
  const text = options.json
    ? `${JSON.stringify(bridgeJson(bridge), null, 2)}\n`
    : bridgeText(bridge)
  await terminalSafeWriter(host.stdout)(text)
  return 0
}

function defaultFolders({ cwd, env }: Host): string[] {
  return ['.codex', '.claude'].map((home) => zenoFolder(cwd, home, env.ZENO_ROOT))
}
