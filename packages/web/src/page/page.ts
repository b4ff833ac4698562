// Live data: a served page refetches its data when its server reports a change.
import { useEffect, useState } from 'preact/hooks'
import type { PageData } from '../data/data.ts'
import { replaceParts } from './parts.ts'

export { pagePart, usePageLoaded } from './parts.ts'
export { hrefTo, replaceRoute, useRoute } from './route.ts'

export type LiveState = 'file' | 'live' | 'lost'

/** Whether the page may ask a server: the policy of a page on disk, and of a copy of it, forbids it. */
function mayConnect(): boolean {
  const policy = document.querySelector<HTMLMetaElement>('meta[http-equiv]')?.content ?? ''
  return location.protocol.startsWith('http') && policy.includes("connect-src 'self'")
}

export function useLiveData(embedded: PageData): { data: PageData; state: LiveState } {
  const isServed = mayConnect()
  const [data, setData] = useState(embedded)
  const [state, setState] = useState<LiveState>(isServed ? 'live' : 'file')
  useEffect(() => {
    if (!isServed) return
    const folder = location.href.replace(/[#?].*$/, '')
    const source = new EventSource(`${folder}events`)
    let latest = 0
    const refresh = async (): Promise<void> => {
      const request = ++latest
      const answer = await fetch(`${folder}data.json`)
      if (!answer.ok) return setState('lost')
      const { page, parts } = (await answer.json()) as { page: PageData; parts: unknown[] }
      // A newer request has been sent; its answer wins.
      if (request !== latest) return
      replaceParts(parts)
      setData(page)
      setState('live')
    }
    source.addEventListener('hello', () => setState('live'))
    source.addEventListener('change', () => void refresh().catch(() => setState('lost')))
    source.addEventListener('error', () => setState('lost'))
    return () => source.close()
  }, [])
  return { data, state }
}
