// The frame of every page: the top bar, the view for the embedded data, the footer.
import type { ComponentChildren } from 'preact'
import type { PageData } from './data/data.ts'
import { ErrorBoundary } from './error-boundary.tsx'
import { hrefTo, type LiveState, useLiveData, useRoute } from './page/page.ts'
import { ThemeToggle } from './theme.tsx'
import { formatInstant } from './format.ts'
import { AttemptView, RunView } from './run/run.tsx'
import { ComparisonView } from './comparison/comparison.tsx'
import { MemoryView } from './memory.tsx'
import { SessionView } from './session/session.tsx'
import { TrajectoryView } from './trajectory/trajectory.tsx'

interface Crumb {
  text: string
  href?: string
}

export function App({ embedded }: { embedded: PageData }) {
  const { data, state } = useLiveData(embedded)
  const { crumbs, body } = pageContents(data, useRoute())
  return (
    <>
      <a class="skip" href="#main" onClick={focusMain}>
        Skip to content
      </a>
      <TopBar program={data.madeBy.split(' ')[0] ?? ''} crumbs={crumbs} state={state} />
      <main id="main" tabIndex={-1}>
        <ErrorBoundary>{body}</ErrorBoundary>
        <footer class="foot">
          <span>{data.madeBy}</span>
          <span>made {formatInstant(data.generatedAt)}</span>
        </footer>
      </main>
    </>
  )
}

function pageContents(
  data: PageData,
  route: string[],
): { crumbs: Crumb[]; body: ComponentChildren } {
  switch (data.kind) {
    case 'run':
    case 'attempt': {
      const only = data.kind === 'attempt' ? data.attempts[0] : undefined
      const [section, name, , line] = route
      const attempt =
        only ??
        (section === 'attempt' ? data.attempts.find((a) => a.attemptId === name) : undefined)
      if (attempt === undefined) {
        const body = <RunView page={data} tab={section === 'suite' ? 'suite' : 'overview'} />
        return { crumbs: [{ text: data.run.suiteId }, { text: data.run.runId }], body }
      }
      const run = { text: data.run.runId, href: only === undefined ? hrefTo() : undefined }
      const body = <AttemptView key={attempt.attemptId} attempt={attempt} line={Number(line)} />
      return { crumbs: [{ text: data.run.suiteId }, run, { text: attempt.attemptId }], body }
    }
    case 'comparison':
      return { crumbs: [{ text: 'comparison' }], body: <ComparisonView page={data} /> }
    case 'trajectory':
      return {
        crumbs: [{ text: data.log }],
        body: <TrajectoryView page={data} line={Number(route[1])} />,
      }
    case 'memory':
      return { crumbs: [{ text: `memory ${data.id}` }], body: <MemoryView page={data} /> }
    case 'session':
      return { crumbs: [{ text: data.sessionId }], body: <SessionView page={data} route={route} /> }
  }
}

function TopBar(props: { program: string; crumbs: Crumb[]; state: LiveState }) {
  return (
    <header class="top">
      <nav class="crumbs" aria-label="You are here">
        <a class="mark" href={hrefTo()}>
          {props.program}
        </a>
        <ol>
          {props.crumbs.map(({ text, href }, index) => (
            <li key={index} class={isLast(props.crumbs, index) ? '' : 'wide'}>
              {href === undefined ? (
                <span class="cut" aria-current={isLast(props.crumbs, index) ? 'page' : undefined}>
                  {text}
                </span>
              ) : (
                <a class="cut" href={href}>
                  {text}
                </a>
              )}
            </li>
          ))}
        </ol>
      </nav>
      {props.state === 'file' ? null : (
        <span class={`live ${props.state}`} role="status">
          {props.state === 'live' ? 'live' : 'connection lost'}
        </span>
      )}
      <ThemeToggle />
    </header>
  )
}

function isLast(crumbs: Crumb[], index: number): boolean {
  return index === crumbs.length - 1
}

/** Moves the focus without changing the hash, which holds the route. */
function focusMain(event: Event): void {
  event.preventDefault()
  document.getElementById('main')?.focus()
}
