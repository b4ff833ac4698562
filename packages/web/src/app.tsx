// Which page is shown, and what all of them have around them.
import type { ComponentChildren } from 'preact'
import type { PageData } from './data/data.ts'
import { Boundary } from './error-boundary.tsx'
import { hrefTo, type LiveState, useLiveData, useRoute } from './page/page.ts'
import { ThemeToggle } from './theme.tsx'
import { instant } from './format.ts'
import { AttemptView, RunView } from './run/run.tsx'
import { ComparisonView } from './comparison/comparison.tsx'
import { SessionView } from './session/session.tsx'
import { TrajectoryView } from './trajectory/trajectory.tsx'

interface Crumb {
  text: string
  href?: string
}

export function App({ carried }: { carried: PageData }) {
  const { data, state } = useLiveData(carried)
  const { crumbs, body } = contents(data, useRoute())
  return (
    <>
      <a class="skip" href="#main" onClick={focusMain}>
        Skip to content
      </a>
      <TopBar program={data.madeBy.split(' ')[0] ?? ''} crumbs={crumbs} state={state} />
      <main id="main" tabIndex={-1}>
        <Boundary>{body}</Boundary>
        <footer class="foot">
          <span>{data.madeBy}</span>
          <span>made {instant(data.generatedAt)}</span>
        </footer>
      </main>
    </>
  )
}

function contents(data: PageData, route: string[]): { crumbs: Crumb[]; body: ComponentChildren } {
  switch (data.kind) {
    case 'run':
    case 'attempt': {
      const only = data.kind === 'attempt' ? data.attempts[0] : undefined
      const [where, name, , line] = route
      const attempt =
        only ?? (where === 'attempt' ? data.attempts.find((a) => a.attemptId === name) : undefined)
      if (attempt === undefined) {
        const body = <RunView page={data} tab={where === 'suite' ? 'suite' : 'overview'} />
        return { crumbs: [{ text: data.run.suiteId }, { text: data.run.runId }], body }
      }
      const run = { text: data.run.runId, ...(only === undefined ? { href: hrefTo() } : {}) }
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

/** The address stays: its `#` part says where one is. */
function focusMain(event: Event): void {
  event.preventDefault()
  document.getElementById('main')?.focus()
}
