// All turns of a session. A long session has the later ones in a page part, which follows the page's code, so
// that the first ones are painted before the others are parsed.
import { useMemo } from 'preact/hooks'
import type { SessionPage, TurnFacts } from '../data/data.ts'
import { pagePart, usePageLoaded } from '../page/page.ts'

export function useTurns(page: SessionPage): TurnFacts[] {
  const isLoaded = usePageLoaded()
  return useMemo(() => {
    const later = page.laterTurns === undefined ? undefined : pagePart(page.laterTurns)
    return Array.isArray(later) ? [...page.turns, ...(later as TurnFacts[])] : page.turns
  }, [page, isLoaded])
}
