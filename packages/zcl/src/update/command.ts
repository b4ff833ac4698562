// `zcl update status`: prints the installed and the newest version. It changes nothing, always exits 0,
// and uses the network only when a URL is configured.
import path from 'node:path'
import { oneLine } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { inspectSettings } from '../config/config.ts'
import { aligned, complain, printJson, printLines } from '../output/output.ts'
import { withoutCredentials } from '../url/url.ts'
import { newestRelease } from './newest-release.ts'
import { compareVersions } from '../versions/versions.ts'

interface UpdateStatus {
  ok: true
  current: string
  /** Folder or URL of releases; null when none is configured. */
  releases: string | null
  newest: string | null
  /** Null when the newest version is unknown. */
  updateAvailable: boolean | null
  /** Why the newest version is unknown. */
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

/** Folder or URL of releases: flag, ZCL_RELEASES, then `releases` in the configuration. */
async function releasesLocation(flag: string | undefined, host: Host): Promise<string | undefined> {
  if (flag) return flag
  if (host.env.ZCL_RELEASES) return host.env.ZCL_RELEASES
  const { config, warnings } = await inspectSettings(host, undefined)
  for (const warning of warnings) complain(host, 'ZCL_W_UNTRUSTED_CONFIG', warning)
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
