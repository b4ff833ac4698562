// `zcl update status`: the version in use beside the newest release. It never changes anything, never
// fails because of what it finds, and asks the network only where a URL was configured.
import path from 'node:path'
import { oneLine } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { inspectSettings } from '../config/config.ts'
import { aligned, printJson, printLines } from '../output/output.ts'
import { withoutCredentials } from '../url/url.ts'
import { newestRelease } from './newest-release.ts'
import { compareVersions } from './versions.ts'

interface UpdateStatus {
  ok: true
  current: string
  /** Where releases are looked for; null when nothing is configured. */
  releases: string | null
  newest: string | null
  /** Null when it is not known. */
  updateAvailable: boolean | null
  /** Why nothing is known. */
  reason?: string
}

export async function runUpdateStatus(
  options: { from: string | undefined; json: boolean },
  current: string,
  host: Host,
): Promise<number> {
  const status = await statusOf(await releasesLocation(options.from, host), current, host)
  if (options.json) printJson(host, status)
  else printLines(host, aligned(describeStatus(status)))
  return 0
}

/** Flag, then ZCL_RELEASES, then `releases` of the configuration. */
async function releasesLocation(flag: string | undefined, host: Host): Promise<string | undefined> {
  if (flag) return flag
  if (host.env.ZCL_RELEASES) return host.env.ZCL_RELEASES
  const { config } = await inspectSettings(host, undefined)
  return config?.values.releases || undefined
}

async function statusOf(
  location: string | undefined,
  current: string,
  host: Host,
): Promise<UpdateStatus> {
  const unknown = (releases: string | null, reason: string): UpdateStatus => ({
    ok: true,
    current,
    releases,
    newest: null,
    updateAvailable: null,
    reason: oneLine(reason),
  })
  if (location === undefined) {
    const where = 'ZCL_RELEASES, or releases in the configuration'
    return unknown(null, `no place for releases is configured (${where})`)
  }
  const isUrl = /^https?:\/\//i.test(location)
  const found = await newestRelease(isUrl ? location : path.resolve(host.cwd, location), isUrl)
  const releases = isUrl ? withoutCredentials(location) : location
  if ('reason' in found) return unknown(releases, found.reason)
  const updateAvailable = compareVersions(found.version, current) > 0
  return { ok: true, current, releases, newest: found.version, updateAvailable }
}

function describeStatus({
  current,
  releases,
  newest,
  updateAvailable,
  reason,
}: UpdateStatus): string[][] {
  const verdict = updateAvailable === true ? 'install.sh of the release installs it' : 'up to date'
  return [
    ['current', current],
    ['newest', newest ?? `unknown: ${reason ?? ''}`],
    ...(releases === null ? [] : [['releases', releases]]),
    ...(updateAvailable === null ? [] : [['update', verdict]]),
  ]
}
