// A served page hears from its server when what it shows has changed, and fetches it again.
import { useEffect, useState } from 'preact/hooks'
import type { PageData } from '../data/data.ts'
import { refreshParts } from './parts.ts'

export { pagePart, usePageLoaded } from './parts.ts'
export { hrefTo, replaceRoute, useRoute } from './route.ts'

export type LiveState = 'file' | 'live' | 'lost'

export function useLiveData(carried: PageData): { data: PageData; state: LiveState } {
  const isServed = location.protocol === 'http:' || location.protocol === 'https:'
  const [data, setData] = useState(carried)
  const [state, setState] = useState<LiveState>(isServed ? 'live' : 'file')
  useEffect(() => {
    if (!isServed) return
    const folder = location.href.replace(/[#?].*$/, '')
    const source = new EventSource(`${folder}events`)
    let newest = 0
    const refresh = async (): Promise<void> => {
      const own = ++newest
      const answer = await fetch(`${folder}data.json`)
      if (!answer.ok) return setState('lost')
      const { page, parts } = (await answer.json()) as { page: PageData; parts: unknown[] }
      // An answer that was overtaken is older than what is shown.
      if (own !== newest) return
      refreshParts(parts)
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
