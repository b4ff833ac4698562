// Finds the newest release: release.json in a folder, in its version subfolders, or below a URL.
import { readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { errnoOf, reasonOf } from '@zee/core/errors'
import { compareVersions, isVersion } from '../versions/versions.ts'

export type FoundRelease = { version: string } | { reason: string }

const manifestName = 'release.json'
const maxBytes = 65_536
const timeoutMs = 5000
const maxRedirects = 5

/** The newest version, or the reason why none was found; never throws. */
export async function newestRelease(location: string, isUrl: boolean): Promise<FoundRelease> {
  try {
    return isUrl ? await releaseAt(location) : await releaseIn(location)
  } catch (error) {
    return { reason: `${isUrl ? manifestName : location}: ${reasonOf(error)}` }
  }
}

/** Reads a folder of one release, or a folder with one subfolder per version. */
async function releaseIn(folder: string): Promise<FoundRelease> {
  const names = await readdir(folder)
  const versions: string[] = []
  for (const name of ['.', ...names.filter(isVersion)]) {
    const text = await readSmall(path.join(folder, name, manifestName))
    const version = text === undefined ? undefined : versionIn(text)
    if (version !== undefined) versions.push(version)
  }
  const newest = versions.toSorted(compareVersions).at(-1)
  return newest === undefined ? { reason: `no release in ${folder}` } : { version: newest }
}

async function readSmall(file: string): Promise<string | undefined> {
  try {
    if ((await stat(file)).size > maxBytes) return undefined
    return await readFile(file, 'utf8')
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes(errnoOf(error) ?? '')) return undefined
    throw error
  }
}

async function releaseAt(url: string): Promise<FoundRelease> {
  const address = new URL(
    url.endsWith('.json') ? url : `${url.replace(/\/*$/, '')}/${manifestName}`,
  )
  const version = versionIn(await download(address, maxRedirects))
  return version === undefined ? { reason: 'the answer is no release.json' } : { version }
}

async function download(url: URL, redirects: number): Promise<string> {
  const { get } = url.protocol === 'https:' ? await import('node:https') : await import('node:http')
  const answer = await new Promise<{ text: string } | { to: string }>((resolve, reject) => {
    const request = get(url, { headers: { 'user-agent': 'zcl' } }, (response) => {
      const { statusCode = 0, headers } = response
      if (statusCode >= 300 && statusCode < 400 && headers.location !== undefined) {
        response.resume()
        return resolve({ to: headers.location })
      }
      if (statusCode !== 200) {
        response.resume()
        return reject(new Error(`HTTP ${statusCode}`))
      }
      const chunks: Buffer[] = []
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes > maxBytes) request.destroy(new Error('the answer is too large'))
        else chunks.push(chunk)
      })
      response.on('end', () => resolve({ text: Buffer.concat(chunks).toString('utf8') }))
      response.on('error', reject)
      return undefined
    })
    const timer = setTimeout(
      () => request.destroy(new Error(`no answer within ${timeoutMs / 1000} s`)),
      timeoutMs,
    )
    request.on('close', () => clearTimeout(timer))
    request.on('error', reject)
  })
  if ('text' in answer) return answer.text
  const target = new URL(answer.to, url)
  const isSafe = target.protocol === url.protocol || target.protocol === 'https:'
  if (redirects === 0 || !isSafe) throw new Error('too many or unsafe redirects')
  return download(target, redirects - 1)
}

function versionIn(text: string): string | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (typeof value !== 'object' || value === null || !('version' in value)) return undefined
  const { version } = value
  return typeof version === 'string' && isVersion(version) ? version : undefined
}
